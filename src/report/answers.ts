import type {
  ExplainAnswer,
  JudgementAnswer,
  PlanAnswer,
  ProblemDocument,
  RefusalAnswer,
  StageAnswer,
  StatusAnswer,
} from '../generated/documents.ts';
import type { StageAssessment } from '../proof/assess.ts';
import type { Problem } from '../values/problem.ts';
import type { Figure } from './figures.ts';
import type { GateResult, JudgedStage, Judging } from './result.ts';

/** The documents that `--json` prints, made from what the gate found. Shapes: schemas/answer-*. */

export function judgementAnswer(result: GateResult): JudgementAnswer {
  const stages = result.stages;
  const count = (holds: (stage: JudgedStage) => boolean): number => stages.filter(holds).length;
  return {
    workspace: result.workspace,
    flow: result.flow,
    verdict: verdictWord(result),
    ...(result.trust === 'own' ? {} : { trust: result.trust }),
    ...(result.judging === undefined ? {} : { judging: judgingAnswer(result.judging) }),
    ...(result.strays === undefined || result.strays.length === 0
      ? {}
      : { not_from_commit: result.strays.map(({ path, why }) => ({ path, why })) }),
    ...(result.notices === undefined || result.notices.length === 0
      ? {}
      : { notices: [...result.notices] }),
    counts: {
      stages: stages.length,
      proven: count(({ assessment }) => assessment.status === 'valid'),
      ran: count(({ how }) => how === 'ran'),
      restored: count(({ how }) => how === 'restored'),
      reused: count(({ how }) => how === 'reused'),
      unfloored: count(({ assessment }) => assessment.marks.includes('unfloored')),
      exit_code_only: count(({ assessment }) => assessment.marks.includes('exit-code-only')),
      self_reported: count(({ assessment }) => assessment.marks.includes('self-reported')),
    },
    stages: byName(stages, ({ assessment }) => assessment.stage.name, stageAnswer),
    problems: result.problems.map(problemDocument),
  };
}

/** `trusted` is what an answer says in place of proven when the log was taken on trust. */
export function verdictWord({
  isProven,
  trust,
}: Pick<GateResult, 'isProven' | 'trust'>): JudgementAnswer['verdict'] {
  if (!isProven) return 'not-proven';
  return trust === 'log' ? 'trusted' : 'proven';
}

function judgingAnswer({ changes, isAccepted }: Judging): NonNullable<JudgementAnswer['judging']> {
  return {
    accepted: isAccepted,
    changes: changes.map(({ stage, message }) => ({ stage: stage ?? null, message })),
  };
}

function stageAnswer({ assessment, how, held, figures = [] }: JudgedStage): StageAnswer {
  return {
    status: assessment.status,
    verdict: assessment.verdict,
    assertion: assessment.assertion,
    reason: held === undefined ? assessment.reason : `not run: ${held} (${assessment.reason})`,
    how,
    run: assessment.outcome?.run ?? null,
    duration_ms: assessment.outcome?.duration_ms ?? null,
    changes: [...assessment.changes],
    marks: [...assessment.marks],
    needs: [...assessment.stage.needs],
    ...(figures.length === 0 ? {} : { figures: Object.fromEntries(figures.map(figureAnswer)) }),
  };
}

function figureAnswer({ name, value, before }: Figure): [string, FigureAnswer] {
  return [name, before === undefined ? { value } : { value, before }];
}

type FigureAnswer = NonNullable<StageAnswer['figures']>[string];

export interface Whole {
  readonly workspace: string;
  readonly flow: string;
  readonly problems: readonly Problem[];
}

export function statusAnswer(
  whole: Whole,
  stages: readonly StageAssessment[],
  isSignedOff: boolean,
): StatusAnswer {
  return {
    workspace: whole.workspace,
    flow: whole.flow,
    stages: byName(
      stages,
      ({ stage }) => stage.name,
      ({ status }) => status,
    ),
    signed_off: isSignedOff,
    problems: whole.problems.map(problemDocument),
  };
}

type PlannedAction = PlanAnswer['stages'][string]['action'];

export function planAnswer(
  whole: Whole,
  planned: readonly { assessment: StageAssessment; action: PlannedAction; reason: string }[],
): PlanAnswer {
  return {
    workspace: whole.workspace,
    flow: whole.flow,
    stages: byName(
      planned,
      ({ assessment }) => assessment.stage.name,
      ({ assessment, action, reason }) => ({
        status: assessment.status,
        action,
        reason,
        changes: [...assessment.changes],
        needs: [...assessment.stage.needs],
      }),
    ),
    problems: whole.problems.map(problemDocument),
  };
}

export function explainAnswer(whole: Whole, assessment: StageAssessment): ExplainAnswer {
  return {
    workspace: whole.workspace,
    flow: whole.flow,
    stage: assessment.stage.name,
    status: assessment.status,
    verdict: assessment.verdict,
    reason: assessment.reason,
    run: assessment.outcome?.run ?? null,
    recorded_at: assessment.outcome?.ts ?? null,
    changes: [...assessment.changes],
    summary: assessment.summary ?? null,
    envelope: assessment.envelope ?? null,
    needs: [...assessment.stage.needs],
    problems: whole.problems.map(problemDocument),
  };
}

export function refusalAnswer(problems: readonly Problem[]): RefusalAnswer {
  return {
    ok: false,
    reason: problems.map(({ message }) => message).join('; '),
    problems: problems.map(problemDocument),
  };
}

export function problemDocument(found: Problem): ProblemDocument {
  return {
    code: found.code,
    message: found.message,
    ...(found.at === undefined ? {} : { file: found.at.file }),
    ...(found.at?.line === undefined ? {} : { line: found.at.line }),
    ...(found.at?.column === undefined ? {} : { column: found.at.column }),
    ...(found.stage === undefined ? {} : { stage: found.stage }),
    ...(found.remedy === undefined ? {} : { remedy: found.remedy }),
  };
}

function byName<T, V>(
  items: readonly T[],
  nameOf: (item: T) => string,
  toValue: (item: T) => V,
): Record<string, V> {
  return Object.fromEntries(items.map((item) => [nameOf(item), toValue(item)]));
}

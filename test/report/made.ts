import type { LoomResult, VygesEvent } from '../../src/generated/documents.ts';
import type { StageAssessment } from '../../src/proof/assess.ts';
import { numbersIn } from '../../src/report/figures.ts';
import type { GateResult, How, JudgedStage, ReportedResult } from '../../src/report/result.ts';
import type { Fingerprint } from '../../src/values/brands.ts';
import type { Problem } from '../../src/values/problem.ts';
import { flowOf } from '../flow/flow-file.ts';
import { assessmentOf } from '../support/assessment.ts';

/** What a test says of a stage; the rest is as of one that was never run. */
export type MadeStage = Partial<Omit<StageAssessment, 'stage'>> & {
  readonly how?: How;
  readonly held?: string;
  /** Members of its envelope that a report reads. */
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly events?: readonly Partial<VygesEvent>[];
  readonly stderrTail?: string;
  /** What the flow says of it beyond its inputs. */
  readonly flow?: string;
};

export interface Made {
  readonly name?: string;
  readonly workspace?: string;
  readonly isProven?: boolean;
  readonly problems?: readonly Problem[];
  readonly stages: Readonly<Record<string, MadeStage>>;
}

/** A judgement as the gate could have come to it. */
export function made({ name, workspace, isProven, problems, stages }: Made): ReportedResult {
  const lines = Object.entries(stages).map(
    ([stage, { flow }]) => `  ${stage}: { run: x, ${flow ?? 'inputs: [a]'} }\n`,
  );
  const flow = flowOf(`stages:\n${lines.join('')}`);
  const judged = Object.entries(stages).map(([stage, { how, held, ...known }]): JudgedStage => {
    const { payload, events, stderrTail, flow: text, ...assessment } = known;
    const figures = numbersIn(payload ?? null).map(([figure, value]) => ({
      name: figure,
      value,
      before: undefined,
    }));
    return {
      assessment: assessmentOf(flow, stage, assessment),
      how: how ?? 'not-run',
      held,
      figures,
    };
  });
  const result: GateResult = {
    workspace: workspace ?? '.',
    flow: name ?? 'made',
    isProven: isProven ?? false,
    trust: 'own',
    stages: judged,
    problems: problems ?? [],
  };
  const envelopes = Object.entries(stages).map(([stage, one]) => [stage, envelopeOf(one)] as const);
  return { result, envelopes: new Map(envelopes) };
}

function envelopeOf({ payload, events = [], stderrTail }: MadeStage): LoomResult {
  return {
    schema: 'loom-result/1.1',
    tool: 't',
    tool_version: null,
    status: stderrTail === undefined ? 'ok' : 'error',
    engineering: { status: 'unknown', assertion: null, summary: '' },
    input_hash: `sha256:${'0'.repeat(64)}` as Fingerprint,
    result: payload ?? null,
    artifacts: [],
    error:
      stderrTail === undefined
        ? null
        : { code: 'engine_nonzero', message: 'x', exit_code: 1, stderr_tail: stderrTail },
    logs: {
      count: events.length,
      events: events.map((event) => ({
        schema: 'vyges-events/1.0',
        ts_ms: 0,
        tool: 't',
        severity: 'error',
        raw_msg: 'message',
        ...event,
      })),
      summary: { codes: [] },
    },
    provenance: {
      cmd: ['t'],
      duration_ms: 1,
      env: {},
      maturity: 'structured',
      limitations: [],
      descriptor: null,
    },
  };
}

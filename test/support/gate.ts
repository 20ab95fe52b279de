import { assessWorkspace } from '../../src/gate/assess.ts';
import type { GateEvent } from '../../src/gate/events.ts';
import { judge } from '../../src/gate/judge.ts';
import { runGate } from '../../src/gate/run.ts';
import { openWorkspace, type Workspace } from '../../src/gate/workspace.ts';
import type { JudgementAnswer, StageAnswer } from '../../src/generated/documents.ts';
import { judgementAnswer } from '../../src/report/answers.ts';
import type { Problem } from '../../src/values/problem.ts';
import type { TestWorkspace } from './workspace.ts';

/** The gate in this process, over a workspace on the disk: real engines, real log, real lock. */

export interface PassOptions {
  readonly only?: readonly string[];
  readonly rerun?: boolean;
  readonly concurrency?: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: GateEvent) => void;
}

/** A judgement, and what was told on the way to it. */
export interface Pass {
  readonly answer: JudgementAnswer;
  readonly problems: readonly Problem[];
  readonly events: readonly GateEvent[];
}

/** As `signoff-gate run` does it. Throws when there is no judgement at all. */
export async function runPass(workspace: TestWorkspace, options: PassOptions = {}): Promise<Pass> {
  const events: GateEvent[] = [];
  const result = await runGate({
    workspace: opened(workspace, options.variables),
    only: options.only ?? [],
    rerun: options.rerun ?? false,
    concurrency: options.concurrency ?? 4,
    lockWaitMs: 0,
    command: 'a test',
    emit: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
    signal: options.signal ?? new AbortController().signal,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { answer: judgementAnswer(result.value), problems: result.value.problems, events };
}

/** As `signoff-gate check` does it: nothing is run. Throws when there is no judgement at all. */
export function checkPass(
  workspace: TestWorkspace,
  variables: Readonly<Record<string, string>> = {},
): Pass {
  const workspaceNow = opened(workspace, variables);
  const assessment = assessWorkspace(workspaceNow);
  if (!assessment.ok) throw new Error(JSON.stringify(assessment.error));
  const result = judge(workspaceNow, assessment.value, new Map());
  return { answer: judgementAnswer(result), problems: result.problems, events: [] };
}

/** Runs everything and insists that it is proven: where a test of what comes after begins. */
export async function prove(
  workspace: TestWorkspace,
  variables: Readonly<Record<string, string>> = {},
): Promise<Pass> {
  const pass = await runPass(workspace, { variables });
  if (pass.answer.verdict !== 'proven' || pass.answer.counts.ran === 0) {
    throw new Error(`not proven by a run: ${JSON.stringify(pass.answer, null, 1)}`);
  }
  return pass;
}

export function opened(
  workspace: TestWorkspace,
  variables: Readonly<Record<string, string>> = {},
): Workspace {
  const result = openWorkspace({
    directory: workspace.root,
    flowFile: undefined,
    variables: { values: variables, allows: () => true },
    searchPath: process.env['PATH'] ?? '',
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export function stageIn({ answer }: Pick<Pass, 'answer'>, name: string): StageAnswer {
  const stage = Object.hasOwn(answer.stages, name) ? answer.stages[name] : undefined;
  if (!stage) throw new Error(`there is no stage ${name} in the answer`);
  return stage;
}

/** Stage to status, for a look at the whole. */
export function statusesIn({ answer }: Pick<Pass, 'answer'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answer.stages).map(([name, { status }]) => [name, status]),
  );
}

/** Stage to what the pass did about it. */
export function deedsIn({ answer }: Pick<Pass, 'answer'>): Record<string, string> {
  return Object.fromEntries(Object.entries(answer.stages).map(([name, { how }]) => [name, how]));
}

export function codesIn({ problems }: Pick<Pass, 'problems'>): string[] {
  return problems.map(({ code }) => code);
}

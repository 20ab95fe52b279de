import { readFileSync } from 'node:fs';
import { openLogWriter } from '../log/append.ts';
import { acquireLock, type WorkspaceLock } from '../log/lock.ts';
import type { GateResult } from '../report/result.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { assessWorkspace } from './assess.ts';
import type { RunSetting } from './attempt.ts';
import type { CacheUse } from './cache-use.ts';
import type { Emit } from './events.ts';
import { judge } from './judge.ts';
import { readLogView } from './log-view.ts';
import { Pass, type PassRequest } from './pass.ts';
import { recoverRuns } from './recover.ts';
import { saveResults } from './save-results.ts';
import { clearStaging } from './staging.ts';
import { type Grounds, OWN_LOG } from './trust/grounds.ts';
import type { Workspace } from './workspace.ts';

export interface RunRequest extends PassRequest {
  readonly workspace: Workspace;
  /** How long to wait for another gate in this workspace, in milliseconds. */
  readonly lockWaitMs: number;
  readonly command: string;
  /** Undefined: nothing is restored and nothing kept. */
  readonly cache?: CacheUse | undefined;
  /** What the judgement may rest on; the caller's own log when not given. */
  readonly grounds?: Grounds | undefined;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** One pass of the gate (design §2): assess, run what does not hold, assess again, judge all. */
export async function runGate(request: RunRequest): Promise<Result<GateResult, Problem[]>> {
  const { workspace, emit } = request;
  // Said before the lock is taken: a log that cannot be read must not be waited for.
  const readable = readLogView(workspace);
  if (!readable.ok) return err([readable.error]);
  const lock = await acquireLock(workspace.root, {
    waitMs: request.lockWaitMs,
    command: request.command,
    signal: request.signal,
    onWaiting: (holder) => emit({ kind: 'waiting-for-lock', holder }),
  });
  if (!lock.ok) return err([lock.error]);
  try {
    return await runLocked(request, lock.value);
  } finally {
    lock.value.release();
  }
}

async function runLocked(
  request: RunRequest,
  lock: WorkspaceLock,
): Promise<Result<GateResult, Problem[]>> {
  const { workspace, emit, signal, grounds = OWN_LOG } = request;
  const writer = openLogWriter(workspace.root, lock);
  if (!writer.ok) return err([writer.error]);
  try {
    const view = readLogView(workspace);
    if (!view.ok) return err([view.error]);
    clearStaging(workspace.root);
    const problems = await recoverRuns(workspace, view.value.history, writer.value, emit);
    const setting: RunSetting = {
      workspace,
      writer: writer.value,
      cache: request.cache,
      grounds,
      emit,
      signal,
      nextRun: (stage) => {
        const now = readLogView(workspace);
        return now.ok ? (now.value.history.stages.get(stage)?.nextRun ?? 1) : 1;
      },
    };
    const pass = new Pass(request, setting);
    await pass.run();
    problems.push(...pass.problems);
    if (signal.aborted) {
      problems.push(
        problem('gate/interrupted', 'the gate was stopped before it was through', {
          remedy: 'Run it again.',
        }),
      );
    }
    problems.push(...flowProblems(workspace));
    const assessment = assessWorkspace(workspace, grounds, pass.facts);
    if (!assessment.ok) return assessment;
    const result = judge(workspace, assessment.value, pass.deeds, { grounds, problems });
    if (request.cache && !signal.aborted) {
      // What is not proven here, say because it is not reproducible, must not be proven elsewhere.
      const suspect = new Set(result.problems.map((found) => found.stage));
      const valid = assessment.value.stages.filter(
        ({ stage, status }) =>
          status === 'valid' &&
          pass.deeds.get(stage.name)?.how === 'ran' &&
          !suspect.has(stage.name),
      );
      await saveResults(valid, workspace, request.cache, emit, signal);
    }
    return ok(result);
  } finally {
    writer.value.close();
  }
}

/** A flow that was edited while the gate ran is not the one that was judged. */
function flowProblems({ flow }: Workspace): Problem[] {
  let text: string | undefined;
  try {
    text = readFileSync(flow.path, 'utf8');
  } catch {
    text = undefined;
  }
  // A byte order mark is no part of the text that was read.
  if (text?.replace(/^\ufeff/, '') === flow.text) return [];
  return [
    problem('file/changed-while-read', 'the flow file changed while the gate ran', {
      at: { file: flow.file },
      remedy: 'Run the gate again: what it judged is not what is there.',
    }),
  ];
}

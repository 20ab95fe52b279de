import type { Stage } from '../flow/stage.ts';
import { openLogWriter } from '../log/append.ts';
import { acquireLock, type WorkspaceLock } from '../log/lock.ts';
import { assessStage, type StageAssessment } from '../proof/assess.ts';
import type { GateResult, How } from '../report/result.ts';
import { decideStage } from '../schedule/decide.ts';
import { decidable, withNeeds } from '../schedule/order.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { assessWorkspace, readLogView } from './assess.ts';
import type { RunSetting } from './attempt.ts';
import type { CacheUse } from './cache-use.ts';
import type { Emit } from './events.ts';
import { judge } from './judge.ts';
import { recoverRuns } from './recover.ts';
import { bringUpToDate } from './run-stage.ts';
import { saveResults } from './save-results.ts';

import { takeSnapshot } from './snapshot.ts';
import type { Workspace } from './workspace.ts';

export interface RunRequest {
  readonly workspace: Workspace;
  /** Stages to bring up to date, with what they need; empty means all. They are never judged alone. */
  readonly only: readonly string[];
  /** Run the failed again, and the named whatever their status. */
  readonly rerun: boolean;
  /** Most runs at once. */
  readonly concurrency: number;
  /** How long to wait for another gate in this workspace, in milliseconds. */
  readonly lockWaitMs: number;
  readonly command: string;
  /** Undefined: nothing is restored and nothing kept. */
  readonly cache?: CacheUse | undefined;
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
  const { workspace, emit, signal } = request;
  const writer = openLogWriter(workspace.root, lock);
  if (!writer.ok) return err([writer.error]);
  try {
    const view = readLogView(workspace);
    if (!view.ok) return err([view.error]);
    const problems = await recoverRuns(workspace, view.value.history, writer.value, emit);
    const setting: RunSetting = {
      workspace,
      writer: writer.value,
      cache: request.cache,
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
    const assessment = assessWorkspace(workspace, pass.ranNow);
    if (!assessment.ok) return assessment;
    const result = judge(workspace, assessment.value, pass.deeds, problems);
    if (request.cache && !signal.aborted) {
      const valid = assessment.value.stages.filter(
        ({ stage, status }) => status === 'valid' && pass.deeds.get(stage.name)?.how === 'ran',
      );
      await saveResults(valid, workspace, request.cache, emit);
    }
    return ok(result);
  } finally {
    writer.value.close();
  }
}

/** The stages of one pass, each decided once, when all before it have settled. */
class Pass {
  readonly problems: Problem[] = [];
  readonly deeds = new Map<string, { how: How; held?: string }>();
  readonly ranNow = new Map<string, number>();
  readonly #request: RunRequest;
  readonly #setting: RunSetting;
  readonly #wanted: ReadonlySet<string>;
  readonly #settled = new Map<string, StageAssessment>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(request: RunRequest, setting: RunSetting) {
    this.#request = request;
    this.#setting = setting;
    const { flow } = request.workspace;
    const names = flow.stages.map((stage) => stage.name as string);
    this.#wanted = withNeeds(flow, request.only.length > 0 ? request.only : names);
  }

  async run(): Promise<void> {
    for (;;) {
      this.#decideAll();
      if (this.#running.size === 0) return;
      await Promise.race(this.#running.values());
    }
  }

  /** Decides whatever can be decided; a decision may settle a stage and so make others decidable. */
  #decideAll(): void {
    const { workspace, concurrency, signal } = this.#request;
    for (;;) {
      const ready = decidable(workspace.flow, (name) => this.#settled.has(name)).filter(
        (stage) => !this.#running.has(stage.name),
      );
      let hasSettled = false;
      for (const stage of ready) {
        if (this.#running.size >= concurrency) return;
        if (signal.aborted) {
          this.deeds.set(stage.name, { how: 'not-run', held: 'the gate was stopped' });
          this.#settle(stage);
          hasSettled = true;
        } else if (this.#decide(stage)) {
          hasSettled = true;
        }
      }
      if (!hasSettled) return;
    }
  }

  /** @returns whether the stage has settled by it */
  #decide(stage: Stage): boolean {
    const { emit, only, rerun } = this.#request;
    const assessment = this.#assess(stage);
    const needs = stage.needs.flatMap((name) => this.#settled.get(name) ?? []);
    const decision = decideStage(assessment, needs, {
      isLeftOut: !this.#wanted.has(stage.name),
      isForced: rerun && (assessment.status === 'failed' || only.includes(stage.name)),
    });
    const { work } = stage;
    if (decision.action === 'run' && work.kind !== 'judged') {
      const running = bringUpToDate(stage, work, decision.reason, this.#setting).then((done) => {
        this.problems.push(...done.problems);
        if (done.how === 'not-run') {
          const held = done.problems.map((found) => found.message).join('; ');
          this.deeds.set(stage.name, { how: done.how, held });
          emit({ kind: 'stage-held', stage: stage.name, reason: held });
        } else {
          this.deeds.set(stage.name, { how: done.how });
          this.ranNow.set(stage.name, done.run);
        }
        this.#running.delete(stage.name);
        this.#settle(stage);
      });
      this.#running.set(stage.name, running);
      return false;
    }
    if (decision.action === 'hold') {
      this.deeds.set(stage.name, { how: 'not-run', held: decision.reason });
      emit({ kind: 'stage-held', stage: stage.name, reason: decision.reason });
    } else {
      emit({ kind: 'stage-reused', stage: stage.name, reason: decision.reason });
    }
    this.#settled.set(stage.name, assessment);
    return true;
  }

  #settle(stage: Stage): void {
    this.#settled.set(stage.name, this.#assess(stage));
  }

  /** From the log and the bytes as they are at this moment. */
  #assess(stage: Stage): StageAssessment {
    const { workspace } = this.#request;
    const view = readLogView(workspace);
    if (!view.ok) {
      this.problems.push(view.error);
      return unreadable(stage, view.error);
    }
    const history = view.value.history.stages.get(stage.name);
    return assessStage(stage, history, takeSnapshot(workspace), this.ranNow.get(stage.name));
  }
}

function unreadable(stage: Stage, found: Problem): StageAssessment {
  return {
    stage,
    status: 'blocked',
    verdict: 'unknown',
    assertion: null,
    reason: found.message,
    outcome: undefined,
    envelope: undefined,
    summary: undefined,
    changes: [],
    marks: [],
    problems: [found],
  };
}

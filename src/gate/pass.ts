import type { Stage } from '../flow/stage.ts';
import type { PassFacts, StageAssessment } from '../proof/assess.ts';
import type { Change } from '../proof/changes.ts';
import type { Snapshot } from '../proof/current.ts';
import type { How } from '../report/result.ts';
import { type Decision, decideStage } from '../schedule/decide.ts';
import { decidable, withNeeds } from '../schedule/order.ts';
import type { Problem } from '../values/problem.ts';
import { assessOn } from './assess-stage.ts';
import type { RunSetting, Seen } from './attempt.ts';
import { readLogView } from './log-view.ts';
import { bringUpToDate } from './run-stage.ts';
import { takeSnapshot } from './snapshot.ts';
import { versionChanges } from './versions.ts';

/** What a pass was asked to do. */
export interface PassRequest {
  /** Stages to bring up to date, with what they need; empty means all. */
  readonly only: readonly string[];
  /** Run the failed again, and the named whatever their status. */
  readonly rerun: boolean;
  /** Most runs at once. */
  readonly concurrency: number;
}

const STOPPED = 'the gate was stopped';

/** The stages of one pass, each taken once, when all before it have settled. */
export class Pass {
  readonly problems: Problem[] = [];
  readonly deeds = new Map<string, { how: How; held?: string }>();
  /** What only this pass knows about a stage, for every assessment of it from now on. */
  readonly facts = new Map<string, PassFacts>();
  readonly #request: PassRequest;
  readonly #setting: RunSetting;
  readonly #wanted: ReadonlySet<string>;
  readonly #settled = new Map<string, StageAssessment>();
  readonly #running = new Map<string, Promise<void>>();

  constructor(request: PassRequest, setting: RunSetting) {
    this.#request = request;
    this.#setting = setting;
    const { flow } = setting.workspace;
    const names = flow.stages.map((stage) => stage.name as string);
    this.#wanted = withNeeds(flow, request.only.length > 0 ? request.only : names);
  }

  async run(): Promise<void> {
    for (;;) {
      const ready = decidable(this.#setting.workspace.flow, (name) => this.#settled.has(name));
      for (const stage of ready) {
        if (this.#running.size >= this.#request.concurrency) break;
        if (!this.#running.has(stage.name)) this.#start(stage);
      }
      if (this.#running.size === 0) return;
      await Promise.race(this.#running.values());
    }
  }

  /** What may have ended before this returns is taken out of the running only after it was put in. */
  #start(stage: Stage): void {
    const task = this.#take(stage).finally(() => this.#running.delete(stage.name));
    this.#running.set(stage.name, task);
  }

  /** Decides about a stage, does what was decided, and settles it. */
  async #take(stage: Stage): Promise<void> {
    let recorded: Snapshot | undefined;
    if (this.#setting.signal.aborted) {
      this.#hold(stage, STOPPED);
    } else {
      // One look for the decision and for what a run starts from; what changes between is told after.
      const seen: Seen = { snapshot: takeSnapshot(this.#setting.workspace), told: new Map() };
      const decision = await this.#decide(stage, seen);
      if (decision.action === 'run') recorded = await this.#bringUpToDate(stage, decision, seen);
      else if (decision.action === 'hold') this.#hold(stage, decision.reason);
      else this.#setting.emit({ kind: 'stage-reused', stage: stage.name, reason: decision.reason });
    }
    const now = recorded ?? takeSnapshot(this.#setting.workspace);
    this.#settled.set(stage.name, this.#assess(stage, now));
  }

  async #decide(
    stage: Stage,
    { snapshot, told }: Seen,
  ): Promise<Decision & { readonly isForced: boolean }> {
    const { only, rerun } = this.#request;
    let assessment = this.#assess(stage, snapshot);
    if (assessment.status === 'valid' && assessment.outcome && stage.work.kind !== 'judged') {
      // Bytes alone say that it holds. A program may be a door to others: ask it who it is.
      const { workspace, signal } = this.#setting;
      const versions = await versionChanges(stage, assessment.outcome, workspace, signal, told);
      if (versions.length > 0) {
        this.#learn(stage, versions);
        assessment = this.#assess(stage, snapshot);
      }
    }
    const needs = stage.needs.flatMap((name) => this.#settled.get(name) ?? []);
    const isForced = rerun && (assessment.status === 'failed' || only.includes(stage.name));
    const isLeftOut = !this.#wanted.has(stage.name);
    return { ...decideStage(assessment, needs, { isLeftOut, isForced }), isForced };
  }

  async #bringUpToDate(
    stage: Stage,
    { reason, isForced }: { readonly reason: string; readonly isForced: boolean },
    seen: Seen,
  ): Promise<Snapshot | undefined> {
    const { work } = stage;
    if (work.kind === 'judged') return undefined;
    // Who asks for a run is not content with the result of an earlier one.
    const setting = { ...this.#setting, ...(isForced ? { cache: undefined } : {}) };
    const done = await bringUpToDate(stage, work, reason, seen, setting);
    if (done.how === 'not-run' && setting.signal.aborted) {
      // What its probes say when they are cut off is no fault of the flow.
      this.#hold(stage, STOPPED);
      return undefined;
    }
    this.problems.push(...done.problems);
    if (done.how === 'not-run') {
      this.#hold(stage, done.problems.map((found) => found.message).join('; '));
      return undefined;
    }
    this.deeds.set(stage.name, { how: done.how });
    this.facts.set(stage.name, { ranNow: done.run, versions: [] });
    return done.recorded;
  }

  #hold(stage: Stage, reason: string): void {
    this.deeds.set(stage.name, { how: 'not-run', held: reason });
    this.#setting.emit({ kind: 'stage-held', stage: stage.name, reason });
  }

  #learn(stage: Stage, versions: readonly Change[]): void {
    this.facts.set(stage.name, { ranNow: undefined, versions });
  }

  /** From the log as it is at this moment, and the bytes as they were seen. */
  #assess(stage: Stage, snapshot: Snapshot): StageAssessment {
    const { workspace, grounds } = this.#setting;
    const view = readLogView(workspace);
    if (!view.ok) {
      this.problems.push(view.error);
      return unreadable(stage, view.error);
    }
    const facts = this.facts.get(stage.name);
    return assessOn(grounds, stage, view.value, snapshot, facts);
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

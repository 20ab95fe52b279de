import { isAvailable } from './availability.ts';
import { invalidRecord, type RunKey } from './event.ts';
import { type Facts, type Flight, isProofValid } from './facts.ts';
import type { Failure, Owner } from './failures.ts';
import type { Ending, PresetLog } from './log-index.ts';
import {
  advisoryPredecessors,
  findPresetStage,
  inputClosure,
  PROOF_STAGES,
  type PresetStage,
  priorityOf,
  producersOf,
} from './registry.ts';
import { Unanswerable } from './unanswerable.ts';

/** A failure that its owner has not yet had the chance to repair. */
export interface Owed {
  readonly failure: Failure;
  readonly owner: Owner;
}

/** What each owner is owed, in the order in which it came up: one dispatch answers all of it. */
export type Repairs = ReadonlyMap<string, readonly Owed[]>;

/** The failures whose owner was not dispatched since the naming, or was and came to nothing. */
export function repairsOwed(log: PresetLog, failed: readonly Failure[]): Repairs {
  const repairs = new Map<string, Owed[]>();
  for (const failure of failed) {
    if (failure.naming.kind !== 'owners') continue;
    for (const owner of failure.naming.owners) {
      if (hasActed(log, owner)) continue;
      const owed = repairs.get(owner.name) ?? [];
      repairs.set(owner.name, owed);
      owed.push({ failure, owner });
    }
  }
  return repairs;
}

/** Dispatch counts, not delivery; only a run that ended blocked is as if it had not been. */
function hasActed(log: PresetLog, { name, since }: Owner): boolean {
  const stage = log.stages.get(name);
  const later = stage?.dispatches.filter(({ position }) => position > since) ?? [];
  if (!stage || later.length === 0) return false;
  const endings = new Map<RunKey, Ending[]>();
  for (const ending of stage.endings) {
    const ofRun = endings.get(ending.key) ?? [];
    endings.set(ending.key, ofRun);
    ofRun.push(ending);
  }
  return later.some((dispatch) => {
    const ofRun = endings.get(dispatch.key) ?? [];
    const end = ofRun.find(({ position }) => position > dispatch.position);
    return end?.verdict !== 'blocked';
  });
}

/**
 * Every stage that could start right now, the best first (spec/06 §6.6): repairs before other
 * work, background tasks before the main conversation, then in the order of the stages.
 */
export function candidates(
  facts: Facts,
  flights: readonly Flight[],
  repairs: Repairs,
): readonly PresetStage[] {
  const running = new Set(flights.map(({ rule }) => rule));
  const failing = new Set([...repairs.values()].flat().map(({ failure }) => failure.stage));
  const pool = [...new Set([...workToDo(facts), ...repairs.keys()])].filter(
    (name) => !failing.has(name) && !running.has(name),
  );
  const coming = new Set([...pool, ...running]);
  const startable = pool
    .map((name) => registered(name, repairs))
    .filter(({ name }) => isAvailable(facts, name) && !isHeldByAdvice(facts, name, coming));
  const names = new Set(startable.map(({ name }) => name));
  const rank = (stage: PresetStage): readonly number[] => [
    repairs.has(stage.name) ? 0 : 1,
    stage.execution === 'task' ? 0 : 1,
    priorityOf(stage.name) ?? -1,
  ];
  return startable
    .filter((stage) => !isInTheWay(stage, names, running))
    .sort((a, b) => compareRanks(rank(a), rank(b)));
}

/** The stages whose proof does not hold, and the producers needed to make their inputs available. */
function workToDo(facts: Facts): ReadonlySet<string> {
  const work = new Set(
    PROOF_STAGES.map(({ name }) => name).filter((name) => !isProofValid(facts, name)),
  );
  // A set hands out what is added while it is walked.
  for (const name of work) {
    if (isAvailable(facts, name)) continue;
    for (const producer of producersOf(name)) {
      if (!isProofValid(facts, producer) || !isAvailable(facts, producer)) work.add(producer);
    }
  }
  return work;
}

function registered(name: string, repairs: Repairs): PresetStage {
  const stage = findPresetStage(name);
  if (stage) return stage;
  const [diagnosis] = repairs.get(name)?.[0]?.owner.diagnoses ?? [];
  throw new Unanswerable(
    invalidRecord(diagnosis?.line ?? 1, `the diagnosis names \`${name}\`, which is no stage`),
  );
}

/** Order only: held while a predecessor is coming or running and its proof does not hold. */
function isHeldByAdvice(facts: Facts, name: string, coming: ReadonlySet<string>): boolean {
  return advisoryPredecessors(name).some(
    (predecessor) => coming.has(predecessor) && !isProofValid(facts, predecessor),
  );
}

/**
 * Whether what the stage reads, or what reads it, is about to change: a producer or a consumer is
 * running, or a producer could start as well. The last does not bind a diagnosis, which looks at a
 * past run.
 */
function isInTheWay(
  stage: PresetStage,
  startable: ReadonlySet<string>,
  running: ReadonlySet<string>,
): boolean {
  const closure = inputClosure(stage.name);
  if ([...running].some((name) => closure.has(name) || inputClosure(name).has(stage.name))) {
    return true;
  }
  return stage.oracle !== undefined && [...startable].some((name) => closure.has(name));
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [i, rank] of a.entries()) {
    const order = rank - (b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

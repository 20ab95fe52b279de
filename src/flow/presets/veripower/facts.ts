import type { JsonObject } from '../../../values/strict-json.ts';
import type { Disk } from './disk.ts';
import { field, fieldOf, type LogEvent, runKey, tableOf } from './event.ts';
import type { Dispatch, PresetLog, ProofRecord } from './log-index.ts';
import { livePins, wasReopened } from './pins.ts';
import { PROOF_STAGES } from './registry.ts';
import { Unanswerable } from './unanswerable.ts';

/** What is asked about: a log and the files beside it. Answers follow from these two alone. */
export interface Facts {
  readonly log: PresetLog;
  readonly disk: Disk;
  /** Answers that several questions need, found once. */
  readonly known: {
    readonly valid: Map<string, boolean>;
    readonly available: Map<string, boolean>;
  };
}

export function factsOf(log: PresetLog, disk: Disk): Facts {
  return { log, disk, known: { valid: new Map(), available: new Map() } };
}

/** The status of a stage in the words of spec/06 §6.5. */
export type Cell = 'missing' | 'in-flight' | 'blocked' | 'failed' | 'valid' | 'stale';

/** The status of each stage that has a conclusion, in order (spec/06 §6.5). */
export function cells(facts: Facts): ReadonlyMap<string, Cell> {
  const flying = new Set(inFlight(facts.log).map(({ rule }) => rule));
  return new Map(
    PROOF_STAGES.map(({ name }): [string, Cell] => {
      if (flying.has(name)) return [name, 'in-flight'];
      const outcome = lastOutcome(facts.log, name);
      if (!outcome) return [name, 'missing'];
      const verdict = field(outcome, 'verdict');
      if (verdict === 'blocked') return [name, 'blocked'];
      if (verdict === 'fail') return [name, 'failed'];
      return [name, isProofValid(facts, name) ? 'valid' : 'stale'];
    }),
  );
}

/** A run that was started and has no outcome. */
export interface Flight {
  readonly rule: string;
  readonly dispatch: Dispatch;
}

/** Every dispatch without an outcome of the same run anywhere in the log, in file order. */
export function inFlight(log: PresetLog): Flight[] {
  const flights: Flight[] = [];
  for (const [rule, { dispatches, endings }] of log.stages) {
    const ended = new Set(endings.map(({ key }) => key));
    for (const dispatch of dispatches) {
      if (!ended.has(dispatch.key)) flights.push({ rule, dispatch });
    }
  }
  return flights.sort((a, b) => a.dispatch.position - b.dispatch.position);
}

/** The last by position in the file; its run number need not be the highest. */
export function lastOutcome(log: PresetLog, name: string): LogEvent | undefined {
  return log.stages.get(name)?.lastOutcome;
}

/** The last outcome that carries a proof of that name, whichever stage it is of. */
export function proofRecord(log: PresetLog, name: string): ProofRecord | undefined {
  const record = log.proofs.get(name);
  const { unscannable } = log;
  // The reference engine looks from the end, and does not come past it.
  if (unscannable && unscannable.position > (record?.outcome.position ?? -1)) {
    throw new Unanswerable(unscannable.problem);
  }
  return record;
}

/**
 * Whether a proof holds now (spec/06 §6.5): its verdict is pass, all that it recorded as read or
 * written equals what is there, and its oracle was not reopened since its run began, or is pinned.
 */
export function isProofValid(facts: Facts, name: string): boolean {
  const known = facts.known.valid.get(name);
  if (known !== undefined) return known;
  const valid = checkProof(facts, name);
  facts.known.valid.set(name, valid);
  return valid;
}

function checkProof({ log, disk }: Facts, name: string): boolean {
  const record = proofRecord(log, name);
  if (!record) return false;
  const { outcome, proof } = record;
  if (fieldOf(proof, 'verdict', outcome, 'the proof') !== 'pass') return false;
  const matchesDisk = (table: JsonObject): boolean =>
    Object.entries(table).every(([path, recorded]) => disk.matches(path, recorded));
  if (!matchesDisk(tableOf(proof, 'inputs', outcome))) return false;
  if (!matchesDisk(tableOf(outcome.fields, 'outputs', outcome))) return false;
  const ref = oracleRef(record);
  const start = dispatchOf(log, name, field(outcome, 'run'), outcome.line);
  return !wasReopened(log, ref, start?.position ?? outcome.position) || isPinned(log, ref);
}

/** The oracle that a proof says it was judged by. */
export function oracleRef({ outcome, proof }: ProofRecord): unknown {
  const oracle = fieldOf(proof, 'oracle', outcome, 'the proof');
  return fieldOf(oracle, 'ref', outcome, 'the oracle of the proof');
}

export function isPinned(log: PresetLog, ref: unknown): boolean {
  return livePins(log, ref).length > 0;
}

/** The first dispatch of a run: when it began to work, however often its outcome is repeated. */
export function dispatchOf(
  log: PresetLog,
  name: string,
  run: unknown,
  line: number,
): Dispatch | undefined {
  const key = runKey(run, line);
  return log.stages.get(name)?.dispatches.find((dispatch) => dispatch.key === key);
}

/** A signoff event is there, and every proof holds: pins and runs in flight do not count. */
export function isSignedOff(facts: Facts): boolean {
  return facts.log.hasSignoff && PROOF_STAGES.every(({ name }) => isProofValid(facts, name));
}

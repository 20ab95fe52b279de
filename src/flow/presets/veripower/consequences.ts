import { type JsonObject, own } from '../../../values/strict-json.ts';
import { type LogEvent, tableOf } from './event.ts';
import { type Facts, isProofValid, proofRecord } from './facts.ts';
import { PROOF_STAGES } from './registry.ts';

/**
 * By path, exactly as it was asked for, the valid proofs that a change there would end: those that
 * recorded it as an input or an output (spec/06 §6.6).
 */
export function consequences(
  facts: Facts,
  paths: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    paths.map((path) => [
      path,
      PROOF_STAGES.filter(({ name }) => {
        const record = proofRecord(facts.log, name);
        if (!record) return false;
        const { outcome, proof } = record;
        const isRecorded = [
          isIn(proof, 'inputs', outcome),
          isIn(outcome.fields, 'outputs', outcome),
        ];
        return isRecorded.some((holds) => holds(path)) && isProofValid(facts, name);
      }).map(({ name }) => name),
    ]),
  );
}

/** Whether a path is in a table; here, and only here, the reference engine takes a list for one. */
function isIn(
  value: JsonObject,
  key: 'inputs' | 'outputs',
  event: LogEvent,
): (path: string) => boolean {
  const listed = own(value, key);
  if (Array.isArray(listed)) return (path) => listed.includes(path);
  if (typeof listed === 'string') return (path) => [...listed].includes(path);
  const table = tableOf(value, key, event);
  return (path) => Object.hasOwn(table, path);
}

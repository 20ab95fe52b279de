import { tableOf } from './event.ts';
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
        const isRecorded =
          Object.hasOwn(tableOf(proof, 'inputs', outcome), path) ||
          Object.hasOwn(tableOf(outcome.fields, 'outputs', outcome), path);
        return isRecorded && isProofValid(facts, name);
      }).map(({ name }) => name),
    ]),
  );
}

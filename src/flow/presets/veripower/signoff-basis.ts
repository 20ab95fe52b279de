import { compareBytes } from '../../../values/order.ts';
import { own } from '../../../values/strict-json.ts';
import { field, tableOf } from './event.ts';
import { type Facts, proofRecord } from './facts.ts';
import { type Grade, gradeOf } from './oracle.ts';
import { livePins } from './pins.ts';
import { PROOF_STAGES } from './registry.ts';

/** What a sign-off endorses about one proof, with the keys of the reference engine. */
export interface Basis {
  readonly proof: string;
  readonly run: unknown;
  readonly oracle: {
    readonly ref: string;
    readonly grade: Grade;
    readonly pinned_fingerprint?: unknown;
  };
  readonly tool_versions: unknown;
  readonly inputs: readonly string[];
}

/** The proposition that a sign-off would make, proof by proof in order (spec/06 §6.6 DONE). */
export function signoffBasis(facts: Facts): Basis[] {
  return PROOF_STAGES.flatMap((stage) => {
    const record = proofRecord(facts.log, stage.name);
    if (!record) return [];
    const { outcome, proof } = record;
    const { ref } = stage.oracle;
    const grade = gradeOf(facts, stage);
    const pin = grade === 'human' ? livePins(facts.log, ref).at(-1) : undefined;
    const pinned = pin && { pinned_fingerprint: field(pin, 'content_fingerprint') };
    return [
      {
        proof: stage.name,
        run: field(outcome, 'run'),
        oracle: { ref, grade, ...pinned },
        tool_versions: own(outcome.fields, 'tool_versions') ?? {},
        inputs: Object.keys(tableOf(proof, 'inputs', outcome)).sort(compareBytes),
      },
    ];
  });
}

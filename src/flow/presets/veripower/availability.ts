import { tableOf } from './event.ts';
import { type Facts, isProofValid, lastOutcome } from './facts.ts';
import { matchesName } from './name-match.ts';
import {
  findPresetStage,
  INTENT_DOCUMENT,
  INTENT_FOLDER,
  inputsOf,
  isExternal,
  producerOf,
} from './registry.ts';

/**
 * Whether a stage's inputs are there to be read (spec/06 §6.6). One without a proof is always
 * ready: it looks at a past run, and is needed exactly when proofs do not hold.
 */
export function isAvailable(facts: Facts, name: string): boolean {
  const known = facts.known.available.get(name);
  if (known !== undefined) return known;
  const stage = findPresetStage(name);
  const available =
    stage !== undefined &&
    (stage.oracle === undefined ||
      inputsOf(stage, facts.disk.layout).every((selector) => isInputAvailable(facts, selector)));
  facts.known.available.set(name, available);
  return available;
}

/**
 * An input from outside must be there. Any other is available if the last outcome of its owner
 * recorded outputs that the selector names and that are all as recorded (or at least something on
 * disk is selected), and the owner's proof holds.
 */
function isInputAvailable(facts: Facts, selector: string): boolean {
  const { log, disk } = facts;
  if (isExternal(selector)) {
    return disk.exists(selector === INTENT_FOLDER ? INTENT_DOCUMENT : selector);
  }
  const producer = producerOf(selector);
  const outcome = producer && lastOutcome(log, producer.name);
  if (!outcome) return false;
  const outputs = Object.entries(tableOf(outcome.fields, 'outputs', outcome)).filter(([path]) =>
    matchesName(path, selector),
  );
  if (!outputs.every(([path, recorded]) => disk.matches(path, recorded))) return false;
  if (outputs.length === 0 && disk.select(selector).matches.length === 0) return false;
  return isProofValid(facts, producer.name);
}

import { tableOf } from './event.ts';
import { type Facts, isProofValid, proofRecord } from './facts.ts';
import { gradeOf } from './oracle.ts';
import { listRepr } from './python-text.ts';
import { inputsOf, isExternal, PROOF_STAGES, type ProofStage } from './registry.ts';

/**
 * Why the workspace may not be signed off, word for word as the reference engine says it: the first
 * stage in order that fails, by validity, then by its oracle, then by inputs that it never saw
 * (spec/06 §6.5).
 *
 * @returns `undefined` when nothing stands in the way
 */
export function signoffRefusal(facts: Facts): string | undefined {
  for (const stage of PROOF_STAGES) {
    const { name } = stage;
    if (!isProofValid(facts, name)) return `signoff blocked: ${name} not valid`;
    if (gradeOf(facts, stage) === 'proposed') {
      return `signoff blocked: ${name} oracle is proposed (pin it)`;
    }
    const added = newInputs(facts, stage);
    if (added.length > 0) {
      return `signoff blocked: ${name} has unverified new input(s) ${listRepr(added)}`;
    }
  }
  return undefined;
}

/** Files that a selector selects and the proof does not record; once for each such selector. */
function newInputs({ log, disk }: Facts, stage: ProofStage): string[] {
  const record = proofRecord(log, stage.name);
  if (!record) return [];
  const recorded = tableOf(record.proof, 'inputs', record.outcome);
  return inputsOf(stage, disk.layout)
    .filter((selector) => !isExternal(selector))
    .flatMap((selector) => disk.select(selector).matches)
    .filter(({ path, kind }) => kind === 'file' && !Object.hasOwn(recorded, path))
    .map(({ path }) => path);
}

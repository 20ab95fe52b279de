import type { Problem } from '../../../values/problem.ts';
import { isJsonObject, own } from '../../../values/strict-json.ts';
import { doubtfulRecord } from './doubt.ts';
import { tableOf } from './event.ts';
import { type Cell, type Facts, isProofValid, lastOutcome, proofRecord } from './facts.ts';
import type { ProofRecord } from './log-index.ts';
import { PROOF_STAGES, type ProofStage } from './registry.ts';

const OUTCOME_VERDICTS: readonly unknown[] = ['pass', 'fail', 'blocked'];

/**
 * Where the records that the statuses rest on contradict themselves (spec/06 §6.7 items 2 to 4, 18,
 * 20, 22): conclusions without a proof, proofs of another conclusion, and proofs that count on
 * although a later run has not, or not as well, ended.
 */
export function recordDoubts(facts: Facts, statuses: ReadonlyMap<string, Cell>): Problem[] {
  return PROOF_STAGES.flatMap((stage) => {
    const cell = statuses.get(stage.name) ?? 'missing';
    return [
      ...outcomeDoubts(facts, stage.name),
      ...proofDoubts(facts, stage),
      ...hiddenProof(facts, stage.name, cell),
    ];
  });
}

/** The last outcome: a verdict that we know, and with it a proof that says the same. */
function outcomeDoubts({ log }: Facts, name: string): Problem[] {
  const outcome = lastOutcome(log, name);
  if (!outcome) return [];
  const verdict = own(outcome.fields, 'verdict');
  if (!OUTCOME_VERDICTS.includes(verdict)) {
    return [
      doubtfulRecord(`\`${String(verdict)}\` is no verdict that we know`, name, outcome.line),
    ];
  }
  if (verdict === 'blocked') return [];
  const proofs = own(outcome.fields, 'proofs');
  const proof = Array.isArray(proofs)
    ? proofs.find((candidate) => isJsonObject(candidate) && own(candidate, 'name') === name)
    : undefined;
  if (!isJsonObject(proof)) {
    return [doubtfulRecord('the last outcome carries no proof of its stage', name, outcome.line)];
  }
  const proven = own(proof, 'verdict');
  if (proven === verdict) return [];
  const message = `the outcome says ${String(verdict)} and its proof says ${String(proven)}`;
  return [doubtfulRecord(message, name, outcome.line)];
}

/** The proof that counts: carried by a run of its own stage, judged by the oracle of that stage. */
function proofDoubts({ log }: Facts, { name, oracle }: ProofStage): Problem[] {
  const record = proofRecord(log, name);
  if (!record) return [];
  const { outcome, proof } = record;
  const doubt = (message: string): Problem => doubtfulRecord(message, name, outcome.line);
  const problems: Problem[] = [];
  const rule = own(outcome.fields, 'rule');
  if (rule !== name) problems.push(doubt(`its proof is carried by an outcome of ${String(rule)}`));
  const judgedBy = own(proof, 'oracle');
  const ref = isJsonObject(judgedBy) ? own(judgedBy, 'ref') : undefined;
  if (ref !== oracle.ref) {
    problems.push(doubt(`its proof names the oracle \`${String(ref)}\`, not \`${oracle.ref}\``));
  }
  if (!isStartedOnItsInputs(record)) {
    problems.push(doubt('its run was started on other inputs than its proof names'));
  }
  return problems;
}

/** A proof has its inputs from the dispatch of its run: if they differ, one was written by hand. */
function isStartedOnItsInputs({ outcome, proof, startedOn }: ProofRecord): boolean {
  if (!isJsonObject(startedOn)) return true;
  const inputs = tableOf(proof, 'inputs', outcome);
  const paths = new Set([...Object.keys(inputs), ...Object.keys(startedOn)]);
  return [...paths].every((path) => own(inputs, path) === own(startedOn, path));
}

/** To the reference engine a run that is in flight, blocked or failed leaves an older proof alone. */
function hiddenProof(facts: Facts, name: string, cell: Cell): Problem[] {
  if (cell === 'valid' || !isProofValid(facts, name)) return [];
  const message = `it is ${cell}, and the proof of an earlier outcome still counts for the sign-off`;
  return [doubtfulRecord(message, name, proofRecord(facts.log, name)?.outcome.line)];
}

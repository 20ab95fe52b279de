import type { Problem } from '../../../values/problem.ts';
import { coverageDoubts } from './coverage-doubts.ts';
import { missingEvidence } from './doubt.ts';
import { EVENTS_FILE, tableOf } from './event.ts';
import type { Evidence } from './evidence.ts';
import { type Facts, isProofValid, proofRecord } from './facts.ts';
import { linkDoubts } from './link-doubts.ts';
import { gradeOf } from './oracle.ts';
import { producerDoubts } from './producer-doubts.ts';
import { refusedPaths } from './refused-paths.ts';
import { PROOF_STAGES, type ProofStage } from './registry.ts';

/**
 * What a proof that holds by the reference engine's rules leaves open (spec/06 §6.7 items 1, 6, 9,
 * 15, 19, 21, 26): an oracle that nobody endorsed, files that it does not cover, links whose
 * content it does not bind, inputs that their producers did not write like that.
 */
export function evidenceDoubts(facts: Facts): Problem[] {
  const problems: Problem[] = [];
  const held: Evidence[] = [];
  for (const stage of PROOF_STAGES) {
    const record = proofRecord(facts.log, stage.name);
    if (!record) continue;
    const inputs = tableOf(record.proof, 'inputs', record.outcome);
    const outputs = tableOf(record.outcome.fields, 'outputs', record.outcome);
    const evidence = { stage, record, inputs, outputs };
    problems.push(...refusedPaths(evidence));
    if (isProofValid(facts, stage.name)) held.push(evidence);
  }
  for (const evidence of held) {
    problems.push(
      ...pinDoubts(facts, evidence.stage),
      ...coverageDoubts(facts, evidence),
      ...producerDoubts(facts, evidence),
    );
  }
  return [...problems, ...linkDoubts(facts, held)];
}

/** The gate needs the pins of all proposed oracles, whether a sign-off is meant or not. */
function pinDoubts(facts: Facts, stage: ProofStage): Problem[] {
  if (gradeOf(facts, stage) !== 'proposed') return [];
  return [
    missingEvidence(
      `its oracle \`${stage.oracle.ref}\` is proposed: no pin endorses what is there now`,
      stage.name,
      EVENTS_FILE,
      `Read ${stage.root}/${stage.oracle.selector ?? ''}, then pin it.`,
    ),
  ];
}

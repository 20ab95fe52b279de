import { isJsonObject, own } from '../../../values/strict-json.ts';
import { envelopeOwner } from './envelope-owner.ts';
import { field, fieldOf, invalidRecord, type LogEvent, runKey } from './event.ts';
import { dispatchOf, type Facts, isPinned, lastOutcome, oracleRef } from './facts.ts';
import type { PresetLog } from './log-index.ts';
import { wasReopened } from './pins.ts';
import { inputClosure, PROOF_STAGES, type ProofStage } from './registry.ts';
import { Unanswerable } from './unanswerable.ts';

/** A stage whose last outcome is a failure, and who must act on it. */
export interface Failure {
  readonly stage: string;
  /** As it was written. */
  readonly run: unknown;
  readonly naming: Naming;
}

/** Who must act on a failure, from the most authoritative source that speaks (spec/06 §6.6). */
export type Naming =
  /** The oracle that judged it is not trusted any more: its word directs no repair. */
  | { readonly kind: 'retracted' }
  /** Diagnoses of which these name nobody: as long as one is open, all of it is. */
  | { readonly kind: 'undecided'; readonly diagnoses: readonly LogEvent[] }
  /** The envelope names a stage that the failed one does not depend on. */
  | { readonly kind: 'unrelated'; readonly named: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'owners'; readonly owners: readonly Owner[] };

export interface Owner {
  readonly name: string;
  /** The position from which it counts whether it has acted: where this naming became known. */
  readonly since: number;
  readonly diagnoses: readonly LogEvent[];
}

/** All failures, in the order of the stages. */
export function failures(facts: Facts): Failure[] {
  return PROOF_STAGES.flatMap((stage) => {
    const outcome = lastOutcome(facts.log, stage.name);
    if (!outcome || field(outcome, 'verdict') !== 'fail') return [];
    const run = field(outcome, 'run');
    return [{ stage: stage.name, run, naming: namingOf(facts, stage, outcome) }];
  });
}

function namingOf({ log, disk }: Facts, stage: ProofStage, outcome: LogEvent): Naming {
  if (isRetracted(log, stage, outcome)) return { kind: 'retracted' };
  const diagnoses = activeDiagnoses(log, stage.name, outcome);
  if (diagnoses.length > 0) return namingByDiagnoses(diagnoses, outcome.position);
  const since = outcome.position;
  const named = envelopeOwner(disk, stage);
  if (named !== undefined) {
    if (!inputClosure(stage.name).has(named)) return { kind: 'unrelated', named };
    return { kind: 'owners', owners: [{ name: named, since, diagnoses: [] }] };
  }
  if (stage.triage === undefined) return { kind: 'nobody' };
  return { kind: 'owners', owners: [{ name: stage.triage, since, diagnoses: [] }] };
}

/** Whether the oracle of a failure was reopened since its run began, and not pinned again. */
function isRetracted(log: PresetLog, stage: ProofStage, outcome: LogEvent): boolean {
  const proof = proofIn(outcome, stage.name);
  if (!proof) return false;
  const ref = oracleRef({ outcome, proof, startedOn: undefined });
  const start = dispatchOf(log, stage.name, field(outcome, 'run'), outcome.line);
  return wasReopened(log, ref, start?.position ?? 0) && !isPinned(log, ref);
}

function proofIn(outcome: LogEvent, name: string) {
  const proofs = field(outcome, 'proofs');
  if (!Array.isArray(proofs)) {
    throw new Unanswerable(invalidRecord(outcome.line, '`proofs` is not a list'));
  }
  const found = proofs.find((proof) => fieldOf(proof, 'name', outcome, 'a proof') === name);
  return isJsonObject(found) ? found : undefined;
}

/** The diagnoses of a failed run that no other one supersedes, in file order. */
function activeDiagnoses(log: PresetLog, name: string, outcome: LogEvent): LogEvent[] {
  const superseded = new Set(
    log.diagnoses.map(({ fields }) => own(fields, 'supersedes')).filter(Boolean),
  );
  const run = runKey(field(outcome, 'run'), outcome.line);
  return log.diagnoses.filter((diagnosis) => {
    if (superseded.has(field(diagnosis, 'id'))) return false;
    const subject = field(diagnosis, 'subject');
    if (fieldOf(subject, 'proof', diagnosis, '`subject`') !== name) return false;
    return runKey(fieldOf(subject, 'outcome_run', diagnosis, '`subject`'), diagnosis.line) === run;
  });
}

function namingByDiagnoses(diagnoses: readonly LogEvent[], failedAt: number): Naming {
  const silent = diagnoses.filter(({ fields }) => !own(fields, 'fix_owner'));
  if (silent.length > 0) return { kind: 'undecided', diagnoses: silent };
  const byName = new Map<string, LogEvent[]>();
  for (const diagnosis of diagnoses) {
    const name = ownerName(diagnosis);
    const ofOwner = byName.get(name) ?? [];
    byName.set(name, ofOwner);
    ofOwner.push(diagnosis);
  }
  const owners = [...byName].map(([name, ofOwner]) => ({
    name,
    since: ofOwner.reduce((latest, { position }) => Math.max(latest, position), failedAt),
    diagnoses: ofOwner,
  }));
  return { kind: 'owners', owners: owners.sort((a, b) => a.since - b.since) };
}

function ownerName(diagnosis: LogEvent): string {
  const name = own(diagnosis.fields, 'fix_owner');
  if (typeof name === 'string') return name;
  throw new Unanswerable(invalidRecord(diagnosis.line, '`fix_owner` is no name of a stage'));
}

import type { ChangeDocument } from '../../../generated/documents.ts';
import type { Problem } from '../../../values/problem.ts';
import { type JsonObject, own } from '../../../values/strict-json.ts';
import type { Disk } from './disk.ts';
import { tableOf } from './event.ts';
import { evidenceDoubts } from './evidence-doubts.ts';
import {
  type Cell,
  cells,
  type Facts,
  inFlight,
  isSignedOff,
  lastOutcome,
  proofRecord,
} from './facts.ts';
import { UNKNOWN } from './fingerprints.ts';
import { logDoubts } from './log-doubts.ts';
import { recordDoubts } from './record-doubts.ts';
import { recordedPath } from './recorded-path.ts';
import { PROOF_STAGES, type ProofStage } from './registry.ts';
import { signoffRefusal } from './signoff.ts';

/** One stage of the preset as of now. */
export interface PresetStageAssessment {
  readonly stage: ProofStage;
  readonly cell: Cell;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The run that the status rests on. */
  readonly run: number | undefined;
  readonly changes: readonly ChangeDocument[];
}

/** A workspace of the preset as of now. */
export interface PresetAssessment {
  readonly stages: readonly PresetStageAssessment[];
  /** By the reference engine's rules. */
  readonly isSignedOff: boolean;
  /** By the reference engine's rules, in its words. */
  readonly refusal: string | undefined;
  /** What we know better. */
  readonly problems: readonly Problem[];
  /** Every stage valid, nothing in the way of a sign-off, and no problem. */
  readonly isProven: boolean;
}

/**
 * Judges a workspace (spec/06 §6.5, §6.7): statuses and sign-off as the reference engine has them;
 * whether it is proven by what we know better. A `signoff` event is not asked for.
 */
export function assessPreset(facts: Facts): PresetAssessment {
  const statuses = cells(facts);
  const refusal = signoffRefusal(facts);
  const problems = [
    ...logDoubts(facts.log),
    ...recordDoubts(facts, statuses),
    ...evidenceDoubts(facts),
  ];
  const stages = PROOF_STAGES.map((stage) =>
    stageAssessment(facts, stage, statuses.get(stage.name) ?? 'missing'),
  );
  return {
    stages,
    isSignedOff: isSignedOff(facts),
    refusal,
    problems,
    isProven:
      stages.every(({ cell }) => cell === 'valid') &&
      refusal === undefined &&
      problems.length === 0,
  };
}

function stageAssessment(facts: Facts, stage: ProofStage, cell: Cell): PresetStageAssessment {
  const { log, disk } = facts;
  const outcome = lastOutcome(log, stage.name);
  const run = outcome && own(outcome.fields, 'run');
  const changes = cell === 'stale' || cell === 'failed' ? changesOf(facts, stage.name) : [];
  return {
    stage,
    cell,
    reason: reasonOf(facts, stage.name, cell, changes),
    run: typeof run === 'number' && Number.isInteger(run) ? run : undefined,
    changes: changes.map((change) => withDetail(change, disk)),
  };
}

function reasonOf(
  facts: Facts,
  name: string,
  cell: Cell,
  changes: readonly ChangeDocument[],
): string {
  const outcome = lastOutcome(facts.log, name);
  const run = outcome ? `run ${String(own(outcome.fields, 'run'))}` : 'its run';
  switch (cell) {
    case 'missing':
      return 'it has no outcome';
    case 'in-flight': {
      const flight = inFlight(facts.log).find(({ rule }) => rule === name);
      return `run ${String(flight?.dispatch.run)} was started and has no outcome`;
    }
    case 'blocked': {
      const why = outcome && own(outcome.fields, 'reason');
      return `${run} reached no conclusion: ${typeof why === 'string' ? why : 'no reason was recorded'}`;
    }
    case 'failed':
      return `${run} failed`;
    case 'valid':
      return `${run} passed, and all that it recorded is as it was`;
    case 'stale':
      return staleReason(facts, name, run, changes);
  }
}

function staleReason(
  facts: Facts,
  name: string,
  run: string,
  changes: readonly ChangeDocument[],
): string {
  const record = proofRecord(facts.log, name);
  if (!record) return 'no outcome carries a proof of it';
  const verdict = own(record.proof, 'verdict');
  if (verdict !== 'pass') return `the verdict of its proof is ${String(verdict)}`;
  if (changes.length === 0) return 'its oracle was reopened after its run began, and is not pinned';
  const shown = changes.slice(0, 3).map(({ what, name: path, current }) => {
    const subject = what === 'output' ? `output ${path}` : path;
    return `${subject} ${current === null ? 'is gone or cannot be read' : 'changed'}`;
  });
  const rest = changes.length - shown.length;
  return `since ${run}: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** Everything recorded by the proof that counts which is not as it was. */
function changesOf({ log, disk }: Facts, name: string): ChangeDocument[] {
  const record = proofRecord(log, name);
  if (!record) return [];
  const differing = (what: 'input' | 'output', table: JsonObject): ChangeDocument[] =>
    Object.entries(table)
      .filter(([path, recorded]) => !disk.matches(path, recorded))
      .map(([path, recorded]) => {
        const { fingerprint } = disk.at(path);
        const current = fingerprint === UNKNOWN ? null : fingerprint;
        return { what, name: path, recorded: String(recorded), current };
      });
  return [
    ...differing('input', tableOf(record.proof, 'inputs', record.outcome)),
    ...differing('output', tableOf(record.outcome.fields, 'outputs', record.outcome)),
  ];
}

/** Why something recorded is not known now, if it is not. */
function withDetail(change: ChangeDocument, disk: Disk): ChangeDocument {
  if (change.current !== null) return change;
  const checked = recordedPath(change.name);
  const detail = checked.ok ? disk.at(change.name).why?.message : `it is refused: ${checked.why}`;
  return detail === undefined ? change : { ...change, detail };
}

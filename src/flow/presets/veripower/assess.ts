import type { ChangeDocument } from '../../../generated/documents.ts';
import { type Problem, problem } from '../../../values/problem.ts';
import { type JsonObject, own } from '../../../values/strict-json.ts';
import { checkoutHint } from './checkout-hint.ts';
import type { Disk } from './disk.ts';
import { type LogEvent, tableOf } from './event.ts';
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
import { answering } from './unanswerable.ts';

/** One stage of the preset as of now. */
export interface PresetStageAssessment {
  readonly stage: ProofStage;
  readonly cell: Cell;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The last outcome, if it is one that can be named. */
  readonly recorded: Recorded | undefined;
  readonly changes: readonly ChangeDocument[];
}

/** What is shown of an outcome. */
export interface Recorded {
  readonly ts: string;
  readonly run: number;
  readonly verdict: 'pass' | 'fail' | 'blocked';
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
  const isSigned = isSignedOff(facts);
  const problems: Problem[] = [];
  /** We look at more than a status needs: what cannot be read there is one more problem. */
  const orProblem = <T>(question: () => T, otherwise: T): T => {
    const answer = answering(question);
    if (answer.ok) return answer.value;
    problems.push(answer.error);
    return otherwise;
  };
  const doubts: readonly (() => Problem[])[] = [
    () => logDoubts(facts.log),
    () => recordDoubts(facts, statuses),
    () => evidenceDoubts(facts),
  ];
  for (const doubt of doubts) problems.push(...orProblem(doubt, []));
  const refusal = orProblem(() => signoffRefusal(facts), undefined);
  const isEveryCellValid = [...statuses.values()].every((cell) => cell === 'valid');
  if (isEveryCellValid && refusal !== undefined && problems.length === 0) {
    problems.push(problem('evidence/missing', refusal));
  }
  const stages = PROOF_STAGES.map((stage): PresetStageAssessment => {
    const cell = statuses.get(stage.name) ?? 'missing';
    const { name } = stage;
    const none: ChangeDocument[] = [];
    const hasChanges = cell === 'stale' || cell === 'failed';
    const changes = hasChanges ? orProblem(() => changesOf(facts, name), none) : none;
    const reason = orProblem(() => reasonOf(facts, name, cell, changes), `it is ${cell}`);
    return { stage, cell, reason, recorded: recordedOf(lastOutcome(facts.log, name)), changes };
  });
  return {
    stages,
    isSignedOff: isSigned,
    refusal,
    problems,
    isProven: isEveryCellValid && refusal === undefined && problems.length === 0,
  };
}

function recordedOf(outcome: LogEvent | undefined): Recorded | undefined {
  if (!outcome) return undefined;
  const [ts, run, verdict] = ['ts', 'run', 'verdict'].map((key) => own(outcome.fields, key));
  if (typeof run !== 'number' || !Number.isInteger(run)) return undefined;
  // A word that we do not know is no conclusion.
  const isConclusion = verdict === 'pass' || verdict === 'fail';
  return { ts: typeof ts === 'string' ? ts : '', run, verdict: isConclusion ? verdict : 'blocked' };
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
  const shown = changes.slice(0, 3).map(({ what, name: path, current, detail }) => {
    if (current !== null && detail !== undefined) return detail;
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
        return withDetail({ what, name: path, recorded: String(recorded), current }, disk);
      });
  return [
    ...differing('input', tableOf(record.proof, 'inputs', record.outcome)),
    ...differing('output', tableOf(record.outcome.fields, 'outputs', record.outcome)),
  ];
}

/** The paths that the proofs which count have recorded, each with a stage whose it is. */
export function recordedByProofs({ log }: Facts): Map<string, string> {
  const paths = new Map<string, string>();
  for (const { name } of PROOF_STAGES) {
    const record = proofRecord(log, name);
    if (!record) continue;
    const tables = [
      tableOf(record.proof, 'inputs', record.outcome),
      tableOf(record.outcome.fields, 'outputs', record.outcome),
    ];
    for (const path of tables.flatMap(Object.keys)) if (!paths.has(path)) paths.set(path, name);
  }
  return paths;
}

/** Why something recorded is not known now, if it is not, or differs by way of the checkout. */
function withDetail(change: ChangeDocument, disk: Disk): ChangeDocument {
  if (change.current !== null) {
    const hint = checkoutHint(`${disk.root}/${change.name}`, change.name, String(change.recorded));
    return hint === undefined ? change : { ...change, detail: hint };
  }
  const checked = recordedPath(change.name);
  const detail = checked.ok ? disk.at(change.name).why?.message : `it is refused: ${checked.why}`;
  return detail === undefined ? change : { ...change, detail };
}

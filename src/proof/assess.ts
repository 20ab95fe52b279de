import { join } from 'node:path';
import type { Stage } from '../flow/stage.ts';
import type { OutcomeEvent } from '../generated/documents.ts';
import type { StageHistory } from '../log/history.ts';
import type { Problem } from '../values/problem.ts';
import type { JsonObject } from '../values/strict-json.ts';
import { type Change, compareTables, describeChanges } from './changes.ts';
import { type Current, readCurrent, readOutputs, type Snapshot } from './current.ts';
import { definitionOf } from './definition.ts';
import { type Envelope, readEnvelope, verdictOf } from './envelope.ts';
import { envelopePath } from './run-folder.ts';
import { pathArguments, unlistedPaths } from './unlisted.ts';
import type { Verdict, VerdictStatus } from './verdict.ts';

/** spec 04 "Stage status". */
export type Status = 'missing' | 'in-flight' | 'blocked' | 'failed' | 'valid' | 'stale';

/** What a reviewer must know about a pass. */
export type Mark = 'unfloored' | 'exit-code-only' | 'self-reported' | 'limitations-not-stated';

/** The status of one stage as computed from the log, the evidence and the bytes on disk. */
export interface StageAssessment {
  readonly stage: Stage;
  readonly status: Status;
  /** As of now: a pass that does not hold any more is `unknown`. */
  readonly verdict: VerdictStatus;
  readonly assertion: string | null;
  /** Why, in a sentence. */
  readonly reason: string;
  /** The record that the status rests on. */
  readonly outcome: OutcomeEvent | undefined;
  /** Path of its envelope, relative to the workspace. */
  readonly envelope: string | undefined;
  readonly summary: string | undefined;
  readonly changes: readonly Change[];
  readonly marks: readonly Mark[];
  readonly problems: readonly Problem[];
}

/** What the running pass of the gate knows of a stage, beyond the log and the bytes. */
export interface PassFacts {
  /** The run of this pass: the only thing that can make a stage valid that is bound to no inputs. */
  readonly ranNow: number | undefined;
  /** Programs that name another version than the recorded run had. */
  readonly versions: readonly Change[];
}

/**
 * Computes the status of a stage (design §4): it is valid only if its last outcome is a pass, the
 * envelope of that run is there and unaltered, everything that was recorded as read or written
 * equals today's bytes, and the verdict derived from the payload by today's rules is a pass.
 *
 * @param facts what only the running pass of the gate knows
 */
export function assessStage(
  stage: Stage,
  history: StageHistory | undefined,
  snapshot: Snapshot,
  facts?: PassFacts,
): StageAssessment {
  const assessment = (
    status: Status,
    reason: string,
    more: Partial<Omit<StageAssessment, 'stage' | 'status' | 'reason'>> = {},
  ): StageAssessment => ({
    stage,
    status,
    verdict: 'unknown',
    assertion: null,
    reason,
    outcome: history?.lastOutcome?.event,
    envelope: undefined,
    summary: undefined,
    changes: [],
    marks: [],
    problems: [],
    ...more,
  });

  const [inFlight] = history?.inFlight ?? [];
  if (inFlight !== undefined)
    return assessment('in-flight', `run ${inFlight} was started and has no outcome`);
  const outcome = history?.lastOutcome?.event;
  if (!outcome) return assessment('missing', 'it has not been run');
  if (outcome.verdict === 'blocked') {
    const why = outcome.detail ?? outcome.reason ?? 'no reason was recorded';
    return assessment('blocked', `run ${outcome.run} reached no conclusion: ${why}`);
  }

  const current = readCurrent(stage, snapshot);
  const record = readRecord(stage, outcome, snapshot.workspace);
  const changes = [
    ...record.changes,
    ...(facts?.versions ?? []),
    ...explained(
      compareTables('input', proofOf(stage, outcome)?.inputs ?? {}, current.inputs),
      current.problems,
    ),
    ...compareTables('external', outcome.externals ?? {}, current.externals),
    ...executableChanges(outcome, current),
    ...outputChanges(stage, outcome, snapshot),
    ...unboundArguments(stage, record.args, current, snapshot.workspace),
  ];
  const known = {
    assertion: record.verdict.assertion,
    envelope: record.envelope,
    summary: record.verdict.summary,
    problems: current.problems,
  };

  if (outcome.verdict === 'fail') {
    const since = changes.length > 0 ? ` (${describeChanges(changes, outcome.run)})` : '';
    const why = `run ${outcome.run} failed: ${record.verdict.summary}${since}`;
    return assessment('failed', why, { ...known, changes, verdict: 'fail' });
  }
  if (changes.length > 0) {
    return assessment('stale', describeChanges(changes, outcome.run), { ...known, changes });
  }
  if (current.problems.length > 0) {
    return assessment('stale', current.problems.map((found) => found.message).join('; '), known);
  }
  if (stage.inputs === 'none' && facts?.ranNow !== outcome.run) {
    return assessment(
      'stale',
      '`inputs: none`: nothing binds its result to files, so none is reused',
      known,
    );
  }
  const { status } = record.verdict;
  const wanted = stage.acceptsNoClaim ? 'not_applicable' : 'pass';
  if (status === wanted) {
    return assessment('valid', record.verdict.summary, {
      ...known,
      verdict: status,
      marks: record.marks,
    });
  }
  const change: Change = {
    what: 'verdict',
    name: record.verdict.assertion ?? stage.name,
    recorded: 'pass',
    current: status,
    detail: `by today's rules its verdict is ${status}, not ${wanted}: ${record.verdict.summary}`,
  };
  return assessment('stale', describeChanges([change], outcome.run), {
    ...facts,
    changes: [change],
  });
}

/** What the evidence of a recorded run says today, and how it differs from its record. */
interface RecordReading {
  readonly verdict: Verdict;
  readonly changes: readonly Change[];
  readonly envelope: string | undefined;
  readonly marks: readonly Mark[];
  /** What its program was called with. */
  readonly args: readonly string[];
}

const UNREAD: Verdict = {
  status: 'unknown',
  assertion: null,
  summary: 'its evidence cannot be read',
  isUnfloored: false,
};

function readRecord(stage: Stage, outcome: OutcomeEvent, workspace: string): RecordReading {
  const proof = proofOf(stage, outcome);
  const changes: Change[] = [];
  if (!proof || proof.verdict !== outcome.verdict) {
    changes.push({
      what: 'record',
      name: stage.name,
      recorded: outcome.verdict,
      current: proof?.verdict ?? null,
      detail: proof
        ? `the record says ${outcome.verdict} and its proof says ${proof.verdict}`
        : 'the record carries no proof of this stage',
    });
  }
  if (stage.work.kind === 'judged') {
    // Only a run of the gate records a definition: then this is no judgement of anybody.
    if (outcome.definition !== undefined) {
      changes.push(...definitionChanges(stage, outcome, null, workspace));
    }
    const summary = `a ${stage.work.by} recorded ${outcome.verdict}`;
    return {
      verdict: {
        status: outcome.verdict === 'pass' ? 'pass' : 'fail',
        assertion: proof?.oracle.ref ?? null,
        summary,
        isUnfloored: false,
      },
      changes,
      envelope: undefined,
      marks: ['self-reported'],
      args: [],
    };
  }
  const path = envelopePath(stage.name, outcome.run);
  const envelope = readEnvelope(workspace, stage.name, outcome.run, outcome.envelope);
  if (!envelope.ok) {
    changes.push({
      what: 'envelope',
      name: path,
      recorded: outcome.envelope ?? null,
      current: null,
      detail: envelope.error.message,
    });
    return { verdict: UNREAD, changes, envelope: path, marks: [], args: [] };
  }
  const provenance =
    envelope.value.version === 'current' ? envelope.value.document.provenance : undefined;
  changes.push(...definitionChanges(stage, outcome, provenance?.descriptor ?? null, workspace));
  const verdict = verdictOf(envelope.value, stage);
  const marks = marksOf(stage, envelope.value, verdict);
  return {
    verdict,
    changes,
    envelope: path,
    marks,
    args: pathArguments(provenance?.cmd.slice(1) ?? [], provenance?.descriptor ?? null),
  };
}

function definitionChanges(
  stage: Stage,
  outcome: OutcomeEvent,
  descriptor: JsonObject | null,
  workspace: string,
): Change[] {
  const today = definitionOf(stage, descriptor, workspace);
  if (outcome.definition === today.digest) return [];
  const parts = compareTables('definition', outcome.definition_parts ?? {}, today.parts());
  if (parts.length > 0) return parts;
  return [
    {
      what: 'definition',
      name: 'stage',
      recorded: outcome.definition ?? null,
      current: today.digest,
    },
  ];
}

function executableChanges(outcome: OutcomeEvent, current: Current): Change[] {
  const recorded = outcome.executables ?? {};
  return compareTables('executable', recorded, current.executables).filter(
    // A program that is not on this machine is told elsewhere; it says nothing about the result.
    (change) =>
      !(
        Object.hasOwn(current.executables, change.name) && current.executables[change.name] === null
      ),
  );
}

/** An input that is there and cannot be read is not gone: the change says what is the matter. */
function explained(changes: readonly Change[], problems: readonly Problem[]): Change[] {
  return changes.map((change) => {
    const found = problems.find(
      ({ at, message }) => at?.file === change.name || message.startsWith(`${change.name} `),
    );
    return change.current === null && found ? { ...change, detail: found.message } : change;
  });
}

/** A path among the arguments that nothing bound, since it was not there then: it is now. */
function unboundArguments(
  stage: Stage,
  args: readonly string[],
  current: Current,
  workspace: string,
): Change[] {
  return unlistedPaths(stage, args, current, workspace).map(({ message }) => ({
    what: 'input',
    name: stage.name,
    recorded: null,
    current: null,
    detail: message,
  }));
}

function outputChanges(stage: Stage, outcome: OutcomeEvent, snapshot: Snapshot): Change[] {
  const now = readOutputs(stage.outputs, snapshot.store);
  const why = new Map(now.problems.map((found) => [found.at?.file ?? '', found.message]));
  return compareTables('output', outcome.outputs, now.fingerprints).map((change) => {
    const detail =
      change.current === null ? why.get(join(snapshot.workspace, change.name)) : undefined;
    return detail === undefined ? change : { ...change, detail };
  });
}

function marksOf(stage: Stage, envelope: Envelope, verdict: Verdict): Mark[] {
  const marks: Mark[] = [];
  if (verdict.isUnfloored) marks.push('unfloored');
  if (stage.work.kind === 'command' && stage.work.evidence.kind === 'exit-code')
    marks.push('exit-code-only');
  const limitations =
    envelope.version === 'current' ? envelope.document.provenance.limitations : [];
  if (limitations.includes(LIMITATION_NOT_STATED)) marks.push('limitations-not-stated');
  return marks;
}

/** Stands where an engine says nothing of what its input_hash leaves out. */
export const LIMITATION_NOT_STATED = 'not stated';

function proofOf(stage: Stage, outcome: OutcomeEvent): OutcomeEvent['proofs'][number] | undefined {
  return outcome.proofs.find((proof) => proof.name === stage.name);
}

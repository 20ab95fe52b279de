import { candidates, type Repairs, repairsOwed } from './candidates.ts';
import { field, invalidRecord, type LogEvent } from './event.ts';
import { type Facts, type Flight, inFlight, isProofValid } from './facts.ts';
import { type Failure, failures } from './failures.ts';
import type { PresetLog } from './log-index.ts';
import { textRepr } from './python-text.ts';
import { recordedPath } from './recorded-path.ts';
import { type Execution, PROOF_STAGES, type PresetStage, priorityOf } from './registry.ts';
import { signoffRefusal } from './signoff.ts';
import { type Basis, signoffBasis } from './signoff-basis.ts';
import { Unanswerable } from './unanswerable.ts';

/** A run, as the log names it. */
export interface RunName {
  readonly rule: string;
  readonly run: unknown;
}

/** The single next action, with the keys of spec/06 §6.6 in their order. */
export type Action =
  | ({ readonly action: 'REAP' } & RunName)
  | {
      readonly action: 'ESCALATE';
      readonly rule?: string;
      readonly reason: string;
      readonly candidates?: readonly {
        readonly attribution: unknown;
        readonly diagnosis: unknown;
      }[];
    }
  | {
      readonly action: 'DISPATCH';
      readonly rule: string;
      readonly execution: Execution;
      readonly caused_by?: readonly (readonly [string, unknown])[];
      readonly diagnosis_refs?: readonly unknown[];
      readonly params?: { readonly sim_run: unknown };
    }
  | { readonly action: 'YIELD'; readonly in_flight: readonly RunName[] }
  | { readonly action: 'DONE'; readonly basis?: readonly Basis[] };

export interface Request {
  /** What a clear board means: that the work is done, or that it may be signed off. */
  readonly closing: boolean;
  /** A run whose executor is known to have ended, with or without a result. */
  readonly wake: { readonly rule: string; readonly run: number } | undefined;
}

/**
 * Decides the next action (spec/06 §6.6): collect what has ended; have unclear failures attributed;
 * start the best of what can start; else wait, be done, or say that nothing goes on.
 */
export function decide(facts: Facts, { closing, wake }: Request): Action {
  const flights = inFlight(facts.log);
  const ended = endedRun(facts, flights, wake);
  if (ended) return { action: 'REAP', ...ended };

  const failed = failures(facts);
  const unclear = failed.find(({ naming }) => naming.kind !== 'owners');
  if (unclear) return { action: 'ESCALATE', rule: unclear.stage, ...escalation(unclear) };

  const repairs = repairsOwed(facts.log, failed);
  const [next] = candidates(facts, flights, repairs);
  if (next) return dispatch(next, repairs);

  if (flights.length > 0) {
    const in_flight = flights.map(({ rule, dispatch: { run } }) => ({ rule, run }));
    return { action: 'YIELD', in_flight };
  }
  if (!PROOF_STAGES.every(({ name }) => isProofValid(facts, name))) {
    return { action: 'ESCALATE', reason: 'no eligible rule, none in-flight, not done' };
  }
  if (!closing) return { action: 'DONE' };
  const reason = signoffRefusal(facts);
  return reason === undefined
    ? { action: 'DONE', basis: signoffBasis(facts) }
    : { action: 'ESCALATE', reason };
}

/** The run that can be collected: the one that the caller names, else one with a result. */
function endedRun(
  { log, disk }: Facts,
  flights: readonly Flight[],
  wake: Request['wake'],
): RunName | undefined {
  const named = flights.find(
    ({ rule, dispatch: { key } }) => rule === wake?.rule && key === wake.run,
  );
  if (named && wake) return wake;
  const [ready] = flights
    .filter((flight) => disk.isFile(`${workdirOf(log, flight)}/result.json`))
    .sort((a, b) => sortKey(a) - sortKey(b));
  return ready && { rule: ready.rule, run: ready.dispatch.run };
}

/** A stage without a cell is collected last. */
function sortKey({ rule }: Flight): number {
  return priorityOf(rule) ?? PROOF_STAGES.length;
}

/** Where a run works, by its first dispatch; a folder outside the workspace is not looked into. */
function workdirOf(log: PresetLog, { rule, dispatch: { key } }: Flight): string {
  const first = log.stages.get(rule)?.dispatches.find((dispatch) => dispatch.key === key);
  if (typeof first?.workdir !== 'string') {
    throw new Unanswerable(invalidRecord(first?.line ?? 1, '`workdir` is not there or no text'));
  }
  if (first.workdir === '') return '.';
  const checked = recordedPath(first.workdir);
  return checked.ok ? checked.path : NOWHERE;
}

/** A name that no file system has. */
const NOWHERE = '\0';

function escalation({ stage, naming }: Failure): Omit<Action & { action: 'ESCALATE' }, 'action'> {
  switch (naming.kind) {
    case 'retracted':
      return { reason: `${stage}: the oracle that judged this failure was reopened` };
    case 'undecided':
      return {
        reason: `${stage}: diagnosis named no fix_owner`,
        candidates: naming.diagnoses.map((diagnosis: LogEvent) => ({
          attribution: field(diagnosis, 'attribution'),
          diagnosis: field(diagnosis, 'id'),
        })),
      };
    case 'unrelated':
      return naming.named === stage
        ? { reason: `${stage}: fix_owner is itself, in-stage remedy exhausted` }
        : { reason: `${stage}: fix_owner ${textRepr(naming.named)} is outside its input closure` };
    default:
      return { reason: `${stage}: envelope named no fix_owner` };
  }
}

function dispatch({ name, execution, params }: PresetStage, repairs: Repairs): Action {
  const owed = repairs.get(name);
  const [first] = owed ?? [];
  if (!owed || !first) return { action: 'DISPATCH', rule: name, execution };
  const refs = owed.flatMap(({ owner }) => owner.diagnoses.map((event) => field(event, 'id')));
  return {
    action: 'DISPATCH',
    rule: name,
    execution,
    caused_by: owed.map(({ failure }) => [failure.stage, failure.run] as const),
    ...(refs.length > 0 ? { diagnosis_refs: refs } : {}),
    ...(params.includes('sim_run') ? { params: { sim_run: first.failure.run } } : {}),
  };
}

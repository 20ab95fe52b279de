import type { DispatchRecord, LogRecord, OutcomeRecord } from './record.ts';

/** The log by stage. */
export interface History {
  readonly stages: ReadonlyMap<string, StageHistory>;
}

export interface StageHistory {
  /** In file order, those that an anomaly names included. */
  readonly dispatches: readonly DispatchRecord[];
  /** In file order, those that an anomaly names included. */
  readonly outcomes: readonly OutcomeRecord[];
  /** The last by position in the file; its run number need not be the highest. */
  readonly lastOutcome: OutcomeRecord | undefined;
  /** Run numbers that were dispatched and have no outcome anywhere in the log, in file order. */
  readonly inFlight: readonly number[];
  /** The number of a run to come: above every number seen, and above the count of dispatches. */
  readonly nextRun: number;
  readonly anomalies: readonly Anomaly[];
}

/** Something that no correct sequence of runs leaves in a log. */
export interface Anomaly {
  /** The line on which it shows, from 1. */
  readonly line: number;
  readonly run: number;
  readonly message: string;
}

/** Indexes the dispatches and outcomes of a log by stage. Order in the file is what counts. */
export function indexHistory(records: readonly LogRecord[]): History {
  const byStage = new Map<string, StageRecords>();
  for (const record of records) {
    if (record.kind === 'other') continue;
    const stage = byStage.get(record.event.rule) ?? { dispatches: [], outcomes: [] };
    byStage.set(record.event.rule, stage);
    if (record.kind === 'dispatch') stage.dispatches.push(record);
    else stage.outcomes.push(record);
  }
  return { stages: new Map([...byStage].map(([name, stage]) => [name, historyOf(stage)])) };
}

interface StageRecords {
  readonly dispatches: DispatchRecord[];
  readonly outcomes: OutcomeRecord[];
}

function historyOf({ dispatches, outcomes }: StageRecords): StageHistory {
  const dispatched = firstLines(dispatches);
  const ended = firstLines(outcomes);
  const runs = [...dispatched.keys(), ...ended.keys()];
  return {
    dispatches,
    outcomes,
    lastOutcome: outcomes.at(-1),
    inFlight: [...dispatched.keys()].filter((run) => !ended.has(run)),
    nextRun: runs.reduce((highest, run) => Math.max(highest, run), dispatches.length) + 1,
    anomalies: [
      ...repeated(dispatches, dispatched, 'dispatched'),
      ...repeated(outcomes, ended, 'ended'),
      ...undispatched(ended, dispatched),
    ].sort((a, b) => a.line - b.line),
  };
}

/** Each run number with the line of its first record, in file order. */
function firstLines(
  records: readonly (DispatchRecord | OutcomeRecord)[],
): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  for (const { event, line } of records) if (!lines.has(event.run)) lines.set(event.run, line);
  return lines;
}

function repeated(
  records: readonly (DispatchRecord | OutcomeRecord)[],
  firsts: ReadonlyMap<number, number>,
  what: 'dispatched' | 'ended',
): Anomaly[] {
  const texts = new Map(records.map(({ event, line }) => [line, JSON.stringify(event)]));
  return records.flatMap(({ event, line }) => {
    const first = firsts.get(event.run);
    if (first === undefined || first === line) return [];
    const twice = `run ${event.run} is ${what} on line ${line}, and was already on line ${first}`;
    const isOther = texts.get(first) !== texts.get(line);
    const message = isOther
      ? `${twice}: two runs under one number, as when branches that each ran it are merged`
      : twice;
    return [{ line, run: event.run, message }];
  });
}

function undispatched(
  ended: ReadonlyMap<number, number>,
  dispatched: ReadonlyMap<number, number>,
): Anomaly[] {
  return [...ended].flatMap(([run, line]) => {
    const dispatch = dispatched.get(run);
    if (dispatch !== undefined && dispatch < line) return [];
    const why =
      dispatch === undefined ? 'has no dispatch' : `is dispatched only on line ${dispatch}`;
    return [{ line, run, message: `run ${run} ends on line ${line} and ${why}` }];
  });
}

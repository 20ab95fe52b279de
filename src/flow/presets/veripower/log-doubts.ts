import { type Problem, problem } from '../../../values/problem.ts';
import { doubtfulRecord, listed } from './doubt.ts';
import { EVENTS_FILE, type RunKey } from './event.ts';
import { inFlight } from './facts.ts';
import type { Dispatch, Ending, PresetLog, StageLog } from './log-index.ts';
import { priorityOf } from './registry.ts';

/**
 * What is wrong with the log itself (spec/06 §6.7 items 2, 5, 16, 24): a lost last record, and runs
 * that were started or ended more than once, not at all, or in another order. What a later run of
 * the stage has superseded is history and no problem any more.
 */
export function logDoubts(log: PresetLog): Problem[] {
  const problems: Problem[] = [];
  if (log.tornLine !== undefined) problems.push(tornTail(log.tornLine));
  if (log.isDangling) {
    problems.push(
      problem('file/missing', 'the log is a link that leads nowhere: what it held is not known', {
        at: { file: EVENTS_FILE },
      }),
    );
  }
  for (const [name, stage] of log.stages) problems.push(...stageDoubts(name, stage));
  const unseen = inFlight(log).filter(({ rule }) => priorityOf(rule) === undefined);
  for (const { rule, dispatch } of unseen) {
    problems.push(
      doubtfulRecord(
        `run ${String(dispatch.run)} was started and has no outcome`,
        rule,
        dispatch.line,
        'Collect it: what it finds may concern any stage.',
      ),
    );
  }
  return problems;
}

function tornTail(line: number): Problem {
  return problem('log/torn-tail', 'the last line is no whole record: what it held is lost', {
    at: { file: EVENTS_FILE, line },
    remedy: 'Take the fragment out of the log, and run or collect again what has no record.',
  });
}

function stageDoubts(name: string, { dispatches, endings }: StageLog): Problem[] {
  const started = firstOf(dispatches);
  const ended = firstOf(endings);
  const last = endings.at(-1);
  const current = last && started.get(last.key);
  const found: Problem[] = [
    ...repeats(name, dispatches, started, 'started'),
    ...repeats(name, endings, ended, 'ended'),
    ...withoutStart(name, ended, started),
    ...oddNumbers(name, [...dispatches, ...endings]),
  ];
  // A run whose start comes after them made all of these history, if it has ended since.
  const since = current && last && current.position < last.position ? current.line : 0;
  const open = found.filter(({ at }) => (at?.line ?? 0) >= since);
  return [...listed(open, 'like it'), ...(last ? overtaken(name, last, dispatches, endings) : [])];
}

/** The first record of each run, by its number. */
function firstOf<T extends Dispatch | Ending>(records: readonly T[]): ReadonlyMap<RunKey, T> {
  const firsts = new Map<RunKey, T>();
  for (const record of records) if (!firsts.has(record.key)) firsts.set(record.key, record);
  return firsts;
}

function repeats<T extends Dispatch | Ending>(
  name: string,
  records: readonly T[],
  firsts: ReadonlyMap<RunKey, T>,
  what: 'started' | 'ended',
): Problem[] {
  return records.flatMap(({ key, run, line }) => {
    const first = firsts.get(key);
    if (first === undefined || first.line === line) return [];
    const message = `run ${String(run)} is ${what} on line ${line}, and was already on line ${first.line}`;
    return [doubtfulRecord(message, name, line)];
  });
}

function withoutStart(
  name: string,
  ended: ReadonlyMap<RunKey, Ending>,
  started: ReadonlyMap<RunKey, Dispatch>,
): Problem[] {
  return [...ended.values()].flatMap(({ key, run, line, position }) => {
    const start = started.get(key);
    if (start && start.position < position) return [];
    const why = start ? `is started only on line ${start.line}` : 'has no dispatch';
    return [doubtfulRecord(`run ${String(run)} ends on line ${line} and ${why}`, name, line)];
  });
}

/** Run numbers as no engine writes them: text, fractions, nothing below one. */
function oddNumbers(name: string, records: readonly (Dispatch | Ending)[]): Problem[] {
  return records
    .filter(({ run }) => typeof run !== 'number' || !Number.isInteger(run) || run < 1)
    .map(({ run, line }) =>
      doubtfulRecord(`the run \`${String(run)}\` is no number from 1`, name, line),
    );
}

/** The outcome that counts is of an older run than another record is of. */
function overtaken(
  name: string,
  last: Ending,
  dispatches: readonly Dispatch[],
  endings: readonly Ending[],
): Problem[] {
  const newer = [...dispatches, ...endings].find(
    ({ run, position }) =>
      position < last.position &&
      typeof run === 'number' &&
      typeof last.run === 'number' &&
      run > last.run,
  );
  if (!newer) return [];
  const message = `the last outcome is of run ${String(last.run)}, and run ${String(newer.run)} was started or ended before it`;
  return [doubtfulRecord(message, name, last.line)];
}

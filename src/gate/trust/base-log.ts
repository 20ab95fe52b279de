import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alignLogs, alignTexts, type LogFault } from '../../log/alignment.ts';
import { EVENTS_FILE } from '../../log/names.ts';
import { readLog } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import { printable } from '../../values/text.ts';

/** Which records of our log the base has, and what is wrong with how it has them. */
export interface BaseRecords {
  /** Is it one of them, by its line and by what it says? A log may be rewritten while a stage runs. */
  readonly has: (record: LogRecord) => boolean;
  readonly problems: readonly Problem[];
}

/** More of them say nothing that the first do not. */
const MOST_SHOWN = 10;

/**
 * Compares the base's log with ours: the base's records must all be there, unaltered, in their order.
 *
 * @param bytes the base's log; undefined when the base has none
 */
export function compareWithBase(
  bytes: Buffer | undefined,
  ours: readonly LogRecord[],
): Result<BaseRecords> {
  if (bytes === undefined) return ok({ has: () => false, problems: [] });
  const base = readBytes(bytes);
  if (!base.ok) return base;
  const { kept, faults } = alignLogs(base.value, ours);
  const shown = faults.slice(0, MOST_SHOWN).map(lost);
  const rest = faults.length - shown.length;
  const more =
    rest > 0 ? [problem('trust/record-lost', `and ${rest} more records of the base`)] : [];
  const texts = new Map(
    ours
      .filter(({ line }) => kept.has(line))
      .map(({ line, event }) => [line, JSON.stringify(event)]),
  );
  const has = ({ line, event }: LogRecord): boolean => texts.get(line) === JSON.stringify(event);
  return ok({ has, problems: [...shown, ...more] });
}

function readBytes(bytes: Buffer): Result<readonly LogRecord[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signoff-gate-base-'));
  try {
    const file = join(folder, EVENTS_FILE);
    writeFileSync(file, bytes);
    const log = readLog(file);
    if (log.ok) return ok(log.value.records);
    const { message, at } = log.error;
    const line = at?.line === undefined ? '' : `, line ${at.line}`;
    return err(
      problem('trust/base-unreadable', `the log of the base cannot be read${line}: ${message}`, {
        remedy: 'Mend it on the base branch first.',
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REMEDY = 'A log only grows: take the lines of the base back as they are, and add below them.';

const FAULT = {
  gone: 'is gone',
  altered: 'was altered',
  moved: 'was moved before others that it came after',
} as const;

function lost({ kind, ours, record }: LogFault): Problem {
  const { line, event } = record;
  const { type } = event;
  const of =
    record.kind === 'other' ? '' : ` of run ${record.event.run} of ${String(record.event.rule)}`;
  return problem(
    'trust/record-lost',
    `the record \`${type}\`${of}, line ${line} of the base's log, ${FAULT[kind]}`,
    {
      at: { file: EVENTS_FILE, ...(ours === undefined ? {} : { line: ours }) },
      remedy: REMEDY,
    },
  );
}

/**
 * As {@link compareWithBase}, for a log that another engine writes and reads: its lines must be
 * there as they are.
 */
export function comparePlainLines(base: Buffer, ours: Buffer): Problem[] {
  const earlier = linesOf(base);
  const { faults } = alignTexts(earlier, linesOf(ours));
  const shown = faults.slice(0, MOST_SHOWN).map(({ kind, index, ours: place }) =>
    problem(
      'trust/record-lost',
      `line ${index + 1} of the base's log ${kind === 'moved' ? FAULT.moved : 'is gone or was altered'}: ${printable(earlier[index] ?? '', 200)}`,
      {
        at: { file: EVENTS_FILE, ...(place === undefined ? {} : { line: place + 1 }) },
        remedy: REMEDY,
      },
    ),
  );
  const rest = faults.length - shown.length;
  return rest > 0
    ? [...shown, problem('trust/record-lost', `and ${rest} more records of the base`)]
    : shown;
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('latin1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

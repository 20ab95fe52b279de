import { isUtf8 } from 'node:buffer';
import { closeSync } from 'node:fs';
import { damageRemedy } from '../values/log-damage.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { openLogForReading, unreadable } from './open-log.ts';
import { isWholeJson, parseEventText } from './parse-event.ts';
import { MAX_LINE_BYTES, piecesOf } from './pieces.ts';
import { type LogRecord, toRecord } from './record.ts';
import { systemErrorCode } from './system-error.ts';

/** What the log says, in file order. */
export interface Log {
  readonly records: readonly LogRecord[];
  /** A last line that was cut short while it was written. Its event is lost, and that is told. */
  readonly tornTail: TornTail | undefined;
  /** False when the last line, torn or whole, lacks its LF; true for an empty log. */
  readonly endsWithNewline: boolean;
}

export interface TornTail {
  /** The physical line, from 1. */
  readonly line: number;
  readonly bytes: number;
}

/**
 * Reads `events.jsonl`, strictly: where VeriPower's reader (spec/06 §6.4) takes the last of two
 * keys, NaN, or ten kinds of line end, this one reports a problem, so that no two readers can
 * conclude different things from one log. A missing file is an empty log.
 *
 * @returns the log; or for the first line that is wrong `log/corrupt-line`, `log/invalid-record`,
 *   `log/not-utf8` or `log/line-too-long`; or `log/unreadable`
 */
export function readLog(file: string): Result<Log> {
  const opened = openLogForReading(file);
  if (!opened.ok) return opened;
  if (opened.value === undefined) {
    return ok({ records: [], tornTail: undefined, endsWithNewline: true });
  }
  try {
    return readRecords(opened.value, file);
  } catch (cause) {
    return err(unreadable(file, `the log cannot be read (${systemErrorCode(cause)})`));
  } finally {
    closeSync(opened.value);
  }
}

function readRecords(fd: number, file: string): Result<Log> {
  const records: LogRecord[] = [];
  let lines = 0;
  for (const piece of piecesOf(fd)) {
    if (piece.kind === 'too-long') return err(lineTooLong(file, lines + 1));
    if (piece.kind === 'tail') return finish(records, piece.bytes, file, lines + 1);
    if (!isUtf8(piece.bytes)) return err(notUtf8(file, lines + firstBadLine(piece.bytes)));
    const text = piece.bytes.toString('utf8');
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      lines++;
      const line = text.slice(start, end);
      start = end + 1;
      if (isBlank(line)) continue;
      const record = parseLine(line, file, lines);
      if (!record.ok) return record;
      records.push(record.value);
    }
  }
  return err(unreadable(file, 'the log ended before its end'));
}

function parseLine(text: string, file: string, line: number): Result<LogRecord> {
  const parsed = parseEventText(text);
  if (!parsed.ok) return err(corruptLine(file, line, parsed.error.message, text));
  return toRecord(parsed.value, file, line);
}

/** Judges what stands after the last LF: nothing, a whole event, or one that was cut short. */
function finish(records: LogRecord[], tail: Buffer, file: string, line: number): Result<Log> {
  if (tail.length === 0) return ok({ records, tornTail: undefined, endsWithNewline: true });
  const torn: Log = { records, tornTail: { line, bytes: tail.length }, endsWithNewline: false };
  const text = tail.toString('utf8');
  if (isBlank(text)) return ok({ records, tornTail: undefined, endsWithNewline: false });
  // No event begins so: a file that an editor damaged, not one that a crash cut.
  if (text.startsWith(BYTE_ORDER_MARK)) {
    return err(corruptLine(file, line, 'the line begins with a byte order mark'));
  }
  // Only text that is no whole JSON value can have been cut; anything else was meant as it stands.
  if (!isWholeJson(text)) return ok(torn);
  if (!isUtf8(tail)) return err(notUtf8(file, line));
  const parsed = parseEventText(text);
  if (!parsed.ok) return err(corruptLine(file, line, parsed.error.message));
  const record = toRecord(parsed.value, file, line);
  if (!record.ok) return record;
  records.push(record.value);
  return ok({ records, tornTail: undefined, endsWithNewline: false });
}

const BYTE_ORDER_MARK = '\ufeff';

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** The ordinal, from 1, of the first line that is not UTF-8, in a block that is not. */
function firstBadLine(block: Buffer): number {
  let line = 0;
  let start = 0;
  while (start < block.length) {
    line++;
    const end = block.indexOf('\n', start);
    if (!isUtf8(block.subarray(start, end))) return line;
    start = end + 1;
  }
  return line;
}

function corruptLine(file: string, line: number, why: string, text = ''): Problem {
  return problem('log/corrupt-line', `the line is not one event: ${why}`, {
    at: { file, line },
    remedy:
      damageRemedy(text) ??
      'Restore the log from version control. If that line was never whole, take it out and run its stage again.',
  });
}

function notUtf8(file: string, line: number): Problem {
  return problem('log/not-utf8', 'the line is not valid UTF-8', {
    at: { file, line },
    remedy: 'Restore the log from version control, or write the line again in UTF-8.',
  });
}

function lineTooLong(file: string, line: number): Problem {
  return problem('log/line-too-long', `the line is longer than ${MAX_LINE_BYTES} bytes`, {
    at: { file, line },
    remedy: 'Restore the log from version control: no event of a run is that long.',
  });
}

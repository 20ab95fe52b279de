import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import { type Problem, problem } from '../../../values/problem.ts';
import { err, ok, type Result } from '../../../values/result.ts';
import { EVENTS_FILE } from './event.ts';
import { FOREIGN_LINE_END, LINE_END } from './python-text.ts';

/** Larger ones read no faster and cost memory: their text lives until the next full collection. */
const CHUNK_BYTES = 256 * 1024;

/** No honest event comes near it, and memory stays bounded. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

const LF = 0x0a;

/**
 * Hands out the lines of an open log, without their ends, split as Python's `splitlines` does
 * (spec/06 §6.4), a part of the file at a time.
 *
 * @param take is given each line and its number, from 1; a problem ends the reading
 * @returns or that problem, `log/not-utf8`, or `log/line-too-long`. An error of the system is thrown
 */
export function eachLine(
  fd: number,
  take: (line: string, number: number) => Problem | undefined,
): Result<undefined> {
  let number = 0;
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  // The buffer begins with so many bytes of a line whose LF was not seen yet.
  let held = 0;
  for (let position = 0; ; ) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
    const count = readSync(fd, buffer, held, buffer.length - held, position);
    position += count;
    const filled = buffer.subarray(0, held + count);
    // A line end of several bytes never lies across the cut after an LF, or at the file's end.
    const whole = count === 0 ? filled.length : filled.lastIndexOf(LF) + 1;
    if (whole > 0) {
      const bytes = filled.subarray(0, whole);
      if (!isUtf8(bytes)) return err(notUtf8(number + firstBadLine(bytes)));
      const found = takeLines(bytes.toString('utf8'), (line) => take(line, ++number));
      if (found) return err(found);
      filled.copyWithin(0, whole);
    }
    held = filled.length - whole;
    if (held > MAX_LINE_BYTES) return err(lineTooLong(number + 1));
    if (count === 0) return ok(undefined);
  }
}

function takeLines(text: string, take: (line: string) => Problem | undefined): Problem | undefined {
  if (FOREIGN_LINE_END.test(text)) return takeForeignLines(text, take);
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const found = take(text.slice(start, end === -1 ? undefined : end));
    if (found || end === -1) return found;
    start = end + 1;
  }
  return undefined;
}

function takeForeignLines(
  text: string,
  take: (line: string) => Problem | undefined,
): Problem | undefined {
  const lines = text.split(LINE_END);
  // What stands after the last line end is no line if it is nothing.
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const found = take(line);
    if (found) return found;
  }
  return undefined;
}

/** The ordinal, from 1, of the first line that is not UTF-8, in bytes that are not. */
function firstBadLine(bytes: Buffer): number {
  let ordinal = 0;
  for (let start = 0; start < bytes.length; ) {
    ordinal++;
    const end = bytes.indexOf(LF, start);
    const line = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (!isUtf8(line)) return ordinal;
    start += line.length + 1;
  }
  return ordinal;
}

function notUtf8(line: number): Problem {
  return problem('log/not-utf8', 'the line is not valid UTF-8', {
    at: { file: EVENTS_FILE, line },
    remedy: 'Restore the log from version control, or write the line again in UTF-8.',
  });
}

function lineTooLong(line: number): Problem {
  return problem('log/line-too-long', `the line is longer than ${MAX_LINE_BYTES} bytes`, {
    at: { file: EVENTS_FILE, line },
    remedy: 'Restore the log from version control: no event of a run is that long.',
  });
}

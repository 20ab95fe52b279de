import { writeSync } from 'node:fs';

const STDOUT = 1;
const STDERR = 2;

/**
 * Writes the whole text to stdout before it returns. Plain system calls rather than streams: the
 * caller learns whether the answer arrived, and loading the streams would cost a tenth of `status`.
 *
 * @returns false when the reader went away or the disk is full
 */
export function writeAnswer(text: string): boolean {
  return writeAll(STDOUT, text);
}

/** Writes one line to stderr; a stderr that is gone is nobody's problem. */
export function tell(line: string): void {
  writeAll(STDERR, `${withoutCommands(line)}\n`);
}

/**
 * The text with nothing in it that the console of a runner takes for a command to itself: `::` at
 * the beginning of a line, or the older `##[` anywhere in it. Names of files may hold either.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

function writeAll(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (cause) {
      // The other end of a pipe may have made it non-blocking: wait for it to be read.
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') return false;
      Atomics.wait(PAUSE, 0, 0, 2);
    }
  }
  return true;
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

import { ftruncateSync, readSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { own, parseStrictObject } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';

const MOST_BYTES = 4096;

/**
 * Writes into the lock file who holds it. Only information: the kernel's lock is what counts, so
 * a text that cannot be written is let be.
 *
 * @param command what runs, such as `signoff-gate run`
 */
export function writeHolder(fd: number, command: string): void {
  const holder = {
    command: command.slice(0, 200),
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
  };
  try {
    ftruncateSync(fd, 0);
    writeSync(fd, `${JSON.stringify(holder)}\n`, 0);
  } catch {
    // A full disk, say. Waiters will read that it is another process.
  }
}

/** Takes away what {@link writeHolder} wrote. */
export function clearHolder(fd: number): void {
  try {
    ftruncateSync(fd, 0);
  } catch {
    // The next holder overwrites it.
  }
}

/**
 * Says who holds a lock: `signoff-gate run, process 123 on HOST, since TIME`, or `another process`
 * when the text in the lock file is missing or damaged. Safe to print.
 */
export function readHolder(fd: number): string {
  const buffer = Buffer.alloc(MOST_BYTES);
  let length: number;
  try {
    length = readSync(fd, buffer, 0, MOST_BYTES, 0);
  } catch {
    return UNKNOWN_HOLDER;
  }
  const parsed = parseStrictObject(buffer.subarray(0, length));
  if (!parsed.ok) return UNKNOWN_HOLDER;
  const [command, pid, host, since] = ['command', 'pid', 'host', 'since'].map((key) =>
    own(parsed.value, key),
  );
  if (typeof command !== 'string' || typeof host !== 'string') return UNKNOWN_HOLDER;
  if (typeof since !== 'string' || !Number.isSafeInteger(pid)) return UNKNOWN_HOLDER;
  return printable(`${command}, process ${pid} on ${host}, since ${since}`, 500);
}

export const UNKNOWN_HOLDER = 'another process';

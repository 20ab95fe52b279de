import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { systemErrorCode } from './system-error.ts';

/**
 * Opens the log for reading. A link to a regular file is followed; a FIFO or device is refused
 * and never waited for.
 *
 * @returns the file descriptor, which the caller closes; `undefined` when there is no log;
 *   `log/unreadable` for anything else
 */
export function openLogForReading(file: string): Result<number | undefined> {
  let fd: number;
  try {
    // O_NONBLOCK: opening a FIFO that has no writer would otherwise wait for one.
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === 'ENOENT') return isPresent(file) ? err(danglingLink(file)) : ok(undefined);
    return err(unreadable(file, `the log cannot be opened (${code})`));
  }
  if (fstatSync(fd).isFile()) return ok(fd);
  closeSync(fd);
  return err(unreadable(file, 'the log is not a regular file'));
}

/** Names a log that is there but yields no bytes. */
export function unreadable(file: string, message: string): Problem {
  return problem('log/unreadable', message, {
    at: { file },
    remedy: 'The log must be a regular file that can be read, or be absent.',
  });
}

function danglingLink(file: string): Problem {
  return unreadable(file, 'the log is a symbolic link that leads to nothing');
}

function isPresent(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

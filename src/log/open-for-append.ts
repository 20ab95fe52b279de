import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { err, ok, type Result } from '../values/result.ts';
import { EVENTS_FILE } from './names.ts';
import { syncFolder } from './sync-folder.ts';
import { systemErrorCode } from './system-error.ts';

/** The log, open for reading and appending. */
export interface OpenLog {
  readonly fd: number;
  /** Where it lies, links resolved. */
  readonly file: string;
}

/**
 * Opens the log of a workspace for appending; makes it, durably, when there is none. A link is
 * followed to a regular file inside the workspace and nowhere else.
 *
 * @returns the open log, which the caller closes, or what is wrong in words
 */
export function openForAppend(workspaceRoot: string): Result<OpenLog, string> {
  try {
    const file = resolveLog(workspaceRoot);
    if (!file.ok) return file;
    const fd = openOrCreate(file.value);
    if (fstatSync(fd).isFile()) return ok({ fd, file: file.value });
    closeSync(fd);
    return err('it is not a regular file');
  } catch (cause) {
    return err(`it cannot be opened (${systemErrorCode(cause)})`);
  }
}

function resolveLog(workspaceRoot: string): Result<string, string> {
  const root = realpathSync(workspaceRoot);
  const file = join(root, EVENTS_FILE);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return ok(file);
  const target = realpathSync(file);
  const path = relative(root, target);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) {
    return err('it is a symbolic link that leads outside the workspace');
  }
  return ok(target);
}

function openOrCreate(file: string): number {
  // O_NONBLOCK: a FIFO must not be waited for. O_NOFOLLOW: links were resolved before.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  try {
    return openSync(file, flags);
  } catch (cause) {
    if (systemErrorCode(cause) !== 'ENOENT') throw cause;
  }
  const fd = openSync(file, flags | constants.O_CREAT | constants.O_EXCL, 0o666);
  try {
    syncFolder(dirname(file));
  } catch (cause) {
    closeSync(fd);
    throw cause;
  }
  return fd;
}

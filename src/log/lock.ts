import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { type LockAddon, loadLockAddon } from './lock-addon.ts';
import { clearHolder, readHolder, UNKNOWN_HOLDER, writeHolder } from './lock-holder.ts';
import { isOpenAt } from './open-at.ts';
import { ensureStateFolder } from './state-folder.ts';
import { systemErrorCode } from './system-error.ts';

/** The one exclusive lock on a workspace. It ends with its holder, however that ends. */
export interface WorkspaceLock {
  readonly workspaceRoot: string;
  /** False after release, or when somebody removed or replaced the lock file meanwhile. */
  isHeld(): boolean;
  /** Gives the lock back; a second call does nothing. The lock file stays. */
  release(): void;
}

export interface LockOptions {
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  readonly waitMs: number;
  /** What takes the lock, such as `signoff-gate run`: told to those who wait for it. */
  readonly command?: string;
  /** Called when a wait begins, and again when the holder is another one than before. */
  readonly onWaiting?: (holder: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

/**
 * Takes the exclusive kernel lock on `.signoff/lock`, which is made when missing and never
 * removed: two processes that lock two files of one name would both hold it.
 *
 * @returns the lock; `log/lock-held` naming the holder after `waitMs`; `gate/interrupted` when the
 *   signal ended the wait; `log/lock-unavailable` when no lock can be had here at all
 */
export async function acquireLock(
  workspaceRoot: string,
  options: LockOptions,
): Promise<Result<WorkspaceLock>> {
  const addon = await loadLockAddon();
  if (!addon.ok) return addon;
  const deadline = performance.now() + options.waitMs;
  let told: string | undefined;
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    if (options.signal?.aborted) return err(interrupted(told));
    const attempt = tryOnce(workspaceRoot, addon.value, options.command ?? 'signoff-gate');
    if (!attempt.ok) return attempt;
    if (attempt.value.kind === 'taken') return ok(attempt.value.lock);
    const { holder } = attempt.value;
    const left = deadline - performance.now();
    if (!(left > 0)) return err(held(holder));
    // A holder that is leaving has no name any more: that is no news to who knew it.
    const isNews = holder !== told && !(holder === UNKNOWN_HOLDER && told !== undefined);
    if (isNews) {
      options.onWaiting?.(holder);
      told = holder;
    }
    await pauseFor(Math.min(pause, left), options.signal);
  }
}

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 250;

type Attempt =
  | { readonly kind: 'taken'; readonly lock: WorkspaceLock }
  | { readonly kind: 'held'; readonly holder: string };

function tryOnce(workspaceRoot: string, addon: LockAddon, command: string): Result<Attempt> {
  const folder = ensureStateFolder(workspaceRoot);
  if (!folder.ok) return err(unavailable(folder.error));
  const file = join(folder.value, 'lock');
  for (let tries = 0; tries < MOST_REPLACEMENTS; tries++) {
    const opened = openLockFile(file);
    if (!opened.ok) return opened;
    const fd = opened.value;
    try {
      addon.tryLock(fd, 0, 0, true);
    } catch (cause) {
      const code = systemErrorCode(cause);
      const holder = readHolder(fd);
      closeSync(fd);
      if (code === 'EAGAIN') return ok({ kind: 'held', holder });
      return err(unavailable(`the kernel refuses to lock ${file} (${code})`));
    }
    if (isOpenAt(fd, file)) {
      writeHolder(fd, command);
      return ok({ kind: 'taken', lock: lockOn(fd, file, workspaceRoot, addon) });
    }
    // The file was replaced between opening and locking it: others would lock the new one.
    closeSync(fd);
  }
  return err(unavailable(`${file} is replaced again and again`));
}

const MOST_REPLACEMENTS = 10;

/** Opens the lock file, which must be a plain file of its own: we write into it. */
function openLockFile(file: string): Result<number> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = openSync(file, flags, 0o666);
  } catch (cause) {
    return err(unavailable(`${file} cannot be opened (${systemErrorCode(cause)})`));
  }
  const found = fstatSync(fd);
  // No links at all is a file that was removed just now: that is found out after locking it.
  if (found.isFile() && found.nlink <= 1) return ok(fd);
  closeSync(fd);
  return err(unavailable(`${file} is not a regular file with one name`));
}

function lockOn(fd: number, file: string, workspaceRoot: string, addon: LockAddon): WorkspaceLock {
  let released = false;
  return {
    workspaceRoot,
    isHeld: () => !released && isOpenAt(fd, file),
    release() {
      if (released) return;
      released = true;
      clearHolder(fd);
      unlock(addon, fd);
      closeSync(fd);
    },
  };
}

/** Closing does the same, except while a child between fork and exec shares the open file. */
function unlock(addon: LockAddon, fd: number): void {
  try {
    addon.unlock(fd, 0, 0);
  } catch {
    // Closing it is what is left.
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch {
    // The signal ended the pause; the loop sees it.
  }
}

function held(holder: string): Problem {
  return problem('log/lock-held', `the workspace is in use: ${holder} holds it`, {
    remedy: 'Wait until that has ended, or wait longer with --lock-wait.',
  });
}

function interrupted(holder: string | undefined): Problem {
  const whom = holder === undefined ? '' : `; ${holder} holds it`;
  return problem('gate/interrupted', `waiting for the workspace was interrupted${whom}`);
}

function unavailable(why: string): Problem {
  return problem('log/lock-unavailable', `the workspace cannot be locked: ${why}`, {
    remedy:
      'The workspace must be a folder that can be written, on a file system that has locks; .signoff/lock must be a plain file.',
  });
}

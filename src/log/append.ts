import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import type { JsonObject } from '../values/strict-json.ts';
import { AppendOnlyFile } from './append-only-file.ts';
import type { WorkspaceLock } from './lock.ts';
import { EVENTS_FILE } from './names.ts';
import { openForAppend } from './open-for-append.ts';
import { readLog } from './read.ts';
import { serializeEvent } from './serialize.ts';
import { setAside } from './set-aside.ts';

/** The only writer of the log. */
export interface LogWriter {
  /**
   * Adds one event at the end; it is on the disk when this returns. `ts` is added, first, when it
   * is absent.
   *
   * @returns `log/write-failed` when the event is not one that the reader would take, the lock is
   *   gone, or the disk refuses: then the log is as it was before
   */
  append(event: JsonObject): Result<void>;
  close(): void;
}

/**
 * Opens the log of a workspace for writing, under its lock. A last line that was cut short is set
 * aside in `.signoff/torn/`, and an event `torn-tail` says so; a whole last line without its LF
 * gets one.
 *
 * @returns the writer; `log/write-failed`; or what the reader says of a last line that is wrong
 */
export function openLogWriter(workspaceRoot: string, lock: WorkspaceLock): Result<LogWriter> {
  const file = join(workspaceRoot, EVENTS_FILE);
  const failed = (why: string): { ok: false; error: Problem } => err(writeFailed(file, why));
  if (!isLockOf(lock, workspaceRoot)) return failed('the lock is of another workspace');
  if (!lock.isHeld()) return failed(LOCK_GONE);
  const opened = openForAppend(workspaceRoot);
  if (!opened.ok) return failed(opened.error);
  const log = new AppendOnlyFile(opened.value);

  const append = (event: JsonObject): Result<void> => {
    if (!lock.isHeld()) return failed(LOCK_GONE);
    const line = serializeEvent(event);
    if (!line.ok) return failed(`the event is not one to be written: ${line.error}`);
    const written = log.append(line.value);
    return written.ok ? ok(undefined) : failed(written.error);
  };

  const mended = mendEnd(workspaceRoot, opened.value.file, log, append);
  if (mended.ok) return ok({ append, close: () => log.close() });
  log.close();
  return mended;
}

/** Sees to it that the log ends in LF, so that no event is glued to half of another. */
function mendEnd(
  workspaceRoot: string,
  file: string,
  log: AppendOnlyFile,
  append: LogWriter['append'],
): Result<void> {
  const failed = (why: string): { ok: false; error: Problem } => err(writeFailed(file, why));
  const last = log.readEnd(Math.min(1, log.size));
  if (!last.ok) return failed(last.error);
  if (last.value.length === 0 || last.value.equals(LF)) return ok(undefined);
  const read = readLog(file);
  if (!read.ok) return read;
  const torn = read.value.tornTail;
  if (torn === undefined) {
    const ended = log.append(LF);
    return ended.ok ? ended : failed(ended.error);
  }
  const tail = log.readEnd(torn.bytes);
  if (!tail.ok) return failed(tail.error);
  const kept = setAside(workspaceRoot, tail.value);
  if (!kept.ok) return failed(kept.error);
  const dropped = log.dropEnd(torn.bytes);
  if (!dropped.ok) return failed(dropped.error);
  return append({ type: 'torn-tail', bytes: torn.bytes, kept: kept.value });
}

const LF = Buffer.from('\n');
const LOCK_GONE = 'the lock of the workspace is not held, or its file was removed';

function isLockOf(lock: WorkspaceLock, workspaceRoot: string): boolean {
  try {
    return realpathSync(lock.workspaceRoot) === realpathSync(workspaceRoot);
  } catch {
    return false;
  }
}

function writeFailed(file: string, why: string): Problem {
  return problem('log/write-failed', `the log was not written: ${why}`, {
    at: { file },
    remedy:
      'See that the disk has room, that the log can be written and that no other program writes it; then run again.',
  });
}

import { createHash, hash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { kindOf } from '../../../fingerprint/file-kind.ts';
import { changedWhileRead, fileProblem, notRegular } from '../../../fingerprint/file-problem.ts';
import type { Problem } from '../../../values/problem.ts';
import { err, ok, type Result } from '../../../values/result.ts';

const CHUNK_BYTES = 1024 * 1024;

/** One for all files: everything here is synchronous, so there is one reader at a time. */
let chunk: Buffer | undefined;

// A FIFO that took a file's place does not block, and a link that did is not followed.
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The SHA-256 of a regular file's content, in hex. It counts only if the file was the same, by
 * size, times and inode, before and after.
 */
export function hashFile(absolute: string, shown: string): Result<string, Problem> {
  let fd: number;
  try {
    fd = openSync(absolute, OPEN_FLAGS);
  } catch (cause) {
    return err(fileProblem(cause, shown));
  }
  try {
    const before = fstatSync(fd, { bigint: true });
    if (!before.isFile()) return err(notRegular(shown, kindOf(before)));
    const hex = hashContent(fd, Number(before.size));
    const isSame = isUnchanged(before, fstatSync(fd, { bigint: true }));
    return hex !== undefined && isSame ? ok(hex) : err(changedWhileRead(shown));
  } catch (cause) {
    return err(fileProblem(cause, shown));
  } finally {
    closeSync(fd);
  }
}

/** @returns `undefined` if there were more or fewer bytes than expected */
function hashContent(fd: number, size: number): string | undefined {
  chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
  if (size < CHUNK_BYTES) {
    const length = readUpTo(fd, chunk);
    return length === size ? hash('sha256', chunk.subarray(0, length), 'hex') : undefined;
  }
  const hasher = createHash('sha256');
  let length = 0;
  // Stops soon after the expected end, so that a file that grows as fast as it is read ends too.
  while (length <= size) {
    const count = readUpTo(fd, chunk);
    if (count === 0) break;
    hasher.update(chunk.subarray(0, count));
    length += count;
  }
  return length === size ? hasher.digest('hex') : undefined;
}

/** Fills the buffer as far as the file goes. */
function readUpTo(fd: number, buffer: Buffer): number {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(fd, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return length;
}

function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs
  );
}

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
} from 'node:fs';
import type { Fingerprint } from '../values/brands.ts';
import type { Problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { createHasher } from './blake3.ts';
import { kindOf } from './file-kind.ts';
import { changedWhileRead, fileProblem, lfsPointer, notRegular } from './file-problem.ts';

const CHUNK_BYTES = 1024 * 1024;

/** One for all files: everything here is synchronous, so there is one reader at a time. */
let chunk: Buffer | undefined;

// A link is not followed, and a FIFO without a writer does not block.
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The digest of a regular file's content (`blake3:`). It is read in chunks, and counts only if the
 * file was the same, by size, times and inode, before and after.
 *
 * @param shown the path as problems name it
 * @returns or `file/missing`, `file/unreadable`, `file/not-regular`, `file/changed-while-read`,
 *   `checkout/lfs-pointer`
 */
export function fingerprintFile(absolute: string, shown = absolute): Result<Fingerprint> {
  let descriptor: number;
  try {
    descriptor = openSync(absolute, OPEN_FLAGS);
  } catch (cause) {
    return err(openProblem(cause, absolute, shown));
  }
  try {
    return digestOpenFile(descriptor, absolute, shown);
  } catch (cause) {
    return err(fileProblem(cause, shown));
  } finally {
    closeSync(descriptor);
  }
}

function digestOpenFile(descriptor: number, absolute: string, shown: string): Result<Fingerprint> {
  const before = fstatSync(descriptor, { bigint: true });
  if (!before.isFile()) return err(notRegular(shown, kindOf(before)));
  const { hex, length, isPointer } = digestContent(descriptor, Number(before.size));
  if (isPointer) return err(lfsPointer(shown));
  const after = fstatSync(descriptor, { bigint: true });
  const isSame =
    isUnchanged(before, after) && BigInt(length) === before.size && isStillAt(absolute, before);
  return isSame ? ok(`blake3:${hex}` as Fingerprint) : err(changedWhileRead(shown));
}

/** Stops soon after the expected end, so that a file that grows as fast as it is read ends too. */
function digestContent(
  descriptor: number,
  size: number,
): { hex: string; length: number; isPointer: boolean } {
  chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const hasher = createHasher(size);
  let length = 0;
  let hex = '';
  let isPointer = false;
  try {
    while (length <= size) {
      const read = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (read === 0) break;
      if (length === 0) isPointer = startsLikePointer(chunk, read, size);
      hasher.update(chunk.subarray(0, read));
      length += read;
    }
  } finally {
    // Also after a failed read: the hasher holds memory until its digest is taken.
    hex = hasher.hex();
  }
  return { hex, length, isPointer };
}

const POINTER_START = Buffer.from('version https://git-lfs.github.com/spec/v1\noid ');
const MOST_POINTER_BYTES = 1024;

/** Git LFS leaves a small text in place of a file that was not fetched: it is not that file. */
function startsLikePointer(bytes: Buffer, length: number, size: number): boolean {
  return (
    size < MOST_POINTER_BYTES &&
    length >= POINTER_START.length &&
    bytes.subarray(0, POINTER_START.length).equals(POINTER_START)
  );
}

function isUnchanged(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs &&
    before.ctimeNs === after.ctimeNs &&
    before.ino === after.ino &&
    before.dev === after.dev
  );
}

/** Whether the path still leads to the file that was read, and not to one put in its place. */
function isStillAt(absolute: string, read: BigIntStats): boolean {
  const there = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === read.ino && there.dev === read.dev;
}

/** What is no file may fail to open in many ways; the one thing to say is what it is. */
function openProblem(cause: unknown, absolute: string, shown: string): Problem {
  try {
    const there = lstatSync(absolute, { throwIfNoEntry: false });
    if (there && !there.isFile()) return notRegular(shown, kindOf(there));
  } catch {
    // the failure to open it says more
  }
  return fileProblem(cause, shown);
}

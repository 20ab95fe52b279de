import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { type Dirent, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { kindOf } from '../../../fingerprint/file-kind.ts';
import { fileProblem, notRegular } from '../../../fingerprint/file-problem.ts';
import { compareBytes } from '../../../values/order.ts';
import { type Problem, problem } from '../../../values/problem.ts';
import { hashFile } from './file-hash.ts';
import { Unanswerable } from './unanswerable.ts';

/** The fingerprint of what cannot be read; it matches nothing, itself neither (spec/06 §6.2). */
export const UNKNOWN = 'unknown';

/** What is at a path now. */
export interface Seen {
  /** `sha256:` and hex, `merkle:` and hex, or {@link UNKNOWN}. */
  readonly fingerprint: string;
  /** Why it is unknown. */
  readonly why: Problem | undefined;
  /** The links there: the thing itself, or those in the folder by their paths in it. */
  readonly links: readonly string[];
}

/**
 * The fingerprint of a path, byte for byte as the reference engine's (spec/06 §6.2): a link by its
 * target's text, never followed; a folder by the paths, kinds and contents of the files and links
 * beneath; a file by its content. Stricter in one thing: a folder that holds one that cannot be
 * read is unknown, where the reference leaves that one out.
 *
 * @param shown the path as problems name it
 */
export function fingerprintOf(absolute: string, shown: string): Seen {
  try {
    const there = lstatSync(absolute);
    if (there.isSymbolicLink()) {
      const target = linkTarget(absolute, shown);
      return { fingerprint: linkFingerprint(target), why: undefined, links: [''] };
    }
    if (there.isDirectory()) return fingerprintFolder(absolute, shown);
    // Told without opening it: to open a FIFO or a device can have effects.
    if (!there.isFile()) return unknown(notRegular(shown, kindOf(there)));
  } catch (cause) {
    if (cause instanceof Unanswerable) throw cause;
    return unknown(fileProblem(cause, shown));
  }
  const hex = hashFile(absolute, shown);
  if (!hex.ok) return unknown(hex.error);
  return { fingerprint: `sha256:${hex.value}`, why: undefined, links: [] };
}

function unknown(why: Problem): Seen {
  return { fingerprint: UNKNOWN, why, links: [] };
}

function linkFingerprint(target: Buffer): string {
  return `sha256:${hash('sha256', Buffer.concat([Buffer.from('symlink\0'), target]), 'hex')}`;
}

/** The text of a link's target; one that is not UTF-8 ends the reference engine. */
function linkTarget(absolute: string, shown: string): Buffer {
  const target = readlinkSync(absolute, { encoding: 'buffer' });
  if (isUtf8(target)) return target;
  throw new Unanswerable(badName(`${shown} is a link to a name that is not valid UTF-8`));
}

/** One file or link of a folder: its path in it, its kind, and bare hex or the link's target. */
export interface TreeEntry {
  readonly path: string;
  readonly kind: 'F' | 'L';
  readonly payload: string;
}

/** `merkle:` over entries, which are put into code-point order of their paths (spec/06 §6.2). */
export function treeFingerprint(entries: readonly TreeEntry[]): string {
  const hasher = createHash('sha256');
  for (const { path, kind, payload } of [...entries].sort((a, b) => compareBytes(a.path, b.path))) {
    hasher.update(`${path}\0${kind}\0${payload}\0`);
  }
  return `merkle:${hasher.digest('hex')}`;
}

/** How the walk below is left when something cannot be read. */
class Unreadable extends Error {
  readonly problem: Problem;

  constructor(found: Problem) {
    super(found.message);
    this.problem = found;
  }
}

function fingerprintFolder(absolute: string, shown: string): Seen {
  const entries: TreeEntry[] = [];
  try {
    collect(absolute, '', shown, entries);
  } catch (cause) {
    if (cause instanceof Unreadable) return unknown(cause.problem);
    throw cause;
  }
  const links = entries.filter(({ kind }) => kind === 'L').map(({ path }) => path);
  return { fingerprint: treeFingerprint(entries), why: undefined, links };
}

/** Files and links below a folder, hidden ones too; folders count by what they hold. */
function collect(folder: string, prefix: string, shown: string, entries: TreeEntry[]): void {
  for (const entry of readFolder(folder, shown)) {
    const name = entry.name.toString('utf8');
    const path = `${prefix}${name}`;
    const at = `${shown}/${name}`;
    if (entry.isDirectory() || entry.isFile() || entry.isSymbolicLink()) {
      if (!isUtf8(entry.name)) throw new Unanswerable(badName(`${at} is not valid UTF-8`));
    }
    if (entry.isDirectory()) {
      collect(`${folder}/${name}`, `${path}/`, at, entries);
    } else if (entry.isSymbolicLink()) {
      const target = linkTarget(`${folder}/${name}`, at);
      entries.push({ path, kind: 'L', payload: target.toString('utf8') });
    } else if (entry.isFile()) {
      const hex = hashFile(`${folder}/${name}`, at);
      if (!hex.ok) throw new Unreadable(hex.error);
      entries.push({ path, kind: 'F', payload: hex.value });
    }
  }
}

function readFolder(folder: string, shown: string): Dirent<Buffer>[] {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (cause) {
    throw new Unreadable(fileProblem(cause, shown));
  }
}

/** A name that ends the reference engine when it is part of a fingerprint. */
export function badName(message: string): Problem {
  return problem('file/bad-name', message, {
    remedy: 'Rename it: the reference engine cannot fingerprint such a name either.',
  });
}

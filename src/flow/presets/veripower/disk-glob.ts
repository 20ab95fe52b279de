import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { errorCode, fileProblem } from '../../../fingerprint/file-problem.ts';
import { compareBytes } from '../../../values/order.ts';
import type { Problem } from '../../../values/problem.ts';
import { isPattern, matchesName } from './name-match.ts';
import { escapedName } from './python-text.ts';

/** One path that a selector selects on disk. */
export interface DiskMatch {
  /** Relative to the folder that was searched. */
  readonly path: string;
  /** What it is, links followed; `undefined` for a link that leads nowhere. */
  readonly kind: 'file' | 'folder' | 'other' | undefined;
  readonly isLink: boolean;
  /** Its name is not UTF-8, and `path` spells it as the reference engine does. */
  readonly isBadName: boolean;
}

export interface DiskMatches {
  /** In code-point order of their segments. */
  readonly matches: readonly DiskMatch[];
  /** Folders that could not be looked into: to the reference engine they are empty. */
  readonly unreadable: readonly Problem[];
}

/**
 * What a selector selects on disk, as Python's `pathlib` does (spec/06 §6.3): `*` stays inside one
 * segment, matches hidden names, folders, and links wherever they lead; a literal segment must
 * lead somewhere (as on 3.10 and 3.11). Case counts.
 *
 * @param shown the folder as problems name it, empty for the workspace
 */
export function globDisk(folder: string, selector: string, shown = ''): DiskMatches {
  const matches: DiskMatch[] = [];
  const unreadable: Problem[] = [];
  const segments = selector.split('/');

  const visit = (prefix: string, depth: number): void => {
    const segment = segments[depth] ?? '';
    const isLast = depth === segments.length - 1;
    if (!isPattern(segment)) {
      const path = `${prefix}${segment}`;
      const there = lookAt(folder, path);
      if (there?.kind === undefined) return;
      if (isLast) matches.push(there);
      else if (there.kind === 'folder') visit(`${path}/`, depth + 1);
      return;
    }
    for (const { name, isBadName } of namesIn(folder, prefix, shown, unreadable)) {
      if (!matchesName(name, segment)) continue;
      const path = `${prefix}${name}`;
      const there: DiskMatch | undefined = isBadName
        ? { path, kind: 'other', isLink: false, isBadName }
        : lookAt(folder, path);
      if (!there) continue;
      if (isLast) matches.push(there);
      else if (there.kind === 'folder') visit(`${path}/`, depth + 1);
    }
  };
  visit('', 0);
  return { matches: matches.sort((a, b) => comparePaths(a.path, b.path)), unreadable };
}

/** What is at a path, if anything. */
export function lookAt(folder: string, path: string): DiskMatch | undefined {
  const absolute = `${folder}/${path}`;
  try {
    const there = lstatSync(absolute);
    const isLink = there.isSymbolicLink();
    return { path, kind: kindOf(isLink ? follow(absolute) : there), isLink, isBadName: false };
  } catch {
    return undefined;
  }
}

function follow(absolute: string): Stats | undefined {
  try {
    return statSync(absolute);
  } catch {
    return undefined;
  }
}

function kindOf(there: Stats | undefined): DiskMatch['kind'] {
  if (!there) return undefined;
  if (there.isFile()) return 'file';
  return there.isDirectory() ? 'folder' : 'other';
}

interface Name {
  readonly name: string;
  readonly isBadName: boolean;
}

function namesIn(folder: string, prefix: string, shown: string, unreadable: Problem[]): Name[] {
  const path = prefix === '' ? folder : `${folder}/${prefix}`;
  try {
    return readdirSync(path, { encoding: 'buffer' }).map((bytes) =>
      isUtf8(bytes)
        ? { name: bytes.toString('utf8'), isBadName: false }
        : { name: escapedName(bytes), isBadName: true },
    );
  } catch (cause) {
    const code = errorCode(cause);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      const name = [shown, prefix.replace(/\/$/, '')].filter((part) => part !== '').join('/');
      unreadable.push(fileProblem(cause, name));
    }
    return [];
  }
}

/** By segments: a folder's content stands before a sibling whose name goes on from the folder's. */
function comparePaths(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareBytes(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

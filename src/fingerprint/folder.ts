import { type Dirent, readdirSync } from 'node:fs';
import { compareBytes } from '../values/order.ts';
import { err, ok, type Result } from '../values/result.ts';

/** What a folder holds, in the byte order of the paths beneath it. */
export interface FolderContent {
  readonly entries: readonly Dirent[];
  /** What has a name that is not UTF-8 and so cannot be reached. */
  readonly badNames: readonly BadName[];
}

export interface BadName {
  /** As Node decodes it, with U+FFFD in place of what it cannot. */
  readonly name: string;
  readonly isFile: boolean;
}

/** Reads one folder; the error is the exception of node:fs. */
export function readFolder(absolute: string): Result<FolderContent, unknown> {
  try {
    const entries = readdirSync(absolute, { withFileTypes: true });
    const isSuspect = entries.some(({ name }) => name.includes('\ufffd'));
    const badNames = isSuspect ? namesThatAreNotUtf8(absolute) : [];
    const isBad = new Set(badNames.map(({ name }) => name));
    return ok({ entries: entries.filter(({ name }) => !isBad.has(name)).sort(byPath), badNames });
  } catch (cause) {
    return err(cause);
  }
}

/** Node decodes such names with U+FFFD, which a name may also hold in its own right. */
function namesThatAreNotUtf8(absolute: string): BadName[] {
  const entries = readdirSync(absolute, { encoding: 'buffer', withFileTypes: true });
  return entries
    .filter(({ name }) => !Buffer.from(name.toString()).equals(name))
    .map((entry) => ({ name: entry.name.toString(), isFile: entry.isFile() }))
    .sort((a, b) => compareBytes(a.name, b.name));
}

/** What lies in `a` comes after `a-b`, since `/` comes after `-`. */
function byPath(a: Dirent, b: Dirent): number {
  return compareBytes(
    a.isDirectory() ? `${a.name}/` : a.name,
    b.isDirectory() ? `${b.name}/` : b.name,
  );
}

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';

/**
 * The absolute path of the first executable regular file called `name` in the folders of `path`
 * (a PATH variable's value), or `undefined`. Empty and relative entries are skipped: they mean the
 * current folder, where a contributor could put a program of that name. A name with a slash is
 * no name to look up and finds nothing.
 */
export function findOnPath(name: string, path: string): string | undefined {
  if (name === '' || name.includes('/')) return undefined;
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    // Joined by hand: a normalised `link/..` would name another folder than the system's lookup does.
    const candidate = folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
    if (isExecutableFile(candidate) === 'yes') return candidate;
  }
  return undefined;
}

/**
 * Whether a regular file that this process may execute is at an absolute path; links are followed.
 * A folder, a device or a path that cannot be looked at is `not-executable`.
 */
export function isExecutableFile(absolute: string): 'yes' | 'absent' | 'not-executable' {
  if (absolute.includes('\0')) return 'absent';
  try {
    const stat = statSync(absolute, { throwIfNoEntry: false });
    if (stat === undefined) return 'absent';
    if (!stat.isFile()) return 'not-executable';
    accessSync(absolute, constants.X_OK);
    return 'yes';
  } catch {
    return 'not-executable';
  }
}

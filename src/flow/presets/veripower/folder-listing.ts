import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';
import { errorCode, fileProblem } from '../../../fingerprint/file-problem.ts';
import type { Problem } from '../../../values/problem.ts';
import { escapedName } from './python-text.ts';

/** Everything beneath a folder that is no folder itself; links are listed, never followed. */
export interface Listing {
  /** Relative to the folder. */
  readonly paths: readonly string[];
  readonly unreadable: readonly Problem[];
}

/**
 * Lists a folder with all beneath. One that is not there holds nothing.
 *
 * @param shown the folder as problems name it
 * @param skip names at the top that are left out
 */
export function listFolder(
  absolute: string,
  shown: string,
  skip: ReadonlySet<string> = new Set(),
): Listing {
  const paths: string[] = [];
  const unreadable: Problem[] = [];
  const visit = (prefix: string): void => {
    const folder = prefix === '' ? absolute : `${absolute}/${prefix}`;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })) {
        const isGoodName = isUtf8(entry.name);
        const name = isGoodName ? entry.name.toString('utf8') : escapedName(entry.name);
        if (prefix === '' && skip.has(name)) continue;
        // A folder whose name cannot be written is listed itself: nothing recorded can name it.
        if (entry.isDirectory() && isGoodName) visit(`${prefix}${name}/`);
        else paths.push(`${prefix}${name}`);
      }
    } catch (cause) {
      if (prefix === '' && errorCode(cause) === 'ENOENT') return;
      unreadable.push(fileProblem(cause, `${shown}/${prefix}`.replace(/\/$/, '')));
    }
  };
  visit('');
  return { paths, unreadable };
}

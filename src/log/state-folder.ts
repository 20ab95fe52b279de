import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../values/result.ts';
import { STATE_FOLDER } from './names.ts';
import { systemErrorCode } from './system-error.ts';

/**
 * Makes `.signoff`, and the folders below it that are named, where they are missing. A link in
 * their place is refused: what we write there must land in the workspace.
 *
 * @returns the path of the last folder, or what is wrong in words
 */
export function ensureStateFolder(
  workspaceRoot: string,
  ...below: readonly string[]
): Result<string, string> {
  let folder = workspaceRoot;
  for (const name of [STATE_FOLDER, ...below]) {
    folder = join(folder, name);
    const why = ensureFolder(folder);
    if (why !== undefined) return err(why);
  }
  return ok(folder);
}

function ensureFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder);
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code !== 'EEXIST') return `the folder ${folder} cannot be made (${code})`;
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() ? undefined : `${folder} is not a folder`;
}

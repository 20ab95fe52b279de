import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { err, ok, type Result } from '../values/result.ts';

/** Makes a private folder; the error says in words why there can be none. */
export function makeTemporaryFolder(prefix: string): Result<string, string> {
  try {
    return ok(mkdtempSync(join(tmpdir(), prefix)));
  } catch (cause) {
    return err(`no temporary folder could be made: ${String(cause)}`);
  }
}

/**
 * Removes a folder with all that is in it. What cannot be removed, since a program took its own
 * rights away, is left: a few bytes among temporary files say nothing about the program.
 */
export function removeTemporaryFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Left there.
  }
}

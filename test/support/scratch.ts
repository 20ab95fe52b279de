import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Folders for the tests of one file, removed after its last one: tests that run at the same time
 * cannot each have a hook of their own.
 */
let root: string | undefined;

afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

/** A new empty folder; its path holds no link. */
export function scratchFolder(): string {
  root ??= realpathSync(mkdtempSync(join(tmpdir(), 'signoff-gate-test-')));
  return mkdtempSync(join(root, 'f-'));
}

/** Writes files under a folder, making the folders on the way. */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    const absolute = join(folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  }
}

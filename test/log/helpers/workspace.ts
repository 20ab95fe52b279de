import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that goes when the test is over. */
export function tempWorkspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signoff-log-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A workspace whose log has these bytes. */
export function workspaceWithLog(contents: string | Uint8Array): { root: string; file: string } {
  const root = tempWorkspace();
  const file = join(root, 'events.jsonl');
  writeFileSync(file, contents);
  return { root, file };
}

import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { discard } from '../cache/folders.ts';
import { GATE_FOLDER } from '../proof/run-folder.ts';

const PREFIX = 'staging-';

/** In the workspace, so that what is restored can be moved into place rather than copied. */
export function makeStaging(root: string): string | undefined {
  try {
    mkdirSync(join(root, GATE_FOLDER), { recursive: true });
    return mkdtempSync(join(root, GATE_FOLDER, PREFIX));
  } catch {
    return undefined;
  }
}

/** Removes what a gate that was killed left half restored. Called with the lock held. */
export function clearStaging(root: string): void {
  const folder = join(root, GATE_FOLDER);
  for (const name of namesIn(folder)) {
    if (name.startsWith(PREFIX)) discard(join(folder, name));
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discard } from './folders.ts';
import type { Failed } from './run-cache.ts';

/** The client writes paths into a command without quotes, and a PATH is split at colons. */
const UNFIT = /[\s":\\]/;

/**
 * Lends a new folder to a call of the cache client and removes it when the call is over. It lies
 * beside the folder that the entry goes to or comes from, so that the entry can be moved; if that
 * path is not fit for a command, in the runner's folder for temporary files.
 */
export async function inPrivateWorkspace<T>(
  beside: string,
  runnerTemp: string | undefined,
  action: (folder: string) => Promise<T>,
): Promise<T | Failed> {
  const prefix = [`${beside}-cache-`, join(runnerTemp || tmpdir(), 'signoff-gate-cache-')].find(
    (candidate) => !UNFIT.test(candidate),
  );
  if (prefix === undefined) {
    return {
      kind: 'failed',
      reason: 'the paths of the workspace and of the temporary folder hold a space or a `:`',
      isOutage: true,
    };
  }
  let folder: string | undefined;
  try {
    folder = mkdtempSync(prefix);
    mkdirSync(workspaceOf(folder));
    return await action(folder);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return { kind: 'failed', reason: code ?? message, isOutage: false };
  } finally {
    if (folder !== undefined) discard(folder);
  }
}

/** Current folder of the client, and all that an archive may write to. */
export function workspaceOf(folder: string): string {
  return join(folder, 'workspace');
}

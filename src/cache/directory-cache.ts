import { existsSync, mkdirSync, mkdtempSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyPlain, discard } from './folders.ts';
import { type EntryKey, keyText, type RunCache } from './run-cache.ts';

/**
 * A cache in a folder of this machine: one folder an entry, which appears whole by a rename.
 * Copies, never links: an entry must not change with a file in a workspace.
 */
export function directoryCache(folder: string): RunCache {
  const place = (key: EntryKey): string => join(folder, keyText(key));
  return {
    name: `the directory ${folder}`,
    isShared: false,
    async restore(key, staging) {
      try {
        if (!existsSync(place(key))) return { kind: 'miss' };
        copyPlain(place(key), staging);
        return { kind: 'hit' };
      } catch (cause) {
        return { kind: 'failed', reason: messageOf(cause), isOutage: false };
      }
    },
    async save(key, from) {
      let draft: string | undefined;
      try {
        if (existsSync(place(key))) return { kind: 'taken' };
        makeFolder(folder);
        draft = mkdtempSync(join(folder, '.draft-'));
        copyPlain(from, join(draft, 'entry'));
        renameSync(join(draft, 'entry'), place(key));
        return { kind: 'saved' };
      } catch (cause) {
        // Another gate was faster; what it kept is what we would have.
        if (existsSync(place(key))) return { kind: 'taken' };
        return { kind: 'failed', reason: messageOf(cause), isOutage: true };
      } finally {
        if (draft !== undefined) discard(draft);
      }
    },
  };
}

/**
 * Step by step: Node's own way to make a folder with its parents never ends where a file system
 * (/proc) says of a parent that is there that it is not.
 */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    // Another gate may have made it meanwhile; a file in its place is an error all the same.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw cause;
  }
}

function messageOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}

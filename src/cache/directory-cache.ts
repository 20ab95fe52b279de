import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
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
        mkdirSync(folder, { recursive: true, mode: 0o700 });
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

function messageOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}

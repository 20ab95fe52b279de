import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../values/result.ts';
import { STATE_FOLDER } from './names.ts';
import { ensureStateFolder } from './state-folder.ts';
import { syncFolder } from './sync-folder.ts';
import { systemErrorCode } from './system-error.ts';

const TORN_FOLDER = 'torn';

/**
 * Keeps the bytes of a torn tail in `.signoff/torn/<n>.bin`, durably, under a number that no file
 * there has had.
 *
 * @returns the path of the file relative to the workspace, or what is wrong in words
 */
export function setAside(workspaceRoot: string, bytes: Uint8Array): Result<string, string> {
  const folder = ensureStateFolder(workspaceRoot, TORN_FOLDER);
  if (!folder.ok) return folder;
  try {
    const name = `${nextNumber(folder.value)}.bin`;
    writeDurably(join(folder.value, name), bytes);
    for (const made of [folder.value, dirname(folder.value), workspaceRoot]) syncFolder(made);
    return ok(`${STATE_FOLDER}/${TORN_FOLDER}/${name}`);
  } catch (cause) {
    return err(`the torn last line cannot be kept in ${folder.value} (${systemErrorCode(cause)})`);
  }
}

function nextNumber(folder: string): number {
  const numbers = readdirSync(folder).map((name) =>
    Number(/^(\d{1,9})\.bin$/.exec(name)?.[1] ?? 0),
  );
  return Math.max(0, ...numbers) + 1;
}

function writeDurably(file: string, bytes: Uint8Array): void {
  const fd = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
  try {
    writeFileSync(fd, bytes);
    fsyncSync(fd);
  } catch (cause) {
    rmSync(file, { force: true });
    throw cause;
  } finally {
    closeSync(fd);
  }
}

import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Removes a folder with all that is in it, as far as that can be done. What a cache brought may
 * hold folders that are closed to their owner, and what stays behind must not end the gate.
 */
export function discard(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    try {
      openFolders(folder);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The next gate in this workspace tries again.
    }
  }
}

function openFolders(folder: string): void {
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) openFolders(join(folder, name));
}

/** Moves a file or a folder, making the folders on the way; to another file system it is copied. */
export function moveTo(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause;
    copyPlain(from, to);
  }
}

/**
 * Copies a file, or a folder with all that is in it; throws on a link and whatever else is neither.
 * Not by `cpSync`: that of Node 24 ends the whole process when a folder cannot be opened.
 */
export function copyPlain(from: string, to: string): void {
  const stat = lstatSync(from);
  if (stat.isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) copyPlain(join(from, name), join(to, name));
  } else if (stat.isFile()) {
    copyFileSync(from, to);
  } else {
    throw new Error(`${basename(from)} is neither a file nor a folder`);
  }
}

import { fstatSync, lstatSync } from 'node:fs';

/** True if the path, not followed when it is a link, leads to the very file that is open. */
export function isOpenAt(fd: number, file: string): boolean {
  try {
    const open = fstatSync(fd, { bigint: true });
    const named = lstatSync(file, { bigint: true });
    return named.ino === open.ino && named.dev === open.dev;
  } catch {
    return false;
  }
}

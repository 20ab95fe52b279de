import { closeSync, constants, fsyncSync, openSync } from 'node:fs';

/** Makes the names in a folder durable. Throws what the system says. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

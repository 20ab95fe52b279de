import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder holds a file, a link or the like somewhere; folders alone are nothing. */
export function holdsFile(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory() ? holdsFile(join(folder, entry.name)) : true,
  );
}

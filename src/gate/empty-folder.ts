import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../flow/stage.ts';

/** A folder of outputs that holds no file: nothing was written, whatever its digest. */
export function isEmptyFolder(root: string, output: Output): boolean {
  return output.isFolder && !holdsFile(join(root, output.path));
}

function holdsFile(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory() ? holdsFile(join(folder, entry.name)) : true,
  );
}

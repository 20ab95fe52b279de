import { realpathSync } from 'node:fs';
import type { Fingerprint } from '../values/brands.ts';
import { err, ok, type Result } from '../values/result.ts';
import { fingerprintFile } from './file.ts';
import { fileProblem } from './file-problem.ts';

/** One look at the disk: no file or linked folder is hashed twice in it. */
export interface Pass {
  /** The folder that links to folders may not lead out of, without links in its own path. */
  readonly root: string;
  /** As {@link fingerprintFile}. */
  file(absolute: string, shown: string): Result<Fingerprint>;
  /** Digests of the folders that links led to, by real path. */
  readonly trees: Map<string, Fingerprint>;
}

export function startPass(root: string): Result<Pass> {
  const files = new Map<string, Fingerprint>();
  try {
    return ok({
      root: realpathSync.native(root),
      file(absolute, shown) {
        const known = files.get(absolute);
        if (known !== undefined) return ok(known);
        const digest = fingerprintFile(absolute, shown);
        if (digest.ok) files.set(absolute, digest.value);
        return digest;
      },
      trees: new Map(),
    });
  } catch (cause) {
    return err(fileProblem(cause, root));
  }
}

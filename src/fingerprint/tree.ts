import { lstatSync } from 'node:fs';
import type { Fingerprint } from '../values/brands.ts';
import { problem } from '../values/problem.ts';
import { err, type Result } from '../values/result.ts';
import { kindOf } from './file-kind.ts';
import { fileProblem } from './file-problem.ts';
import { digestLink } from './link.ts';
import { digestFolder } from './merkle.ts';
import { type Pass, startPass } from './pass.ts';

export interface TreeOptions {
  /** `refuse`: a link is a problem. `follow`: it counts with its target and what that holds. */
  readonly links: 'refuse' | 'follow';
}

/**
 * The digest of a folder with all that it holds (`merkle:`), files with leading dots included.
 *
 * @param root the folder that followed links to folders may not lead out of
 * @param shown the path as problems name it
 * @returns or the first problem; `file/not-regular` for a link that is refused, a FIFO, socket or
 *   device, and for what is no folder
 */
export function fingerprintTree(
  absolute: string,
  root: string,
  options: TreeOptions,
  shown = absolute,
): Result<Fingerprint> {
  const pass = startPass(root);
  return pass.ok ? digestTree(absolute, shown, pass.value, options) : pass;
}

/** As {@link fingerprintTree}, within a pass. */
export function digestTree(
  absolute: string,
  shown: string,
  pass: Pass,
  { links }: TreeOptions,
): Result<Fingerprint> {
  try {
    const there = lstatSync(absolute);
    if (!there.isDirectory()) return err(notAFolder(shown, kindOf(there)));
  } catch (cause) {
    return err(fileProblem(cause, shown));
  }
  return digestFolder(absolute, shown, {
    file: pass.file,
    link: (link, name) =>
      links === 'follow' ? digestLink(link, name, pass) : err(refusedLink(name)),
  });
}

function notAFolder(shown: string, kind: string) {
  return problem('file/not-regular', `${shown} is ${kind}, not a folder`);
}

function refusedLink(shown: string) {
  return problem('file/not-regular', `${shown} is a link, not a regular file`, {
    remedy: 'Outputs may not be links: let the engine write the file itself.',
  });
}

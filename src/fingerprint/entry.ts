import { lstatSync } from 'node:fs';
import type { Fingerprint } from '../values/brands.ts';
import { err, type Result } from '../values/result.ts';
import { kindOf } from './file-kind.ts';
import { fileProblem, notRegular } from './file-problem.ts';
import { digestLink } from './link.ts';
import { type Pass, startPass } from './pass.ts';

/**
 * The fingerprint of an input: a regular file by its content; a link by its target's text and by
 * what it leads to, which is a file anywhere or a folder within the root.
 *
 * @param shown the path as problems name it
 * @returns or the problem of {@link fingerprintFile} or {@link digestLink}
 */
export function fingerprintEntry(
  absolute: string,
  root: string,
  shown = absolute,
): Result<Fingerprint> {
  const pass = startPass(root);
  return pass.ok ? digestEntry(absolute, shown, pass.value) : pass;
}

/** As {@link fingerprintEntry}, within a pass. */
export function digestEntry(absolute: string, shown: string, pass: Pass): Result<Fingerprint> {
  try {
    const there = lstatSync(absolute);
    if (there.isSymbolicLink()) return digestLink(absolute, shown, pass);
    // Told without opening it: to open a device can have effects.
    if (!there.isFile()) return err(notRegular(shown, kindOf(there)));
  } catch (cause) {
    return err(fileProblem(cause, shown));
  }
  return pass.file(absolute, shown);
}

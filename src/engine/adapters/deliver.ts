import { copyFileSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkWorkspacePath } from '../../values/workspace-path.ts';
import type { EnvelopeError } from '../envelope.ts';
import { notWritten } from '../faults.ts';
import type { Bench } from './adapter.ts';
import { badValue } from './no-answer.ts';
import { textsIn } from './values.ts';

/**
 * Why these arguments cannot name outputs: what leads out of the workspace, or would take the place
 * of what is read or of another output.
 */
export function badOutput(
  { values, workspace }: Bench,
  outputs: readonly string[],
  inputs: readonly string[],
): EnvelopeError | undefined {
  const real = (path: string): string => realPath(resolve(workspace, path));
  const taken = new Set(inputs.flatMap((name) => textsIn(values, name)).map(real));
  for (const name of outputs) {
    for (const path of textsIn(values, name)) {
      const checked = checkWorkspacePath(path);
      if (!checked.ok) return badValue(`${name} cannot be ${path}: ${checked.why}`);
      if (taken.has(real(path)))
        return badValue(`${name} cannot be ${path}: it is named as something else too`);
      taken.add(real(path));
    }
  }
  return undefined;
}

/** Puts a file that a tool has written in the place that the user named for it. */
export function deliver(bench: Bench, written: string, path: string): EnvelopeError | undefined {
  const target = join(bench.workspace, path);
  try {
    mkdirSync(dirname(target), { recursive: true });
    // Never through a link to somewhere else.
    rmSync(target, { force: true });
    copyFileSync(written, target);
    return undefined;
  } catch (cause) {
    return notWritten(`${path} cannot be written: ${String(cause)}`);
  }
}

/** A file that is not there yet has the path that it is going to have. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

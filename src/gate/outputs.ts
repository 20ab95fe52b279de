import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Output, outputKey } from '../flow/stage.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

/**
 * Outputs live in place. Before a run the old ones are moved into its folder, so that what is there
 * afterwards was written by it; when it reaches no conclusion they come back.
 */
const ASIDE = 'aside';
/** What a run without conclusion left behind, kept for whoever looks into it. */
const LEFT = 'left';

/**
 * Moves the outputs of a stage out of the way and makes the folders that they will be written to.
 *
 * @param root absolute path of the workspace
 * @param folder absolute path of the run's folder
 */
export function moveOutputsAside(
  root: string,
  outputs: readonly Output[],
  folder: string,
): Result<void> {
  for (const output of outputs) {
    const fault = foldersLeadOutside(root, output);
    if (fault) return err(fault);
  }
  // Made even when there is nothing to move: it tells a later gate that this run had begun to write.
  const moved = attempt(() => mkdirSync(join(folder, ASIDE), { recursive: true }));
  if (!moved.ok) return moved;
  for (const output of outputs) {
    const done = attempt(() => {
      move(join(root, output.path), join(folder, ASIDE, output.path));
      // Not the output folder itself: that it is there afterwards must be the engine's doing.
      mkdirSync(dirname(join(root, output.path)), { recursive: true });
    });
    if (!done.ok) return done;
  }
  return ok(undefined);
}

/** Ends the waiting of the old outputs: the new ones are recorded. */
export function dropOldOutputs(folder: string): Result<void> {
  return attempt(() => rmSync(join(folder, ASIDE), { recursive: true, force: true }));
}

/** Puts the old outputs back; what the run wrote in their place is kept in its folder. */
export function bringOldOutputsBack(
  root: string,
  outputs: readonly Output[],
  folder: string,
): Result<void> {
  if (!existsSync(join(folder, ASIDE))) return ok(undefined);
  return attempt(() => {
    for (const output of outputs) {
      move(join(root, output.path), join(folder, LEFT, output.path));
      move(join(folder, ASIDE, output.path), join(root, output.path));
    }
    rmSync(join(folder, ASIDE), { recursive: true, force: true });
  });
}

/** Did a run get as far as moving outputs aside? */
export function hasOutputsAside(folder: string): boolean {
  return existsSync(join(folder, ASIDE));
}

function move(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

/** A folder on the way that is a link could make the gate move files that are none of its business. */
function foldersLeadOutside(root: string, output: Output): Problem | undefined {
  const segments = output.path.split('/').slice(0, -1);
  let folder = root;
  for (const segment of segments) {
    folder = join(folder, segment);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (!stat) return undefined;
    if (!stat.isSymbolicLink()) continue;
    const real = realpathSync(folder);
    if (real !== root && !real.startsWith(`${root}/`)) {
      return problem(
        'file/link-outside',
        `the output ${outputKey(output)} lies behind a link that leads outside the workspace`,
        {
          at: { file: output.path },
          remedy: 'Replace the link by a folder, or write the output elsewhere.',
        },
      );
    }
  }
  return undefined;
}

function attempt(action: () => unknown): Result<void> {
  try {
    action();
    return ok(undefined);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return err(problem('file/write-failed', `outputs cannot be moved (${code ?? message})`));
  }
}

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Output, outputKey } from '../flow/stage.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

/**
 * Outputs live in place. Before a run the old ones are moved into its folder, so that what is there
 * afterwards was written by it; when it reaches no conclusion they come back. The folder that they
 * wait in says by its name how far that has come, so that a kill at any moment can be mended.
 */
/** Some are in it and some still in place: nothing has been written yet. */
const LEAVING = 'aside.part';
/** All are in it: what is in place was written by the run. */
const ASIDE = 'aside';
/** What the run wrote is put away: what is in place has come back. */
const RETURNING = 'aside.back';
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
  return attempt(() => {
    // Made even when there is nothing to move: it tells a later gate that this run had begun to write.
    mkdirSync(join(folder, LEAVING), { recursive: true });
    for (const { path } of outputs) move(join(root, path), join(folder, LEAVING, path));
    renameSync(join(folder, LEAVING), join(folder, ASIDE));
    // Not the output folder itself: that it is there afterwards must be the engine's doing.
    for (const { path } of outputs) mkdirSync(dirname(join(root, path)), { recursive: true });
  });
}

/** Ends the waiting of the old outputs: the new ones are recorded. */
export function dropOldOutputs(folder: string): Result<void> {
  return attempt(() => {
    for (const waiting of WAITING) rmSync(join(folder, waiting), { recursive: true, force: true });
  });
}

/** Puts the old outputs back; what the run wrote in their place is kept in its folder. */
export function bringOldOutputsBack(
  root: string,
  outputs: readonly Output[],
  folder: string,
): Result<void> {
  return attempt(() => {
    if (existsSync(join(folder, ASIDE))) {
      for (const { path } of outputs) move(join(root, path), join(folder, LEFT, path));
      renameSync(join(folder, ASIDE), join(folder, RETURNING));
    }
    for (const waiting of [LEAVING, RETURNING].map((name) => join(folder, name))) {
      if (!existsSync(waiting)) continue;
      for (const { path } of outputs) move(join(waiting, path), join(root, path));
      // What the flow has named as an output no longer since then stays where it is.
      if (!holdsFile(waiting)) rmSync(waiting, { recursive: true });
    }
  });
}

/** Did a run get as far as moving outputs aside? */
export function hasOutputsAside(folder: string): boolean {
  return WAITING.some((waiting) => existsSync(join(folder, waiting)));
}

const WAITING = [LEAVING, ASIDE, RETURNING];

function move(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false })) return;
  mkdirSync(dirname(to), { recursive: true });
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

/** Whether anything but folders lies in a folder, at any depth. */
function holdsFile(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) => !entry.isDirectory() || holdsFile(join(folder, entry.name)),
  );
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

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Stray } from '../../report/result.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { type Checkout, SUBMODULE } from './checkout.ts';
import { difference, LINE_ENDS } from './commit-file.ts';
import type { CommitComparison } from './grounds.ts';

/**
 * Compares what proofs have recorded, and so rest on, with what the commit holds.
 *
 * @param recorded paths of the workspace, each with the stage whose it is
 */
export function compareRecorded(
  { head, folder, top }: Checkout,
  recorded: ReadonlyMap<string, string>,
): CommitComparison {
  const strays: Stray[] = [];
  const problems: Problem[] = [];
  for (const [path, stage] of recorded) {
    const full = join(folder, path);
    if (head.tree.has(full)) {
      compare(full, path, stage);
      continue;
    }
    const inside = [...head.tree.keys()].filter((name) => name.startsWith(`${full}/`));
    for (const name of inside) compare(name, `${path}${name.slice(full.length)}`, stage);
    if (inside.length === 0 && lookAt(join(top, full))) tell(path, stage, 'git does not track it');
  }
  return { strays, problems };

  function compare(full: string, path: string, stage: string): void {
    const entry = head.tree.get(full);
    if (!entry || entry.mode === SUBMODULE) return;
    const absolute = join(top, full);
    const why = lookAt(absolute) ? difference(absolute, entry) : 'it is gone';
    if (why !== undefined) tell(path, stage, why);
  }

  /** No stage runs here that could have written it: what differs is not of the commit. */
  function tell(path: string, stage: string, why: string): void {
    strays.push({ path, why });
    if (why !== LINE_ENDS) {
      problems.push(
        problem('trust/not-from-commit', `${path} is not as the commit has it: ${why}`, {
          at: { file: path },
          stage,
          remedy: 'Commit it, or bring back what the commit holds.',
        }),
      );
    }
  }
}

function lookAt(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
}

import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, problem } from '../../values/problem.ts';
import type { Workspace } from '../workspace.ts';
import { isInputOf } from './altered.ts';
import { type Checkout, SUBMODULE } from './checkout.ts';

/** What a checkout left out that stages read: submodules, and files that a sparse checkout skips. */
export async function checkoutProblems(
  checkout: Checkout,
  workspace: Workspace,
): Promise<Problem[]> {
  return [...absentSubmodules(checkout, workspace), ...(await skippedFiles(checkout, workspace))];
}

function absentSubmodules({ head, folder, top }: Checkout, { flow }: Workspace): Problem[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return [...head.tree].flatMap(([path, { mode }]) => {
    if (mode !== SUBMODULE || !path.startsWith(prefix) || !isEmptyFolder(join(top, path)))
      return [];
    const inside = path.slice(prefix.length);
    const reader = flow.stages.find(
      ({ inputs }) =>
        inputs !== 'none' && inputs.include.some(({ selector }) => selector.reaches(inside)),
    );
    if (!reader) return [];
    return [
      problem('checkout/submodule-absent', `the submodule ${inside} is not checked out`, {
        stage: reader.name,
        remedy: 'Check out with `submodules: true` (`recursive` if it has some of its own).',
      }),
    ];
  });
}

function isEmptyFolder(absolute: string): boolean {
  try {
    return readdirSync(absolute).length === 0;
  } catch {
    return true;
  }
}

async function skippedFiles(
  { git, folder, top }: Checkout,
  { flow }: Workspace,
): Promise<Problem[]> {
  const sparse = await git.ask('config', '--bool', 'core.sparseCheckout');
  if (!sparse.ok || sparse.stdout.toString('utf8').trim() !== 'true') return [];
  const listed = await git.ask('ls-files', '-t', '-z');
  if (!listed.ok) return [];
  const prefix = folder === '' ? '' : `${folder}/`;
  const skipped = listed.stdout
    .toString('utf8')
    .split('\0')
    .filter((line) => line.startsWith('S ') && line.startsWith(prefix, 2))
    .map((line) => line.slice(2 + prefix.length));
  for (const stage of flow.stages) {
    const first = skipped.find(
      (path) =>
        isInputOf(stage, path) &&
        lstatSync(join(top, prefix + path), { throwIfNoEntry: false }) === undefined,
    );
    if (first !== undefined) {
      return [
        problem('checkout/sparse', `a sparse checkout leaves out ${first}, which a stage reads`, {
          stage: stage.name,
          remedy: 'Check out without `sparse-checkout`, or with every folder of the workspace.',
        }),
      ];
    }
  }
  return [];
}

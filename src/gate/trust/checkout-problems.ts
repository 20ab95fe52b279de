import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, problem } from '../../values/problem.ts';
import type { Workspace } from '../workspace.ts';
import { inWorkspace, isInputOf } from './altered.ts';
import { type Checkout, SUBMODULE } from './checkout.ts';

/** What a checkout left out that stages read: submodules, and files that a sparse checkout skips. */
export async function checkoutProblems(
  checkout: Checkout,
  workspace: Workspace,
): Promise<Problem[]> {
  const { stages } = workspace.flow;
  const reader = (path: string): string | undefined =>
    stages.find((stage) => isInputOf(stage, path))?.name;
  return [...absentSubmodules(checkout, workspace), ...(await skippedFiles(checkout, reader))];
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

/**
 * Files that a sparse checkout leaves out and a stage reads.
 *
 * @param reader the stage that reads a path of the workspace
 */
export async function skippedFiles(
  checkout: Checkout,
  reader: (path: string) => string | undefined,
): Promise<Problem[]> {
  const skipped = await skippedPaths(checkout);
  const first = [...skipped].find((path) => reader(path) !== undefined);
  if (first === undefined) return [];
  return [
    problem('checkout/sparse', `a sparse checkout leaves out ${first}, which a stage reads`, {
      stage: reader(first),
      remedy: 'Check out without `sparse-checkout`, or with every folder of the workspace.',
    }),
  ];
}

/** The paths of the workspace that a sparse checkout leaves out. */
export async function skippedPaths({ git, folder, top }: Checkout): Promise<ReadonlySet<string>> {
  const sparse = await git.ask('config', '--bool', 'core.sparseCheckout');
  if (!sparse.ok || sparse.stdout.toString('utf8').trim() !== 'true') return new Set();
  const listed = await git.ask('ls-files', '-t', '-z');
  if (!listed.ok) return new Set();
  const paths = listed.stdout
    .toString('utf8')
    .split('\0')
    .filter((line) => line.startsWith('S '))
    .map((line) => line.slice(2))
    .filter((path) => lstatSync(join(top, path), { throwIfNoEntry: false }) === undefined)
    .flatMap((path) => inWorkspace(path, folder) ?? []);
  return new Set(paths);
}

import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { selectEntries } from '../../fingerprint/selection.ts';
import { walkWorkspace } from '../../fingerprint/walk.ts';
import { isOwnOutput, type Stage } from '../../flow/stage.ts';
import type { StageAssessment } from '../../proof/assess.ts';
import type { Stray } from '../../report/result.ts';
import { compareBytes } from '../../values/order.ts';
import { type Problem, problem } from '../../values/problem.ts';
import type { Workspace } from '../workspace.ts';
import { findJudges, inWorkspace, isInputOf } from './altered.ts';
import { type Checkout, SUBMODULE, type Tree } from './checkout.ts';
import { difference, LINE_ENDS } from './commit-file.ts';
import type { CommitComparison } from './grounds.ts';

/**
 * Compares what was judged with what would be merged. An input that is neither tracked and equal to
 * the commit, nor an output of a stage that is valid, is listed. A tracked output must be the one
 * that was proven: else the commit carries another file than the judgement is about.
 */
export function commitComparison(
  checkout: Checkout,
  workspace: Workspace,
  skipped: ReadonlySet<string>,
  base?: Tree,
): (stages: readonly StageAssessment[]) => CommitComparison {
  return (stages) => {
    const valid = stages.filter(({ status }) => status === 'valid').map(({ stage }) => stage);
    return {
      strays: findStrays(checkout, workspace, valid),
      problems: [
        ...alteredHere(checkout, workspace, valid, skipped),
        ...swappedOutputs(checkout, workspace, valid),
        ...strayLinks(checkout, workspace, valid),
        ...takenOut(checkout, workspace, valid, base),
      ],
    };
  };
}

/**
 * Tracked files that a judgement rests on and that something has altered since the checkout: inputs,
 * and what judges them. What ran here may have done it; the commit was then not judged.
 */
function alteredHere(
  checkout: Checkout,
  workspace: Workspace,
  valid: readonly Stage[],
  skipped: ReadonlySet<string>,
): Problem[] {
  const { head, folder, top } = checkout;
  const judgesOf = findJudges([workspace.flow], checkout, [head.tree]);
  return [...head.tree].flatMap(([path, entry]) => {
    if (entry.mode === SUBMODULE) return [];
    const inside = inWorkspace(path, folder);
    // What a sparse checkout leaves out has been told.
    if (inside !== undefined && skipped.has(inside)) return [];
    if (inside !== undefined && valid.some((stage) => isOwnOutput(stage, inside))) return [];
    const stage =
      judgesOf(path)[0] ??
      (inside === undefined
        ? undefined
        : workspace.flow.stages.find((one) => isInputOf(one, inside))?.name);
    if (stage === undefined) return [];
    const absolute = join(top, path);
    const why = isThere(absolute) ? difference(absolute, entry) : 'it is gone';
    if (why === undefined || why === LINE_ENDS) return [];
    return [
      problem('trust/not-from-commit', `${inside ?? path} is not as the commit has it: ${why}`, {
        at: { file: inside ?? path },
        stage,
        remedy:
          'Nothing before or in the gate may alter what is judged: commit it, or make it an output of a stage.',
      }),
    ];
  });
}

function swappedOutputs(
  { head, folder }: Checkout,
  { root }: Workspace,
  valid: readonly Stage[],
): Problem[] {
  const paths = [...tracked(head.tree, folder)];
  return valid.flatMap((stage) =>
    paths.flatMap((path) => {
      const entry = isOwnOutput(stage, path) ? head.tree.get(join(folder, path)) : undefined;
      const why = entry && difference(join(root, path), entry);
      if (why === undefined) return [];
      return [
        problem(
          'trust/output-differs',
          `the commit holds another ${path} than was proven: ${why}`,
          {
            at: { file: path },
            stage: stage.name,
            remedy: 'Commit the file that the stage writes, or let git ignore it.',
          },
        ),
      ];
    }),
  );
}

/** What the change takes out of the repository and is here all the same is not what it will be. */
function takenOut(
  { head, folder }: Checkout,
  workspace: Workspace,
  valid: readonly Stage[],
  base: Tree | undefined,
): Problem[] {
  return [...inputsOf(workspace)].flatMap((path) => {
    const full = join(folder, path);
    const isTakenOut = base?.has(full) && !head.tree.has(full);
    if (!isTakenOut || valid.some((stage) => isOwnOutput(stage, path))) return [];
    return [
      problem('trust/not-from-commit', `the change removes ${path}, and it is here and was read`, {
        at: { file: path },
        remedy: 'Judge a clean checkout: a runner that keeps its folders keeps what was removed.',
      }),
    ];
  });
}

/** A link of the commit may lead to what is not of the commit: then its content is anybody's. */
function strayLinks(
  { head, top }: Checkout,
  workspace: Workspace,
  valid: readonly Stage[],
): Problem[] {
  return [...inputsOf(workspace)].flatMap((path) => {
    const absolute = join(workspace.root, path);
    if (!isLink(absolute)) return [];
    const why = whyStray(absolute);
    if (why === undefined) return [];
    return [
      problem('trust/link-outside', `${path} is a link to ${why}`, {
        at: { file: path },
        remedy: 'Put the file itself there, or declare what it leads to as `external`.',
      }),
    ];
  });

  function whyStray(link: string): string | undefined {
    let real: string;
    try {
      real = realpathSync(link);
    } catch {
      return 'nothing that can be read';
    }
    const path = relative(top, real);
    if (path.startsWith('../') || isAbsolute(path)) return 'a file outside the checkout';
    const inside = relative(workspace.root, real);
    if (valid.some((stage) => isOwnOutput(stage, inside))) return undefined;
    const entry = head.tree.get(path);
    if (entry)
      return difference(real, entry) === undefined
        ? undefined
        : 'a file that differs from the commit';
    // A folder: each file in it is an input of its own right only if a selector says so.
    const isTracked = [...head.tree.keys()].some((name) => name.startsWith(`${path}/`));
    return isTracked ? undefined : 'a file that git does not track';
  }
}

function isLink(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function findStrays(
  { head, folder }: Checkout,
  workspace: Workspace,
  valid: readonly Stage[],
): Stray[] {
  const strays = new Map<string, string>();
  const isProduced = (path: string): boolean => valid.some((stage) => isOwnOutput(stage, path));
  for (const path of inputsOf(workspace)) {
    if (isProduced(path)) continue;
    const entry = head.tree.get(join(folder, path));
    const why = entry ? difference(join(workspace.root, path), entry) : 'git does not track it';
    if (why !== undefined) strays.set(path, why);
  }
  for (const path of tracked(head.tree, folder)) {
    if (strays.has(path) || isThere(join(workspace.root, path))) continue;
    const reader = workspace.flow.stages.find((stage) => isInputOf(stage, path));
    if (reader) strays.set(path, 'the commit has it, and it is not here');
  }
  return [...strays]
    .map(([path, why]): Stray => ({ path, why }))
    .sort((a, b) => compareBytes(a.path, b.path));
}

/** Every file that some stage reads, as it is now. */
function inputsOf({ root, flow }: Workspace): Set<string> {
  const walk = walkWorkspace(root);
  const paths = new Set<string>();
  for (const stage of flow.stages) {
    if (stage.inputs === 'none') continue;
    const { paths: entries } = selectEntries(walk, stage.inputs, (path) =>
      isOwnOutput(stage, path),
    );
    for (const { path } of entries) paths.add(path);
  }
  return paths;
}

function* tracked(tree: Checkout['head']['tree'], folder: string): Generator<string> {
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const [path, { mode }] of tree) {
    if (mode !== SUBMODULE && path.startsWith(prefix)) yield path.slice(prefix.length);
  }
}

function isThere(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
}

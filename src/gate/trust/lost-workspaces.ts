import { posix } from 'node:path';
import { FLOW_FILES } from '../../flow/load-flow.ts';
import { EVENTS_FILE } from '../../log/names.ts';
import type { JudgingChange } from '../../proof/judging.ts';
import type { Checkout, Commit, Tree } from './checkout.ts';

/** The workspaces anywhere in the repository that the base has and our commit has not. */
export function lostWorkspaces({ head }: Checkout, base: Commit): JudgingChange[] {
  const ours = workspacesIn(head.tree);
  return [...workspacesIn(base.tree)]
    .filter((folder) => !ours.has(folder))
    .map((folder) => ({
      stage: undefined,
      message: `the workspace ${folder === '.' ? 'at the root' : folder} was removed or renamed`,
    }));
}

/** A folder with a flow file, or one that VeriPower drives. */
function workspacesIn(tree: Tree): ReadonlySet<string> {
  const folders = new Set<string>();
  const isFlowFile = (name: string): boolean => FLOW_FILES.some((file) => file === name);
  for (const path of tree.keys()) {
    const folder = posix.dirname(path);
    const name = posix.basename(path);
    if (isFlowFile(name)) folders.add(folder);
    else if (name === EVENTS_FILE && hasDesign(tree, folder)) folders.add(folder);
  }
  return folders;
}

const DESIGNS = new WeakMap<Tree, Set<string>>();

function hasDesign(tree: Tree, folder: string): boolean {
  let known = DESIGNS.get(tree);
  if (!known) {
    known = new Set();
    for (const path of tree.keys()) {
      const found = /^(?:(.*)\/)?(?:Design|Verification)\//.exec(path);
      if (found) known.add(found[1] ?? '.');
    }
    DESIGNS.set(tree, known);
  }
  return known.has(folder);
}

import { join } from 'node:path';
import type { Flow, Stage } from '../../flow/stage.ts';
import { definitionOf } from '../../proof/definition.ts';
import { inWorkspace, isInputOf } from './altered.ts';
import type { Checkout } from './checkout.ts';

/**
 * The stages whose result this change may have made other than it is on the base: those it defines
 * anew, whose inputs or judges it alters, and all that need one of them. What a cache holds for them
 * can only have been kept by an earlier job of the same change, which could keep anything.
 *
 * @param altered paths from the root of the repository
 * @param judged the stages of which a judge is altered
 */
export function touchedStages(
  base: Flow | undefined,
  ours: Flow,
  altered: ReadonlySet<string>,
  judged: ReadonlySet<string | undefined>,
  { top, folder }: Pick<Checkout, 'top' | 'folder'>,
): ReadonlySet<string> {
  const root = join(top, folder);
  const inside = [...altered].flatMap((path) => inWorkspace(path, folder) ?? []);
  const touched = new Set<string>();
  // Stages stand after what they need.
  for (const stage of ours.stages) {
    const before = base?.stages.find(({ name }) => name === stage.name);
    const isTouched =
      !before ||
      !isDefinedAlike(before, stage, root) ||
      judged.has(stage.name) ||
      inside.some((path) => isInputOf(stage, path) || isInputOf(before, path)) ||
      [...altered].some((path) => isExternalOf(stage, join(top, path))) ||
      stage.needs.some((need) => touched.has(need));
    if (isTouched) touched.add(stage.name);
  }
  return touched;
}

function isDefinedAlike(before: Stage, after: Stage, root: string): boolean {
  return definitionOf(before, null, root).digest === definitionOf(after, null, root).digest;
}

/** An external may lie in the same repository, beside the workspace. */
function isExternalOf({ external }: Stage, absolute: string): boolean {
  return Object.values(external).some((pattern) => {
    const literal = pattern.split(/[*?[{]/, 1)[0] ?? '';
    return absolute.startsWith(literal);
  });
}

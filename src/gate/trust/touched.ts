import type { Flow, Stage } from '../../flow/stage.ts';
import { definitionOf } from '../../proof/definition.ts';
import { alteredJudges, isInputOf } from './altered.ts';

/**
 * The stages whose result this change may have made other than it is on the base: those it defines
 * anew, whose inputs or judges it alters, and all that need one of them. What a cache holds for them
 * can only have been kept by an earlier job of the same change, which could keep anything.
 */
export function touchedStages(
  base: Flow | undefined,
  ours: Flow,
  altered: ReadonlySet<string>,
  root: string,
): ReadonlySet<string> {
  const judged = new Set(alteredJudges(ours, altered).map(({ stage }) => stage));
  const touched = new Set<string>();
  // Stages stand after what they need.
  for (const stage of ours.stages) {
    const before = base?.stages.find(({ name }) => name === stage.name);
    const isTouched =
      !before ||
      !isDefinedAlike(before, stage, root) ||
      judged.has(stage.name) ||
      [...altered].some((path) => isInputOf(stage, path) || isInputOf(before, path)) ||
      stage.needs.some((need) => touched.has(need));
    if (isTouched) touched.add(stage.name);
  }
  return touched;
}

function isDefinedAlike(before: Stage, after: Stage, root: string): boolean {
  return definitionOf(before, null, root).digest === definitionOf(after, null, root).digest;
}

import type { Flow, Stage } from '../flow/stage.ts';

/**
 * The stages whose predecessors have all settled and that have not themselves: what can be decided
 * now, in the order of the flow.
 */
export function decidable(flow: Flow, isSettled: (name: string) => boolean): Stage[] {
  return flow.stages.filter(
    (stage) => !isSettled(stage.name) && [...stage.needs, ...stage.after].every(isSettled),
  );
}

/** The stages named, with all that they need, directly or not. */
export function withNeeds(flow: Flow, names: readonly string[]): ReadonlySet<string> {
  const wanted = new Set<string>(names);
  // Stages stand after what they need, so one walk from the end sees every need in time.
  for (const stage of [...flow.stages].reverse()) {
    if (wanted.has(stage.name)) for (const need of stage.needs) wanted.add(need);
  }
  return wanted;
}

import { matchesName } from './name-match.ts';
import { ADVISORY_AFTER, PIPELINE_INPUTS, type PresetStage, STAGE_DATA } from './registry-data.ts';

export type { Execution, Oracle, PresetStage } from './registry-data.ts';

/** A stage that has a conclusion. */
export type ProofStage = PresetStage & { readonly oracle: NonNullable<PresetStage['oracle']> };

/** All stages by name. A Map: a log may name a stage `constructor`. */
const byName: ReadonlyMap<string, PresetStage> = new Map(
  STAGE_DATA.map((stage) => [stage.name, stage]),
);

/** The stages with a proof, in the order that decides between them (spec/06 §6.1). */
export const PROOF_STAGES: readonly ProofStage[] = STAGE_DATA.filter(hasProof);

function hasProof(stage: PresetStage): stage is ProofStage {
  return stage.oracle !== undefined;
}

export function findPresetStage(name: string): PresetStage | undefined {
  return byName.get(name);
}

/** Where a stage without a cell is sorted: nowhere in the order, which each caller reads its way. */
export function priorityOf(name: string): number | undefined {
  const index = PROOF_STAGES.findIndex((stage) => stage.name === name);
  return index === -1 ? undefined : index;
}

/** The stages that this one waits for while they are coming (scheduling only). */
export function advisoryPredecessors(name: string): readonly string[] {
  return ADVISORY_AFTER.get(name) ?? [];
}

/** Where the requirements of a workspace are (spec/04 "Versioning boundary"). */
export type Layout =
  /** `brainstorm.md` at the root, an input of the specification. */
  | 'brainstorm'
  /** The whole `intent/` tree, an input of every stage. */
  | 'intent';

/** The folder of the layout of that name, and the document in it without which nothing begins. */
export const INTENT_FOLDER = 'intent';
export const INTENT_DOCUMENT = 'intent/brainstorm.md';

/** The selectors of a stage's inputs under a layout. */
export function inputsOf(stage: PresetStage, layout: Layout): readonly string[] {
  if (layout === 'brainstorm') return stage.inputs;
  return [INTENT_FOLDER, ...stage.inputs.filter((selector) => !isExternal(selector))];
}

/** Whether no stage produces what the selector names: people bring it. */
export function isExternal(selector: string): boolean {
  return selector === INTENT_FOLDER || PIPELINE_INPUTS.includes(selector);
}

/**
 * The stage that owns a path or a selector: the first in the registry one of whose outputs, as a
 * `fnmatch` pattern, matches it (spec/06 §6.3).
 */
export function producerOf(path: string): PresetStage | undefined {
  return STAGE_DATA.find(
    ({ root, outputs }) =>
      // The folder of a stage is no pattern: what does not lie in it matches none of its outputs.
      path.startsWith(`${root}/`) &&
      outputs.some((output) => matchesName(path, `${root}/${output}`)),
  );
}

const directProducers = new Map<string, ReadonlySet<string>>();

/** The stages that own an input of this one, directly. */
export function producersOf(name: string): ReadonlySet<string> {
  const known = directProducers.get(name);
  if (known) return known;
  const producers = new Set<string>();
  for (const selector of byName.get(name)?.inputs ?? []) {
    const producer = producerOf(selector);
    if (producer && producer.name !== name) producers.add(producer.name);
  }
  directProducers.set(name, producers);
  return producers;
}

const closures = new Map<string, ReadonlySet<string>>();

/** The stages that this one depends on, directly or not: who may be asked to repair it. */
export function inputClosure(name: string): ReadonlySet<string> {
  const known = closures.get(name);
  if (known) return known;
  const closure = new Set<string>(producersOf(name));
  // A set hands out what is added while it is walked.
  for (const member of closure) for (const producer of producersOf(member)) closure.add(producer);
  closures.set(name, closure);
  return closure;
}

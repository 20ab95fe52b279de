import { compareBytes } from '../../../values/order.ts';
import type { Problem } from '../../../values/problem.ts';
import { listed, missingEvidence, ofStage } from './doubt.ts';
import { byPath, type Evidence, isCovered } from './evidence.ts';
import type { Facts } from './facts.ts';
import { listFolder } from './folder-listing.ts';
import { textRepr } from './python-text.ts';
import { INTENT_FOLDER, inputsOf, isExternal } from './registry.ts';

/** Each run works in a folder of its own under this one: history, and nothing that is published. */
const RUNS: ReadonlySet<string> = new Set(['runs']);

/**
 * What a proof should cover and does not: things that its selectors select, the requirements, and
 * what is published in the stage's folder (spec/04 "Completion and acceptance records").
 */
export function coverageDoubts(facts: Facts, evidence: Evidence): Problem[] {
  return [
    ...newInputs(facts, evidence),
    ...requirements(facts, evidence),
    ...published(facts, evidence),
  ];
}

/** Whatever a selector selects: a folder or a link that leads nowhere is read by the next run too. */
function newInputs({ disk }: Facts, { stage, inputs }: Evidence): Problem[] {
  const covered = byPath(inputs);
  const selectors = inputsOf(stage, disk.layout).filter((selector) => !isExternal(selector));
  const found = selectors.map((selector) => disk.select(selector));
  const added = new Set(found.flatMap(({ matches }) => matches.map(({ path }) => path)));
  const problems = [...added]
    .filter((path) => !isCovered(path, covered))
    .map((path) =>
      missingEvidence(
        `${textRepr(path)} is an input that its proof does not know`,
        stage.name,
        path,
        'Remove it, or run the stage again.',
      ),
    );
  const unreadable = new Map(
    found.flatMap((selected) => selected.unreadable).map((problem) => [problem.message, problem]),
  );
  return [
    ...listed(problems, 'inputs that its proof does not know'),
    ...[...unreadable.values()].map((problem) => ofStage(problem, stage.name)),
  ];
}

/** What people require, which no stage writes: unrecorded, it could change without being seen. */
function requirements({ disk }: Facts, { stage, inputs }: Evidence): Problem[] {
  const covered = byPath(inputs);
  const literal = stage.inputs.filter((path) => isExternal(path) && disk.exists(path));
  const intent = listFolder(`${disk.root}/${INTENT_FOLDER}`, INTENT_FOLDER);
  const tree = intent.paths.map((path) => `${INTENT_FOLDER}/${path}`);
  // Where the tree holds the document, one at the root is no part of that layout.
  const wanted = [...(disk.layout === 'brainstorm' ? literal : []), ...tree];
  const problems = wanted
    .filter((path) => !isCovered(path, covered))
    .map((path) =>
      missingEvidence(
        `its proof does not cover ${textRepr(path)}, which is an input of it`,
        stage.name,
        path,
        'Run the stage again.',
      ),
    );
  return [
    ...listed(problems, 'requirements that its proof does not cover'),
    ...intent.unreadable.map((problem) => ofStage(problem, stage.name)),
  ];
}

/** Files in the stage's folder that its outcome did not record, and the envelope if it did not. */
function published({ disk }: Facts, { stage, outputs }: Evidence): Problem[] {
  const covered = byPath(outputs);
  const { paths, unreadable } = listFolder(`${disk.root}/${stage.root}`, stage.root, RUNS);
  const problems = paths
    .map((path) => `${stage.root}/${path}`)
    .filter((path) => !isCovered(path, covered))
    .map((path) =>
      missingEvidence(
        `${textRepr(path)} is published and its outcome does not record it`,
        stage.name,
        path,
        'Remove it, or run the stage again.',
      ),
    );
  const envelope = `${stage.root}/result.json`;
  if (!isCovered(envelope, covered) && !paths.includes('result.json')) {
    problems.push(
      missingEvidence(
        `its outcome does not record ${envelope}`,
        stage.name,
        envelope,
        'Run the stage again.',
      ),
    );
  }
  return [
    ...listed(problems.sort(byFile), 'published files that its outcome does not record'),
    ...unreadable.map((problem) => ofStage(problem, stage.name)),
  ];
}

function byFile(a: Problem, b: Problem): number {
  return compareBytes(a.at?.file ?? '', b.at?.file ?? '');
}

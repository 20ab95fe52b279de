import type { StageName } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import type { FlowSource } from './document.ts';
import { nearest } from './schema-problems.ts';
import { type Inputs, isOwnOutput, type Output, outputKey, type Stage } from './stage.ts';
import type { UnlinkedStage } from './stages.ts';

/**
 * Links stages into a graph. A stage needs the stage whose declared output one of its selectors can
 * match; that is decided on names alone, so the graph is the same whatever lies on the disk.
 *
 * @returns the stages, each after those that it needs or comes after, else in the order given
 */
export function linkStages(
  source: FlowSource,
  unlinked: readonly UnlinkedStage[],
): Result<Stage[], Problem[]> {
  const problems = [...ownershipProblems(source, unlinked), ...afterProblems(source, unlinked)];
  if (problems.length > 0) return err(problems);
  const stages = unlinked.map(({ afterNames, ...stage }): Stage => {
    const others = unlinked.filter((other) => other.name !== stage.name);
    return {
      ...stage,
      needs: others.filter((other) => reads(stage, other)).map((other) => other.name),
      after: others.filter((other) => afterNames.includes(other.name)).map((other) => other.name),
    };
  });
  return inOrder(source, stages);
}

function reads(reader: Pick<Stage, 'inputs' | 'outputs'>, writer: Pick<Stage, 'outputs'>): boolean {
  const { inputs } = reader;
  if (inputs === 'none') return false;
  return writer.outputs.some(
    (output) => canSelect(inputs, output) && !isOwnOutput(reader, output.path),
  );
}

function canSelect({ include, exclude }: Inputs, output: Output): boolean {
  const selected = include.some(({ selector }) =>
    output.isFolder ? selector.reaches(output.path) : selector.matches(output.path),
  );
  // An exclusion of part of a folder leaves the edge: the rest may still be read.
  const excluded = !output.isFolder && exclude.some((selector) => selector.matches(output.path));
  return selected && !excluded;
}

function ownershipProblems(source: FlowSource, stages: readonly UnlinkedStage[]): Problem[] {
  const owned = stages.flatMap((stage) => stage.outputs.map((output) => ({ stage, output })));
  const problems: Problem[] = [];
  for (const [index, later] of owned.entries()) {
    const earlier = owned
      .slice(0, index)
      .find((candidate) => overlap(candidate.output, later.output));
    if (!earlier) continue;
    problems.push(
      problem(
        'flow/two-owners',
        earlier.stage.name === later.stage.name
          ? `stage \`${later.stage.name}\` lists \`${outputKey(later.output)}\` and \`${outputKey(earlier.output)}\`, which are the same or inside one another`
          : `\`${outputKey(later.output)}\` is an output of stage \`${later.stage.name}\`, and \`${outputKey(earlier.output)}\` of stage \`${earlier.stage.name}\``,
        {
          at: source.place(['stages', later.stage.name, 'outputs']),
          stage: later.stage.name,
          remedy:
            'Every output has one owner; names that differ only in case or Unicode form count as the same.',
        },
      ),
    );
  }
  return problems;
}

function overlap(a: Output, b: Output): boolean {
  const x = fold(a.path);
  const y = fold(b.path);
  return x === y || x.startsWith(`${y}/`) || y.startsWith(`${x}/`);
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function afterProblems(source: FlowSource, stages: readonly UnlinkedStage[]): Problem[] {
  const names = stages.map((stage) => stage.name as string);
  return stages.flatMap((stage) =>
    stage.afterNames.flatMap((name, index) => {
      if (names.includes(name) && name !== stage.name) return [];
      const near = nearest(name, names);
      return [
        problem(
          'flow/unknown-stage',
          name === stage.name
            ? `stage \`${name}\` cannot come after itself`
            : `\`after\` names \`${name}\`, which is no stage of this flow`,
          {
            at: source.place(['stages', stage.name, 'after', index]),
            stage: stage.name,
            remedy: near && near !== stage.name ? `Did you mean \`${near}\`?` : undefined,
          },
        ),
      ];
    }),
  );
}

function inOrder(source: FlowSource, stages: readonly Stage[]): Result<Stage[], Problem[]> {
  const byName = new Map<StageName, Stage>(stages.map((stage) => [stage.name, stage]));
  const ordered: Stage[] = [];
  const state = new Map<StageName, 'open' | 'done'>();
  const trail: StageName[] = [];
  let cycle: StageName[] | undefined;

  const visit = (stage: Stage): void => {
    if (cycle || state.get(stage.name) === 'done') return;
    if (state.get(stage.name) === 'open') {
      cycle = [...trail.slice(trail.indexOf(stage.name)), stage.name];
      return;
    }
    state.set(stage.name, 'open');
    trail.push(stage.name);
    for (const name of [...stage.needs, ...stage.after]) {
      const predecessor = byName.get(name);
      if (predecessor) visit(predecessor);
    }
    trail.pop();
    state.set(stage.name, 'done');
    ordered.push(stage);
  };
  for (const stage of stages) visit(stage);

  if (!cycle) return ok(ordered);
  const [first] = cycle;
  return err([
    problem('flow/cycle', `the stages wait for one another: ${cycle.join(' waits for ')}`, {
      at: source.place(first === undefined ? ['stages'] : ['stages', first], 'key'),
      remedy:
        'A stage waits for those whose outputs its `inputs` can match and for those in `after`: break the ring.',
    }),
  ]);
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFlow } from '../../src/flow/load-flow.ts';
import type { Flow, Stage } from '../../src/flow/stage.ts';
import type { Variables } from '../../src/flow/variables.ts';
import type { Problem } from '../../src/values/problem.ts';

/** File name to its content, or to a function that makes something else in its place. */
export type FlowFiles = Readonly<
  Record<string, string | Uint8Array | ((absolute: string) => void)>
>;

const NO_VARIABLES: Variables = { values: {}, allows: () => true };

/** Loads the flow of a folder that holds these files; a text alone is signoff.yaml. */
export function load(
  files: FlowFiles | string | Uint8Array,
  variables: Variables = NO_VARIABLES,
): ReturnType<typeof loadFlow> {
  const isOne = typeof files === 'string' || files instanceof Uint8Array;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signoff-flow-')));
  try {
    for (const [name, content] of Object.entries(isOne ? { 'signoff.yaml': files } : files)) {
      const path = join(folder, name);
      if (typeof content === 'function') content(path);
      else writeFileSync(path, content);
    }
    return loadFlow(folder, undefined, variables);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The flow, or a failure that says what was found wrong with it. */
export function flowOf(files: FlowFiles | string | Uint8Array, variables?: Variables): Flow {
  const loaded = load(files, variables);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded.value;
}

export function stageOf(flow: Flow, name: string): Stage {
  const found = flow.stages.find((stage) => stage.name === name);
  if (!found) throw new Error(`the flow has no stage ${name}`);
  return found;
}

/** What is wrong with a flow: it must not load. */
export function problemsOf(
  files: FlowFiles | string | Uint8Array,
  variables?: Variables,
): readonly Problem[] {
  const loaded = load(files, variables);
  if (loaded.ok) throw new Error('the flow was accepted');
  return loaded.error;
}

/** The one thing that is wrong with a flow. */
export function problemOf(files: FlowFiles | string | Uint8Array, variables?: Variables): Problem {
  const [first, second] = problemsOf(files, variables);
  if (!first || second) throw new Error(`not one problem: ${JSON.stringify([first, second])}`);
  return first;
}

/** `line:column` where a problem was found. */
export function placeOf({ at }: Problem): string {
  return `${at?.line}:${at?.column}`;
}

export function fifo(absolute: string): void {
  execFileSync('mkfifo', [absolute]);
}

export function folder(absolute: string): void {
  mkdirSync(absolute);
}

export function linkTo(target: string): (absolute: string) => void {
  return (absolute) => symlinkSync(target, absolute);
}

import type { Selector } from '../fingerprint/selector.ts';
import type { StageName, WorkspacePath } from '../values/brands.ts';
import type { Place } from '../values/problem.ts';

/** A value that a flow gives to an argument of an engine. */
export type WithValue = string | number | boolean | readonly (string | number)[];

/** Who does the work of a stage. */
export type Work =
  | {
      readonly kind: 'engine';
      readonly uses: string;
      readonly with: Readonly<Record<string, WithValue>>;
      readonly version: string | undefined;
      /** Programs behind the engine. */
      readonly tools: readonly string[];
    }
  | {
      readonly kind: 'command';
      /** The argument vector that is started; a script of the flow comes wrapped in bash. */
      readonly argv: readonly [string, ...string[]];
      readonly isScript: boolean;
      readonly tools: readonly string[];
      readonly evidence: Evidence;
    }
  | { readonly kind: 'judged'; readonly by: 'person' | 'agent' };

/** Where the verdict of a command comes from; `none` means that it is always unknown. */
export type Evidence =
  | { readonly kind: 'none' }
  | ({
      readonly kind: 'junit';
      readonly path: WorkspacePath;
      readonly allowSkipped: boolean;
    } & TestDemands)
  | {
      readonly kind: 'lcov';
      readonly path: WorkspacePath;
      readonly minLineCoverage: number;
      readonly files: readonly WorkspacePath[];
    }
  | { readonly kind: 'json'; readonly path: WorkspacePath; readonly assertion: FlowAssertion }
  | { readonly kind: 'sarif'; readonly path: WorkspacePath }
  | { readonly kind: 'exit-code' };

/** Absent where the flow says nothing: the evidence is part of the definition that is digested. */
export interface TestDemands {
  /** The least number of test cases that must have run. */
  readonly minTests?: number | undefined;
  /** Names of test cases that must have run and passed. */
  readonly tests?: readonly string[] | undefined;
}

export interface FlowAssertion {
  readonly id: string;
  readonly field: string;
  readonly pass_when: Readonly<Record<string, string | number | boolean>>;
}

/** A field of the payload that must be a number, at least `min` or above `above`. */
export type Floor = { readonly min: number } | { readonly above: number };

export interface InputSelector {
  readonly selector: Selector;
  readonly optional: boolean;
  readonly at: Place;
}

export interface Inputs {
  readonly include: readonly InputSelector[];
  readonly exclude: readonly Selector[];
}

/** A literal file, or a folder with all that is in it. */
export interface Output {
  readonly path: WorkspacePath;
  readonly isFolder: boolean;
}

/** One unit of work with a conclusion, as the flow defines it, every reference resolved. */
export interface Stage {
  readonly name: StageName;
  /** Where its name stands. */
  readonly at: Place;
  /** Where it is said who does its work. */
  readonly workAt: Place;
  readonly work: Work;
  /** `none`: nothing binds a result of this stage to its inputs, so none is ever reused. */
  readonly inputs: Inputs | 'none';
  readonly outputs: readonly Output[];
  /** The stages whose declared outputs a selector of this one can match: its dependencies. */
  readonly needs: readonly StageName[];
  /** Order only. */
  readonly after: readonly StageName[];
  readonly external: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly floors: Readonly<Record<string, Floor>>;
  readonly minCoverage: number | undefined;
  readonly acceptsNoClaim: boolean;
  readonly timeoutMs: number;
}

export interface Flow {
  readonly name: string;
  /** As the user would name the file. */
  readonly file: string;
  /** Where it was read, and what: a flow that is edited under a running gate must not be judged by. */
  readonly path: string;
  readonly text: string;
  /** Every stage after those that it needs or comes after, else as the file has them. */
  readonly stages: readonly Stage[];
  readonly retired: Readonly<Record<string, string>>;
}

export function findStage(flow: Flow, name: string): Stage | undefined {
  return flow.stages.find((stage) => stage.name === name);
}

/** As documents and messages write it: a folder ends in `/`. */
export function outputKey(output: Output): string {
  return output.isFolder ? `${output.path}/` : output.path;
}

/** Is the path one of the stage's own outputs, or in a folder of them? */
export function isOwnOutput(stage: Pick<Stage, 'outputs'>, path: string): boolean {
  return stage.outputs.some(
    (output) => output.path === path || (output.isFolder && path.startsWith(`${output.path}/`)),
  );
}

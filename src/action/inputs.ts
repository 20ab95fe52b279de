import { availableParallelism } from 'node:os';
import type { CacheDeadlines } from '../cache/github-cache.ts';
import { nearest } from '../flow/schema-problems.ts';
import type { Variables } from '../flow/variables.ts';
import { CACHE_KINDS, type CacheKind } from '../gate/open-cache.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const MODES = ['run', 'check', 'plan'] as const;
export const RESTORE = ['auto', 'always', 'never'] as const;
export const TRUST = ['base', 'log', 'none'] as const;

/** Everything that a user of the action can say, checked and typed. */
export interface ActionInputs {
  /** Folders or globs, from the root of the repository. */
  readonly workspaces: readonly string[];
  readonly flow: string | undefined;
  readonly mode: (typeof MODES)[number];
  readonly stages: readonly string[];
  readonly cache: CacheKind;
  readonly cacheDirectory: string | undefined;
  readonly restore: (typeof RESTORE)[number];
  readonly trust: (typeof TRUST)[number];
  /** A git ref in place of the base that the event names. */
  readonly base: string | undefined;
  /** The label by which a change of the judging is accepted. */
  readonly acceptLabel: string;
  /** Labels of the change, beside those that the event carries. */
  readonly labels: readonly string[];
  readonly deadlines: CacheDeadlines;
  readonly concurrency: number;
  readonly passEnv: readonly string[];
  readonly summary: boolean;
  readonly annotations: boolean;
  readonly report: string | undefined;
}

const NAMES = [
  'workspace',
  'flow',
  'mode',
  'stages',
  'cache',
  'cache-dir',
  'restore',
  'trust',
  'base',
  'accept-label',
  'labels',
  'cache-lookup-seconds',
  'cache-transfer-seconds',
  'concurrency',
  'pass-env',
  'summary',
  'annotations',
  'report',
] as const;
type Name = (typeof NAMES)[number];

/**
 * Reads the inputs of the action from its environment, all of them here and nowhere else. Every
 * value that means nothing is told at once, with what is allowed.
 */
export function readInputs(environment: Environment): Result<ActionInputs, Problem[]> {
  const reader = new InputReader(environment);
  const inputs: ActionInputs = {
    workspaces: reader.list('workspace', /\r?\n/, ['.']),
    flow: reader.text('flow'),
    mode: reader.choice('mode', MODES, 'run'),
    stages: reader.list('stages', /[\s,]+/, []),
    cache: reader.choice('cache', CACHE_KINDS, 'auto'),
    cacheDirectory: reader.text('cache-dir'),
    restore: reader.choice('restore', RESTORE, 'auto'),
    trust: reader.choice('trust', TRUST, 'base'),
    base: reader.text('base'),
    acceptLabel: reader.text('accept-label') ?? 'signoff-gate: judging accepted',
    labels: reader.list('labels', /\r?\n/, []),
    deadlines: {
      lookupMs: reader.number('cache-lookup-seconds', 60, { least: 0.1, most: 3600 }) * 1000,
      transferMs: reader.number('cache-transfer-seconds', 600, { least: 0.1, most: 86_400 }) * 1000,
    },
    concurrency: reader.number('concurrency', availableParallelism(), {
      least: 1,
      most: 1024,
      isWhole: true,
    }),
    passEnv: reader.list('pass-env', /[\s,]+/, []),
    summary: reader.choice('summary', ['true', 'false'], 'true') === 'true',
    annotations: reader.choice('annotations', ['true', 'false'], 'true') === 'true',
    report: reader.text('report'),
  };
  if (inputs.cacheDirectory !== undefined && inputs.cache !== 'directory') {
    reader.report('cache-dir', inputs.cacheDirectory, 'It goes with `cache: directory` only.');
  }
  reader.refuseUnknown();
  return reader.problems.length > 0 ? err(reader.problems) : ok(inputs);
}

/** What a flow may use of the environment: what `pass-env` names, none of the runner's own. */
export function variablesOf({ passEnv }: ActionInputs, environment: Environment): Variables {
  return { values: environment, allows: (name) => passEnv.includes(name) };
}

class InputReader {
  readonly problems: Problem[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** An input that is empty counts as not given. */
  text(name: Name): string | undefined {
    const text = this.#environment[variableOf(name)]?.trim();
    return text === '' ? undefined : text;
  }

  list(name: Name, separator: RegExp, fallback: readonly string[]): readonly string[] {
    const items = (this.text(name) ?? '').split(separator).map((item) => item.trim());
    const given = [...new Set(items.filter((item) => item !== ''))];
    return given.length > 0 ? given : fallback;
  }

  choice<const T extends string>(name: Name, allowed: readonly T[], fallback: NoInfer<T>): T {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const chosen = allowed.find((candidate) => candidate === text);
    if (chosen !== undefined) return chosen;
    this.report(name, text, `It takes one of ${allowed.join(', ')}.`);
    return fallback;
  }

  number(
    name: Name,
    fallback: number,
    bounds: { readonly least: number; readonly most: number; readonly isWhole?: boolean },
  ): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    // Number() takes more for a number than people write: `0x10`, `1e3`, an empty text.
    const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const fits =
      value >= bounds.least && value <= bounds.most && (!bounds.isWhole || Number.isInteger(value));
    if (fits) return value;
    this.report(
      name,
      text,
      `It takes a ${bounds.isWhole ? 'whole ' : ''}number from ${bounds.least} to ${bounds.most}.`,
    );
    return fallback;
  }

  /** A misspelt input would leave its setting at the default without a word. */
  refuseUnknown(): void {
    const known = new Set(NAMES.map(variableOf));
    for (const variable of Object.keys(this.#environment)) {
      if (!variable.startsWith('INPUT_') || known.has(variable)) continue;
      const name = variable.slice('INPUT_'.length).toLowerCase();
      const near = nearest(name, NAMES);
      this.problems.push(
        problem('usage/unknown-option', `there is no input \`${name}\``, {
          remedy: near === undefined ? `Inputs: ${NAMES.join(', ')}.` : `Did you mean \`${near}\`?`,
        }),
      );
    }
  }

  report(name: Name, text: string, remedy: string): void {
    this.problems.push(
      problem('usage/bad-value', `the input \`${name}\` is \`${text}\``, { remedy }),
    );
  }
}

/** As a runner passes it: blanks become underscores, hyphens stay. */
function variableOf(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

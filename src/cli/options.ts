import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { FLOW_FILES } from '../flow/load-flow.ts';
import type { Variables } from '../flow/variables.ts';
import { openWorkspace, type Workspace } from '../gate/workspace.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** How many arguments without a dash a command takes, and what they are. */
export interface Positionals {
  readonly least: number;
  readonly most: number;
  readonly names: string;
}

export const NO_POSITIONALS: Positionals = { least: 0, most: 0, names: '' };

/** Options that every command about a workspace takes. */
export const COMMON = {
  workspace: { type: 'string' },
  flow: { type: 'string' },
  json: { type: 'boolean' },
} as const satisfies Options;

/** Options of the commands that judge: whose records count. */
export const TRUST = {
  base: { type: 'string' },
  trust: { type: 'string' },
  'accept-judging': { type: 'boolean' },
} as const satisfies Options;

/** What the caller is told about a change of the judging. */
export const ACCEPTANCE = 'Somebody who may accept it says so with --accept-judging.';

/** What {@link TRUST} holds when parsed. */
export interface TrustValues {
  readonly base?: string | undefined;
  readonly trust?: string | undefined;
  readonly 'accept-judging'?: boolean | undefined;
}

/** Did the caller say whose records count? Without a word it is the caller's own log. */
export function asksTrust(values: TrustValues): boolean {
  return (
    values.base !== undefined ||
    values.trust !== undefined ||
    values['accept-judging'] !== undefined
  );
}

/** Did the caller ask for JSON? Known before the arguments are, so that refusals are JSON too. */
export function wantsJson(args: readonly string[]): boolean {
  return args.includes('--json');
}

/** Parses the arguments of one command; what it does not know is the caller's mistake. */
export function parse<const T extends Options>(
  args: readonly string[],
  options: T,
  positionals: Positionals,
): Result<ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>, Problem[]> {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const count = parsed.positionals.length;
    if (count < positionals.least) {
      return err([problem('usage/missing-argument', `${positionals.names} is missing`)]);
    }
    if (count > positionals.most) {
      return err([
        problem(
          'usage/bad-value',
          `there are too many arguments: \`${parsed.positionals[positionals.most]}\``,
          {
            remedy:
              positionals.most === 0
                ? 'This command takes none.'
                : `It takes ${positionals.names}.`,
          },
        ),
      ]);
    }
    return ok(parsed);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const known = Object.keys(options).map((name) => `--${name}`);
    const isUnknown = (cause as { code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    return err([
      problem(
        isUnknown ? 'usage/unknown-option' : 'usage/bad-value',
        message.split('. ', 1)[0] ?? message,
        {
          remedy: `Options: ${known.join(', ')}.`,
        },
      ),
    ]);
  }
}

/** A number that an option holds, or its default. */
export function numberOption(
  name: string,
  text: string | undefined,
  fallback: number,
  bounds: { readonly least: number; readonly most: number; readonly isWhole: boolean },
): Result<number, Problem[]> {
  if (text === undefined) return ok(fallback);
  const value = Number(text);
  const fits =
    text.trim() !== '' &&
    value >= bounds.least &&
    value <= bounds.most &&
    (!bounds.isWhole || Number.isInteger(value));
  if (fits) return ok(value);
  return err([
    problem('usage/bad-value', `--${name} is \`${text}\``, {
      remedy: `It takes a ${bounds.isWhole ? 'whole ' : ''}number from ${bounds.least} to ${bounds.most}.`,
    }),
  ]);
}

/** What `--flow` calls the preset for workspaces that VeriPower drives. */
const PRESET = 'veripower';

/**
 * Whether the common options choose the preset: by its name, or, where no flow file is, by the shape
 * of the folder.
 */
export function choosesPreset(values: { workspace?: string; flow?: string }): boolean {
  if (values.flow !== undefined) return values.flow === PRESET;
  const has = (name: string): boolean => existsSync(join(values.workspace ?? '.', name));
  if (FLOW_FILES.some(has)) return false;
  return has('events.jsonl') && (has('Design') || has('Verification'));
}

/** As {@link choosesPreset}, of arguments that are not checked yet. */
export function asksPreset(args: readonly string[]): boolean {
  const { workspace, flow } = parseArgs({ args: [...args], options: COMMON, strict: false }).values;
  return choosesPreset({
    ...(typeof workspace === 'string' ? { workspace } : {}),
    ...(typeof flow === 'string' ? { flow } : {}),
  });
}

function presetRefused(): Problem {
  return problem('usage/bad-value', 'a workspace that VeriPower drives is read, never run', {
    remedy:
      'What works with `--flow veripower`: check, status, decide, consequences, signoff --dry-run.',
  });
}

/** On a terminal a flow may use every variable of its user, but for those of a runner. */
export const VARIABLES: Variables = { values: process.env, allows: () => true };

/** Opens the workspace that the common options name; the current folder without them. */
export function openNamed(values: {
  workspace?: string;
  flow?: string;
}): Result<Workspace, Problem[]> {
  if (choosesPreset(values)) return err([presetRefused()]);
  return openWorkspace({
    directory: values.workspace ?? '.',
    flowFile: values.flow,
    variables: VARIABLES,
    searchPath: process.env['PATH'] ?? '',
  });
}

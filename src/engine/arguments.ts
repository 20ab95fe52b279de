import { compileSelector } from '../fingerprint/selector.ts';
import type { Walk } from '../fingerprint/walk.ts';
import { nearest } from '../flow/schema-problems.ts';
import type { WithValue } from '../flow/stage.ts';
import { isRaw } from '../proof/claim.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';
import { badArgument } from './bad-argument.ts';
import type { Descriptor } from './descriptor.ts';
import { isGlob } from './globs.ts';

type WithValues = Readonly<Record<string, WithValue>>;

/** What a caller passes, made ready: globs expanded, checked against the engine's own schema. */
export interface Arguments {
  /** The argument vector without the program. */
  readonly args: readonly string[];
  /** By parameter; empty for raw arguments. */
  readonly values: WithValues;
  /** Raw arguments bypass the descriptor: no verdict can be read from what comes back. */
  readonly isRaw: boolean;
}

/**
 * Builds the argument vector of an invocation (spec 01 "invocation"). Every token of the template
 * needs a value; optionals follow in declared order; `--json` comes once, where the engine emits
 * JSON. Nothing is started before the values fit the engine's `inputs`.
 *
 * @param walk the files that globs in lists are expanded against
 */
export async function buildArguments(
  descriptor: Descriptor | string,
  withValues: WithValues,
  walk: Walk,
): Promise<Result<Arguments>> {
  const raw = withValues['args'];
  if (isRaw(withValues) && Array.isArray(raw)) {
    return ok({ args: raw.map(String), values: {}, isRaw: true });
  }
  if (typeof descriptor === 'string') {
    return err(
      problem('engine/no-descriptor', `the engine has no descriptor: ${descriptor}`, {
        remedy:
          'Only raw arguments work then: `with: { args: [...] }`, and the verdict stays unknown.',
      }),
    );
  }
  const unreachable = unreachableKey(descriptor, withValues);
  if (unreachable) return err(unreachable);
  const expanded = expandLists(descriptor, withValues, walk);
  if (!expanded.ok) return expanded;
  const values = expanded.value;
  if (descriptor.inputs) {
    const { checkAgainstSchema } = await import('./check-inputs.ts');
    const fault = checkAgainstSchema(descriptor.inputs, values);
    if (fault) return err(fault);
  }
  const args = fillTemplate(descriptor, values);
  return args.ok ? ok({ args: args.value, values, isRaw: false }) : args;
}

const TOKEN = /\{([A-Za-z_][A-Za-z0-9_.-]*)\}/g;

function tokensOf(template: readonly string[]): string[] {
  return template.flatMap((element) => [...element.matchAll(TOKEN)].map((match) => match[1] ?? ''));
}

/** A key that can reach no argument would be a setting without effect: an error, not a silence. */
function unreachableKey(descriptor: Descriptor, values: WithValues): Problem | undefined {
  const known = [...tokensOf(descriptor.template), ...descriptor.optional.map(({ arg }) => arg)];
  const key = Object.keys(values).find((name) => !known.includes(name));
  if (key === undefined) return undefined;
  const near = nearest(key, known);
  return badArgument(key, 'it can reach no argument of the engine', {
    remedy:
      near === undefined
        ? `Known parameters: ${known.join(', ') || 'none'}.`
        : `Did you mean \`${near}\`?`,
  });
}

function expandLists(descriptor: Descriptor, values: WithValues, walk: Walk): Result<WithValues> {
  const expanded: Record<string, WithValue> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!Array.isArray(value)) {
      expanded[name] = value;
      continue;
    }
    if (!takesList(descriptor.inputs, name)) {
      return err(badArgument(name, 'it is a list, and the engine does not say that it takes one'));
    }
    const isOfFiles = !takesPatterns(descriptor.inputs, name);
    const items: (string | number)[] = [];
    for (const item of value) {
      const found = typeof item === 'string' && isOfFiles ? expandGlob(item, walk) : ok([item]);
      if (!found.ok) return err(badArgument(name, found.error));
      for (const path of found.value) if (!items.includes(path)) items.push(path);
    }
    expanded[name] = items;
  }
  return ok(expanded);
}

function takesList(inputs: JsonObject | undefined, name: string): boolean {
  const type = schemaOf(inputs, name, 'type');
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** Items of the format `name-pattern` are patterns of the engine's own (`u1/q[*]`), not of files. */
function takesPatterns(inputs: JsonObject | undefined, name: string): boolean {
  const items = schemaOf(inputs, name, 'items');
  return isJsonObject(items) && own(items, 'format') === 'name-pattern';
}

function schemaOf(inputs: JsonObject | undefined, name: string, keyword: string): unknown {
  const properties = inputs && own(inputs, 'properties');
  const property = isJsonObject(properties) ? own(properties, name) : undefined;
  return isJsonObject(property) ? own(property, keyword) : undefined;
}

function expandGlob(item: string, walk: Walk): Result<(string | number)[], string> {
  if (!isGlob(item)) return ok([item]);
  const selector = compileSelector(item);
  if (!selector.ok) return err(`the glob \`${item}\` cannot be used: ${selector.error}`);
  const paths = walk.entries
    .filter((entry) => entry.kind !== 'other' && selector.value.matches(entry.path))
    // A file called `-o` must not turn into an option.
    .map((entry) => (entry.path.startsWith('-') ? `./${entry.path}` : entry.path));
  return paths.length > 0 ? ok(paths) : err(`the glob \`${item}\` matches no file`);
}

function fillTemplate(descriptor: Descriptor, values: WithValues): Result<string[]> {
  const args: string[] = [];
  for (const element of descriptor.template) {
    const filled = fillElement(element, values);
    if (!filled.ok) return filled;
    args.push(...filled.value);
  }
  for (const { arg, flag } of descriptor.optional) {
    const value = Object.hasOwn(values, arg) ? values[arg] : undefined;
    if (value === undefined || value === false) continue;
    if (value === true) {
      if (flag === undefined)
        return err(badArgument(arg, 'it has no flag that `true` could stand for'));
      args.push(flag);
      continue;
    }
    const items = Array.isArray(value) ? value : [value];
    for (const item of items) args.push(...(flag === undefined ? [] : [flag]), String(item));
  }
  if (descriptor.emitsJson && !args.includes('--json')) args.push('--json');
  const nul = args.find((text) => text.includes('\0'));
  return nul === undefined
    ? ok(args)
    : err(badArgument('with', 'a NUL character cannot be passed to a program'));
}

function fillElement(element: string, values: WithValues): Result<string[]> {
  for (const token of tokensOf([element])) {
    if (!Object.hasOwn(values, token)) {
      return err(badArgument(token, 'it is required and missing'));
    }
  }
  const whole = /^\{([^{}]*)\}$/.exec(element)?.[1];
  const list = whole === undefined ? undefined : values[whole];
  if (Array.isArray(list)) return ok(list.map(String));
  const isList = tokensOf([element]).find((token) => Array.isArray(values[token]));
  if (isList !== undefined)
    return err(badArgument(isList, `a list cannot fill a part of \`${element}\``));
  return ok([element.replace(TOKEN, (_, token: string) => String(values[token]))]);
}

import { lstatSync, type Stats } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { walkFolder } from '../fingerprint/walk.ts';
import { isOwnOutput, type Stage } from '../flow/stage.ts';
import { type Problem, problem } from '../values/problem.ts';
import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import type { Current } from './current.ts';

/**
 * The paths among a stage's arguments that exist and that nothing binds: neither an input nor an
 * output, nor declared as external. What an engine reads unseen could change without a stage
 * becoming stale (design §3 "Everything read is an input").
 *
 * @param how what they have to do with the stage, for the message
 */
export function unlistedPaths(
  stage: Stage,
  args: readonly string[],
  current: Current,
  root: string,
  how = 'is among its arguments',
): Problem[] {
  const problems = new Map<string, Problem>();
  // What is never reused need not be bound; a script is text for a shell, its paths are not told.
  const isBound =
    stage.inputs !== 'none' && !(stage.work.kind === 'command' && stage.work.isScript);
  for (const path of isBound ? args.flatMap(pathsIn) : []) {
    const why = unbound(stage, path, current, root);
    if (why === undefined || problems.has(path)) continue;
    problems.set(
      path,
      problem('flow/unlisted-input', `\`${path}\` ${how} and ${why}`, {
        at: stage.workAt,
        stage: stage.name,
        remedy:
          isAbsolute(path) && !isInside(root, path)
            ? 'Declare it under `external`.'
            : 'Add it to `inputs`, or to `outputs` if the stage writes it.',
      }),
    );
  }
  return [...problems.values()];
}

/**
 * The arguments that may be paths: not those that follow a flag for a parameter that the descriptor
 * calls a name (`format: name`), such as the top module of a design.
 */
export function pathArguments(args: readonly string[], descriptor: JsonObject | null): string[] {
  const flags = nameFlags(descriptor);
  return args.filter((_, index) => !flags.has(args[index - 1] ?? ''));
}

function nameFlags(descriptor: JsonObject | null): ReadonlySet<string> {
  const invocation = descriptor && own(descriptor, 'invocation');
  const inputs = descriptor && own(descriptor, 'inputs');
  const template = isJsonObject(invocation) ? own(invocation, 'args_template') : undefined;
  const properties = isJsonObject(inputs) ? own(inputs, 'properties') : undefined;
  if (!Array.isArray(template) || !isJsonObject(properties)) return new Set();
  const flags = template.flatMap((element: unknown, index): string[] => {
    const name = /^\{(.+)\}$/.exec(String(element))?.[1];
    const property = name === undefined ? undefined : own(properties, name);
    const flag: unknown = template[index - 1];
    const isName = isJsonObject(property) && own(property, 'format') === 'name';
    return isName && typeof flag === 'string' && flag.startsWith('-') ? [flag] : [];
  });
  return new Set(flags);
}

/**
 * A path may be an argument, stand behind `=`, between `,`, `:`, `;` or blanks, or attached to an
 * option the way compilers take it: `-Irtl`, `@list.f`, `+incdir+rtl+lib`.
 */
function pathsIn(arg: string): string[] {
  const parts = [arg, ...arg.split(/[,:;\s]+/)].flatMap((part) => {
    // What stands before `=` is a name.
    const value = part.includes('=') ? part.slice(part.indexOf('=') + 1) : '';
    const attached = /^(?:-[A-Za-z]|@)(.+)$/s.exec(part)?.[1] ?? '';
    const plusses = /^\+[A-Za-z_]+\+(.+)$/s.exec(part)?.[1]?.split('+') ?? [];
    return [part, value, attached, ...plusses];
  });
  return [...new Set(parts)].filter((part) => part !== '');
}

function unbound(stage: Stage, path: string, current: Current, root: string): string | undefined {
  const absolute = resolve(root, path);
  const stat = look(absolute);
  if (!stat) return undefined;
  if (!isInside(root, absolute)) {
    if (stat.isCharacterDevice()) return undefined;
    return isExternal(stage, absolute)
      ? undefined
      : 'lies outside the workspace without being declared';
  }
  const inside = relative(root, absolute);
  if (inside === '') return undefined;
  if (isOwnOutput(stage, inside) || Object.hasOwn(current.inputs, inside)) return undefined;
  const names = Object.keys(current.inputs);
  if (names.some((name) => inside.startsWith(`${name}/`))) return undefined;
  if (stat.isDirectory()) return unboundFolder(stage, inside, current, absolute);
  return 'is neither an input nor an output';
}

/** A folder that is named may be read whole, unless it is where the stage writes. */
function unboundFolder(
  stage: Stage,
  folder: string,
  current: Current,
  absolute: string,
): string | undefined {
  if (stage.outputs.some((output) => output.path.startsWith(`${folder}/`))) return undefined;
  const { entries, problems } = walkFolder(absolute);
  if (problems.length > 0) return 'is a folder that cannot be read whole';
  const names = entries.map(({ path }) => `${folder}/${path}`);
  if (names.length === 0) return undefined;
  const unlisted = names.find((name) => !Object.hasOwn(current.inputs, name));
  return unlisted === undefined
    ? undefined
    : `is a folder that holds \`${printable(unlisted, 200)}\`, which is no input`;
}

function isExternal(stage: Stage, absolute: string): boolean {
  return Object.values(stage.external).some((pattern) => {
    const literal = pattern.split(/[*?[{]/, 1)[0] ?? '';
    const base = literal === pattern ? pattern : literal.slice(0, literal.lastIndexOf('/'));
    return absolute === base || absolute.startsWith(`${base}/`) || base.startsWith(`${absolute}/`);
  });
}

function isInside(root: string, absolute: string): boolean {
  return absolute === root || absolute.startsWith(`${root}/`);
}

function look(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false });
  } catch {
    // Too long for a path, or holding a NUL: it names no file.
    return undefined;
  }
}

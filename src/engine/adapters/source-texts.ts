import { readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { err, ok, type Result } from '../../values/result.ts';
import {
  MACRO_DEFINITION,
  macrosWith,
  STRING_OR_COMMENT,
  withoutComments,
} from './verilog-text.ts';

/** Sources by their path as the tool names it. */
export type SourceTexts = ReadonlyMap<string, string>;

export function readSources(
  files: readonly string[],
  workspace: string,
): Result<SourceTexts, string> {
  const texts = new Map<string, string>();
  for (const file of files) {
    try {
      texts.set(file, readFileSync(resolve(workspace, file), 'utf8'));
    } catch (cause) {
      return err(`${file} cannot be read: ${String(cause)}`);
    }
  }
  return ok(texts);
}

/**
 * Why a simulation says nothing of a listed file: it was not read, or no module of it is in the
 * hierarchy, so that what is tested is something else.
 *
 * @param simulated the files whose modules are in the hierarchy
 */
export function whyNotSimulated(
  files: readonly string[],
  simulated: readonly string[],
  sources: SourceTexts,
  top: string,
  workspace: string,
): string | undefined {
  for (const file of files) {
    const path = pathFrom(workspace, file);
    const text = sources.get(path);
    if (text === undefined) return `${path} was not read`;
    if (!simulated.includes(path) && definesModule(text)) {
      return `no module of ${path} is simulated below ${top}`;
    }
  }
  const quiet = quietAssertion(sources, top);
  return quiet === undefined
    ? undefined
    : `the assertion at ${quiet} has an action of its own, which a failure may pass by: let it call $error`;
}

/**
 * An assertion of the design whose failure is no error, since an action stands in its place. In the
 * file of the testbench it may count one of the testbench's own errors.
 *
 * @returns its place as `path:line`
 */
function quietAssertion(sources: SourceTexts, top: string): string | undefined {
  const texts = [...sources].map(([file, text]) => [file, withoutComments(text)] as const);
  const macros = macrosWith(
    ASSERTION,
    texts.map(([, code]) => code),
  );
  for (const [file, text] of texts) {
    if (definition(top).test(text)) continue;
    for (const { code, start } of [...text.matchAll(MACRO_DEFINITION)].map(bodyOf)) {
      const quiet = quietIn(code, macros, /^\s*$/);
      if (quiet !== undefined) return `${file}:${lineAt(text, start + quiet)}`;
    }
    const code = text.replace(MACRO_DEFINITION, (found) => found.replace(/[^\n]/g, ' '));
    const quiet = quietIn(code, macros);
    if (quiet !== undefined) return `${file}:${lineAt(code, quiet)}`;
  }
  return undefined;
}

/** What a macro stands for, the backslashes at the ends of its lines left out. */
function bodyOf({ index, 0: whole, 2: body = '' }: RegExpExecArray): {
  readonly code: string;
  readonly start: number;
} {
  return { code: body.replace(/\\(?=\r?\n)/g, ' '), start: index + whole.length - body.length };
}

/**
 * Where an assertion begins whose failure is no error.
 *
 * @param end what else may follow it: a macro may end there, and who uses it goes on
 */
function quietIn(code: string, macros: readonly string[], end?: RegExp): number | undefined {
  for (const found of code.matchAll(/(\b(?:assert|assume)\b|`[A-Za-z_][\w$]*)[^;(]*\(/g)) {
    const [, word = ''] = found;
    const isMacro = word.startsWith('`');
    if (isMacro && !macros.includes(word.slice(1))) continue;
    const rest = code.slice(closing(code, found.index + found[0].length));
    if (LOUD.test(rest) || end?.test(rest)) continue;
    // What a macro stands for may have its end in it.
    if (isMacro && !/^\s*else\b/.test(rest)) continue;
    return found.index;
  }
  return undefined;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

const ASSERTION = /\b(?:assert|assume)\b/;
/** Nothing follows, or what calls an error first. */
const LOUD = /^\s*(?:;|else\s+(?:begin\s*(?::\s*\w+\s*)?)?\$(?:error|fatal)\b)/;

/** Behind the parenthesis that closes the one before `start`. */
export function closing(text: string, start: number): number {
  let open = 1;
  let position = start;
  for (; position < text.length && open > 0; position++) {
    if (text[position] === '(') open++;
    else if (text[position] === ')') open--;
  }
  return position;
}

/** Packages, macros and primitives are seen in no hierarchy. */
function definesModule(text: string): boolean {
  return /\b(?:module|macromodule|interface|program)\b/.test(withoutComments(text));
}

/** Does a file define the module of that name? False too for what cannot be read. */
export function definesNamedModule(path: string, name: string): boolean {
  try {
    return definition(name).test(withoutComments(readFileSync(path, 'utf8')));
  } catch {
    return false;
  }
}

function definition(name: string): RegExp {
  const escaped = name.replaceAll('$', '\\$');
  return new RegExp(
    `\\b(?:module|macromodule|program)\\s+(?:(?:automatic|static)\\s+)?${escaped}(?![\\w$])`,
  );
}

const INCLUDE = /`include[ \t]+"([^"\n]+)"/g;

/** A source and all that it includes, by path. */
export function withIncludes(file: string, sources: SourceTexts): string[] {
  const found = [file];
  for (const path of found) {
    const names = [...(sources.get(path) ?? '').matchAll(INCLUDE)].map(([, name = '']) =>
      name.replace(/^(?:\.{1,2}\/)+/, ''),
    );
    // A name that a macro gives may be that of any file that defines no module.
    const isAny = /`include[ \t]+`/.test(sources.get(path) ?? '');
    for (const [other, text] of sources) {
      const isIncluded =
        (isAny && !definesModule(text)) ||
        names.some((name) => other === name || other.endsWith(`/${name}`));
      if (isIncluded && !found.includes(other)) found.push(other);
    }
  }
  return found;
}

/** Where a source demands that one branch is taken, or only one. @returns `path:line` */
export function checkedBranch(sources: SourceTexts): string | undefined {
  for (const [file, text] of sources) {
    const code = withoutComments(text);
    const found = /\b(?:priority|unique0?)\s+(?:case[xz]?|if)\b/.exec(code);
    if (found) return `${file}:${code.slice(0, found.index).split('\n').length}`;
  }
  return undefined;
}

/** `==` and `!=`, and their twins with wildcards, but not `===` and `!==`. */
const OPTIMISTIC = /(?<![=!<>])[=!]=(?!=)/;

/**
 * Where a source compares so that an unknown bit is neither equal nor different: `if (y != 1)` says
 * nothing when `y` is X, and a check in these words passes. It looks for the operators alone.
 *
 * @returns places as `path:line`
 */
export function optimisticComparisons(file: string, sources: SourceTexts): string[] {
  return withoutComments(sources.get(file) ?? '')
    .split('\n')
    .flatMap((line, index) => (OPTIMISTIC.test(line) ? [`${file}:${index + 1}`] : []));
}

/** Texts that name no file to be read: what is included is told by the tool, what is written is no input. */
const NOT_READ =
  /`(?:include|line)\b[^\n]*|\$dump(?:file|ports)\s*\([^;]*;|\$fopen\s*\(\s*"[^"\n]*"\s*,\s*"[wa][^"\n]*"/g;

/**
 * Files that a simulation may read by a name that stands in its sources, its macros or its plusargs
 * (`$readmemh("rom.hex", …)`, a parameter, `+image=rom.hex`): no simulator tells what it opened
 * while it ran.
 */
export function namedDataFiles(
  sources: SourceTexts,
  settings: readonly string[],
  workspace: string,
): string[] {
  const names = [...sources.values()].flatMap((text) => {
    const code = text.replace(STRING_OR_COMMENT, (found) => (/^["\\]/.test(found) ? found : ' '));
    return [...code.replace(NOT_READ, '').matchAll(/"([^"\n]{1,500})"/g)].map(
      ([, name = '']) => name,
    );
  });
  const values = settings.map((text) => text.slice(text.indexOf('=') + 1).replace(/["\\]/g, ''));
  return [...new Set([...names, ...values])]
    .filter((name) => isFile(name, workspace))
    .map((name) => pathFrom(workspace, name));
}

/** Relative to the workspace where inside, else absolute. */
export function pathFrom(workspace: string, name: string): string {
  const path = resolve(workspace, name);
  const inside = relative(workspace, path);
  return inside === '..' || inside.startsWith('../') ? path : inside;
}

function isFile(name: string, workspace: string): boolean {
  try {
    return statSync(resolve(workspace, name)).isFile();
  } catch {
    return false;
  }
}

import { readFileSync } from 'node:fs';

/**
 * Does a Verilog source define nothing that a hierarchy is built of? Packages, macros and parameters
 * alone appear in none, and that is no sign of a file that was left out.
 *
 * @returns false too for what cannot be read
 */
export function buildsNoModule(file: string): boolean {
  // A configuration of Verilator names modules and defines none.
  if (file.endsWith('.vlt')) return true;
  try {
    const text = withoutComments(readFileSync(file, 'utf8'));
    return !/\b(?:module|macromodule|interface|program|primitive|checker)\b/.test(text);
  } catch {
    return false;
  }
}

/** A string, perhaps over several lines; a comment; a name that a backslash begins, which is neither. */
export const STRING_OR_COMMENT = /"(?:\\[\s\S]|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\\\S+/g;

/** The text with every comment and string blanked, line by line as it was. */
export function withoutComments(text: string): string {
  return text.replace(STRING_OR_COMMENT, (found) =>
    found.startsWith('\\') ? found : found.replace(/[^\n]/g, ' '),
  );
}

/** A macro with all its lines. */
export const MACRO_DEFINITION = /`define[ \t]+([A-Za-z_][\w$]*)((?:\\\r?\n|[^\n])*)/g;

/**
 * The macros whose text holds what the pattern looks for, or one of these macros.
 *
 * @param texts without comments
 */
export function macrosWith(pattern: RegExp, texts: readonly string[]): string[] {
  const bodies = texts.flatMap((text) =>
    [...text.matchAll(MACRO_DEFINITION)].map(([, name = '', body = '']) => ({ name, body })),
  );
  const found = new Set<string>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { name, body } of bodies) {
      const uses = [...body.matchAll(/`([A-Za-z_][\w$]*)/g)].map(([, used = '']) => used);
      if (pattern.test(body) || uses.some((used) => found.has(used))) found.add(name);
    }
  }
  return [...found];
}

/** A module as it stands in a source. */
export interface ModuleText {
  readonly name: string;
  /** From its name to its end, without comments. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const MODULE =
  /\b(?:module|macromodule|interface|program|checker)\s+(?:(?:automatic|static)\s+)?(\\\S+|[A-Za-z_][\w$]*)([\s\S]*?)\bend(?:module|interface|program|checker)\b/g;

/** The modules that a source defines, those that a macro leaves out among them. */
export function modulesDefined(source: string): ModuleText[] {
  const text = withoutComments(source);
  return [...text.matchAll(MODULE)].map(({ index, 1: name = '', 2: body = '' }) => ({
    name: name.replace(/^\\/, ''),
    text: body,
    line: text.slice(0, index).split('\n').length,
  }));
}

import { readFileSync } from 'node:fs';

/**
 * Does a Verilog source define nothing that a hierarchy is built of? Packages, macros and parameters
 * alone appear in none, and that is no sign of a file that was left out.
 *
 * @returns false too for what cannot be read
 */
export function buildsNoModule(file: string): boolean {
  try {
    const text = withoutComments(readFileSync(file, 'utf8'));
    return !/\b(?:module|macromodule|interface|program|primitive|checker)\b/.test(text);
  } catch {
    return false;
  }
}

/** The text with every comment and string blanked, line by line as it was. */
export function withoutComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.replace(/[^\n]/g, ' '),
  );
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

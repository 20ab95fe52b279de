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

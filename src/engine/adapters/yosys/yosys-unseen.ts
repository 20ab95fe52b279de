import { readSources } from '../source-texts.ts';
import { modulesDefined, withoutComments } from '../verilog-text.ts';

const SWITCHED_OFF =
  /(?:\/\/|\/\*)[ \t]*(?:synopsys|synthesis|pragma)[ \t]+(?:translate|synthesis)_off/;
const BIND = /\bbind\b/;
const PROPERTY = /\b(?:assert|assume|cover|restrict)\b/;

/** A `bind` in the sources: Yosys (0.23) leaves it out, with all that it would add, without a word. */
export function findBind(files: readonly string[], workspace: string): string | undefined {
  const place = firstPlace(files, workspace, (text) => withoutComments(text), BIND);
  return place === undefined
    ? undefined
    : `${place} binds a module, which yosys leaves out: instantiate it`;
}

/** @returns `path:line` ; or why a file cannot be searched */
function firstPlace(
  files: readonly string[],
  workspace: string,
  textOf: (text: string) => string,
  pattern: RegExp,
): string | undefined {
  const sources = readSources(files, workspace);
  if (!sources.ok) return sources.error;
  for (const [file, text] of sources.value) {
    const line = textOf(text)
      .split('\n')
      .findIndex((one) => pattern.test(one));
    if (line !== -1) return `${file}:${line + 1}`;
  }
  return undefined;
}

/**
 * Why not every property of the sources was proven: it was left out, or stands in a module of which
 * no instance with contents is below the top.
 *
 * @param names the modules below the top, as the sources call them
 */
export function unseenProperties(
  files: readonly string[],
  names: ReadonlySet<string>,
  workspace: string,
): string | undefined {
  const bind = findBind(files, workspace);
  if (bind !== undefined) return bind;
  const off = firstPlace(files, workspace, (text) => text, SWITCHED_OFF);
  if (off !== undefined)
    return `${off} switches translation off: yosys sees nothing of what follows`;
  const sources = readSources(files, workspace);
  if (!sources.ok) return sources.error;
  for (const [file, text] of sources.value) {
    const unseen = modulesDefined(text).find(
      (module) => PROPERTY.test(module.text) && !names.has(module.name),
    );
    if (unseen)
      return `the properties of ${unseen.name} (${file}:${unseen.line}) are not below the top`;
  }
  return undefined;
}

import { normalize } from 'node:path';
import { closing, readSources, type SourceTexts } from '../source-texts.ts';
import { MACRO_DEFINITION, macrosWith, withoutComments } from '../verilog-text.ts';
import type { FormalModel, Property } from './yosys-formal-model.ts';

const SWITCHED_OFF =
  /(?:\/\/|\/\*)[ \t]*(?:synopsys|synthesis|pragma)[ \t]+(?:translate|synthesis)_off/;
const PROPERTY = /\b(?:assert|assume|cover|restrict)\b/;

/** A property as it stands in the sources. */
interface Written {
  readonly file: string;
  readonly label: string | undefined;
  /** Lines, from 1. */
  readonly first: number;
  readonly last: number;
}

/**
 * Why not every property of the sources was proven: translation is switched off before it, a macro
 * or a generate leaves it out, or no instance of its module is below the top.
 *
 * @param allowed labels, or `FILE:LINE`, of those that need not be there
 */
export function unseenProperties(
  files: readonly string[],
  { asserts, assumes, covers, liveness }: FormalModel,
  allowed: readonly string[],
  workspace: string,
): string | undefined {
  const sources = readSources(files, workspace);
  if (!sources.ok) return sources.error;
  for (const [file, text] of sources.value) {
    const line = text.split('\n').findIndex((one) => SWITCHED_OFF.test(one));
    if (line !== -1) {
      return `${file}:${line + 1} switches translation off: yosys sees nothing of what follows`;
    }
  }
  const seen = [...asserts, ...assumes, ...covers, ...liveness];
  const unseen = leftOver(propertiesIn(sources.value), seen).find(
    ({ label, file, first }) =>
      !allowed.includes(`${file}:${first}`) && (label === undefined || !allowed.includes(label)),
  );
  return (
    unseen &&
    `the property at ${unseen.file}:${unseen.first} is not in the model (a macro, a generate, an unused module), and not named in allow-unreached`
  );
}

/** Each statement of the sources needs one of the model that ends where it ends. */
function leftOver(written: readonly Written[], seen: readonly Property[]): Written[] {
  const statements = new Map(
    seen.flatMap(({ statement }) => (statement ? [[statement.range, statement]] : [])),
  );
  const free = new Set(statements.values());
  return written.filter(({ file, first, last }) => {
    for (const statement of free) {
      const { line } = statement;
      if (normalize(statement.file) !== normalize(file) || line < first || line > last) continue;
      free.delete(statement);
      return false;
    }
    return true;
  });
}

function propertiesIn(sources: SourceTexts): Written[] {
  const texts = [...sources].map(([file, text]) => [file, withoutComments(text)] as const);
  const macros = macrosWith(
    PROPERTY,
    texts.map(([, text]) => text),
  ).map((name) => name.replaceAll('$', '\\$'));
  const used = macros.length === 0 ? '' : `|\`(?:${macros.join('|')})(?![\\w$])`;
  const pattern = new RegExp(`${PROPERTY.source}${used}`, 'g');
  return texts.flatMap(([file, text]) => {
    const code = text.replace(MACRO_DEFINITION, (found) => found.replace(/[^\n]/g, ' '));
    const lineAt = (position: number): number => code.slice(0, position).split('\n').length;
    return [...code.matchAll(pattern)].map(({ index, 0: word }) => {
      const open = /^[^;()]*\(/.exec(code.slice(index + word.length))?.[0].length;
      const end =
        open === undefined ? index + word.length : closing(code, index + word.length + open);
      const label = /(?<![\w$])([A-Za-z_][\w$]*)\s*:\s*$/.exec(code.slice(0, index))?.[1];
      return { file, label, first: lineAt(index), last: lineAt(end) };
    });
  });
}

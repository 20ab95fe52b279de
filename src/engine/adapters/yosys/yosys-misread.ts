import { readSources, type SourceTexts } from '../source-texts.ts';
import { withoutComments } from '../verilog-text.ts';
import type { YosysRun } from './yosys-script.ts';

/**
 * Why what Yosys (0.23) has read is not what the sources say. It leaves these out, or takes them for
 * something else, without an error; every later step is then about another design, and two sides
 * that are misread alike are proven equal.
 */
export function findMisread({ log, opened }: YosysRun, workspace: string): string | undefined {
  if (log.undeclared) {
    const { name, place } = log.undeclared;
    return `${place} uses ${name}, which is declared nowhere: yosys takes it for a net of one bit`;
  }
  const sources = readSources(opened, workspace);
  if (!sources.ok) return sources.error;
  const texts = new Map(
    [...sources.value].map(([file, text]) => [file, withoutComments(text)] as const),
  );
  return (
    firstPlace(texts, /\bbind\b/, 'binds a module, which yosys leaves out: instantiate it') ??
    firstPlace(
      texts,
      /\benum\s*\{[^{}]*=\s*-/,
      'has a negative value in an enum without a type, which yosys takes for a positive one: give it a type',
    ) ??
    droppedDimensions(texts)
  );
}

/** `nib_t [1:0] x` has two of them; Yosys declares one. */
function droppedDimensions(texts: SourceTexts): string | undefined {
  const names = [...new Set([...texts.values()].flatMap(typesDefined))];
  if (names.length === 0) return undefined;
  const declaration = new RegExp(
    `(?<![\\w$])(?:${names.map((name) => name.replaceAll('$', '\\$')).join('|')})\\s*(?:\\[[^\\]]*\\]\\s*)+[A-Za-z_\\\\]`,
  );
  return firstPlace(
    texts,
    declaration,
    'gives dimensions to a type of its own, which yosys leaves out: put them into the type',
  );
}

/** The names that the `typedef`s of a text define. */
function typesDefined(text: string): string[] {
  // The members of a struct, and what an enum names, end in signs that end a typedef too.
  const flat = text.replace(/\{[^{}]*\}/g, ' ').replace(/\{[^{}]*\}/g, ' ');
  return [...flat.matchAll(/\btypedef\b[^;]*?([A-Za-z_][\w$]*)\s*(?:\[[^\]]*\]\s*)*;/g)].map(
    ([, name = '']) => name,
  );
}

function firstPlace(texts: SourceTexts, pattern: RegExp, what: string): string | undefined {
  for (const [file, text] of texts) {
    const found = pattern.exec(text);
    if (found) return `${file}:${text.slice(0, found.index).split('\n').length} ${what}`;
  }
  return undefined;
}

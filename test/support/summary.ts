/** What a reader of a job summary gets to see, taken from its source by the few rules that it uses. */
export interface ReadableSummary {
  readonly headings: readonly string[];
  /** The elements of HTML in it, by name, each once. */
  readonly tags: readonly string[];
  /** Its text outside of code, with every escape undone. */
  readonly text: string;
  /** What GitHub would make links, mentions or pictures of, in the text between two elements. */
  readonly lookedFor: readonly string[];
  /** How many columns the rows of its tables have, each number once. */
  readonly columns: readonly number[];
}

const LOOKED_FOR =
  /@[a-z0-9]|#\d|\bGH-\d|:\/\/|\bwww\.|:(?:100|1234|[+-]1|[0-9_+-]*[a-z][a-z0-9_+-]*):/gi;

export function readableSummary(markdown: string): ReadableSummary {
  const blocks = markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');
  const rows = blocks.split('\n').filter((line) => line.startsWith('|'));
  const prose = blocks.replace(/(?<![\\`])(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
  const tags = [...prose.matchAll(/<\/?([a-z]+)[^>\n]*>/g)].map(([, name = '']) => name);
  const pieces = prose.replaceAll('<span>$</span>', '$').split(/<[^>\n]*>/);
  return {
    headings: blocks.split('\n').filter((line) => /^ {0,3}#{1,6}(?:\s|$)/.test(line)),
    tags: [...new Set(tags)].sort(),
    text: undone(prose.replaceAll('<span>$</span>', '$').replace(/<[^>\n]*>/g, '')),
    lookedFor: pieces.flatMap((piece) => undone(piece).match(LOOKED_FOR) ?? []),
    columns: [...new Set(rows.map((row) => row.split('|').length - 2))],
  };
}

function undone(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#124;', '|')
    .replaceAll('&amp;', '&');
}

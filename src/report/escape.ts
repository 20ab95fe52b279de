import { printable } from '../values/text.ts';

/**
 * Text for Markdown that is shown as it is: in a paragraph, a heading, a list item or the cell of a
 * table. What could be read as markup is escaped and nothing else, so that the source stays readable.
 * Not for what stands inside a block of HTML, where no backslash means anything.
 */
export function markdownText(text: string, limit = 500): string {
  return printable(text, limit)
    .trim()
    .replace(SPECIAL, (found) => ESCAPES[found] ?? (isMarkup(found) ? `\\${found}` : found + SPLIT))
    .replace(/#+$/, (found) => found.replaceAll('#', '\\#'))
    .replace(FIRST, '$1\\$2');
}

/** An empty element that cuts a word in two for whoever looks at the text of the page. */
const SPLIT = '<span></span>';

const SPECIAL = new RegExp(
  [
    // Markup of Markdown, HTML and mathematics. An underscore inside a word is none.
    /[\\`*[\]<>&|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/,
    // What GitHub looks for when Markdown has been read and every escape undone: mentions,
    // references, addresses, emoji. Cut in two it is none of these.
    /@(?=[a-z0-9])|#(?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)/,
    /:(?=(?:100|1234|[+-]1|[0-9_+-]*[a-z][a-z0-9_+-]*):)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

function isMarkup(found: string): boolean {
  return /^[\\`*[\]~_]$/.test(found);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  // A table is cut at its bars before any backslash counts.
  '|': '&#124;',
  // As GitHub's manual has it: mathematics is looked for before backslashes are, too.
  $: '<span>$</span>',
};

/** What begins a list or a heading where a block begins. */
const FIRST = /^(\d{1,9}(?=[.)])|(?=[-+#]))(.)/;

/**
 * The same in a fixed-width face: as code, in which nothing is markup and nothing is looked for. A
 * bar would cut a table even there, so text with one takes the longer way.
 */
export function markdownCode(text: string, limit = 500): string {
  const shown = printable(text, limit).trim();
  if (shown === '') return '';
  if (shown.includes('|')) return `<code>${markdownText(text, limit)}</code>`;
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}

import { printable } from '../values/text.ts';

/**
 * Text for Markdown that is shown as it is: in a paragraph, a heading, a list item or the cell of a
 * table. What could be read as markup is escaped and nothing else, so that the source stays readable.
 * Not for what stands inside a block of HTML, where no backslash means anything.
 */
export function markdownText(text: string, limit = 500): string {
  return printable(text, limit)
    .trim()
    .replace(MARKUP, (found) => ESCAPES[found] ?? `\\${found}`)
    .replace(LOOKED_FOR, `$1${SPLIT}`)
    .replace(FIRST, '$1\\$2')
    .replace(/#+$/, (found) => found.replaceAll('#', '\\#'));
}

/** Markup of Markdown and HTML wherever it stands; an underscore inside a word is none. */
const MARKUP = /[\\`*[\]<>&|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  // A table is cut at its bars before any backslash counts.
  '|': '&#124;',
  // Mathematics is looked for before that, too; this is how GitHub's manual has it.
  $: '<span>$</span>',
};

/**
 * What GitHub looks for in the text after Markdown has been read, when every escape is undone:
 * mentions, references, addresses, emoji. Cut in two by an empty element it is none of these.
 */
const LOOKED_FOR =
  /(@(?=[a-z0-9_-])|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)|:(?=(?:100|1234|[+-]1|[0-9_+-]*[a-z][a-z0-9_+-]*):))/gi;
const SPLIT = '<span></span>';

/** What begins a list or a heading where a block begins. */
const FIRST = /^(\d{1,9}(?=[.)])|(?=[-+#]))(.)/;

/**
 * The same in a fixed-width face, as code in which nothing is markup and nothing is looked for. A
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

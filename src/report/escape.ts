import { printable } from '../values/text.ts';

/**
 * Text for Markdown that is shown as it is: every character that Markdown, HTML or a table could
 * read as markup is written as a character reference.
 */
export function markdownText(text: string, limit = 500): string {
  return printable(text, limit).replace(
    /[^\p{L}\p{N} .,;/%=]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
}

/** The same in a fixed-width face. */
export function markdownCode(text: string, limit = 500): string {
  return `<code>${markdownText(text, limit)}</code>`;
}

/**
 * Text that is safe on one line of a terminal, a log or a runner's console: control characters,
 * line separators and bidirectional overrides are shown as escapes, and long text is cut and says so.
 *
 * @param limit most UTF-16 units of the result, before the mark that says how much was cut
 */
export function printable(text: string, limit = 1000): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text;
  return shown.replace(UNSAFE, (c) => {
    const code = c.codePointAt(0) ?? 0;
    if (c === '\n') return '\\n';
    if (c === '\r') return '\\r';
    if (c === '\t') return '\\t';
    return `\\u{${code.toString(16)}}`;
  });
}

// C0, DEL, C1, line and paragraph separator, bidirectional controls, BOM, lone surrogates.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** `1 cell`, `2 cells` */
export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

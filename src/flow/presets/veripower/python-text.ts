import { isUtf8 } from 'node:buffer';

/**
 * What the reference engine's language does to text, where JavaScript does something else
 * (spec/06 §6.4). Patterns with control characters are written as text, for the linter's sake.
 */
const ONE_LINE_END = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029';

/** Where `str.splitlines` ends a line. */
export const LINE_END = new RegExp(`\\r\\n|[${ONE_LINE_END}]`);

/** A line end that is no plain LF. */
export const FOREIGN_LINE_END = new RegExp(`(?!\\n)[${ONE_LINE_END}]`);

/** Unicode's white space and the separators of ASCII, but not U+FEFF. */
const SPACE =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');

const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;

/** As `str.strip()`. */
export function stripped(text: string): string {
  // What nearly every line of a log is.
  if (text.charCodeAt(0) === BRACE_OPEN && text.charCodeAt(text.length - 1) === BRACE_CLOSE) {
    return text;
  }
  return text.replace(OUTER_SPACE, '');
}

/** As `repr` of a list of strings: how the sign-off gate names new inputs. */
export function listRepr(items: readonly string[]): string {
  return `[${items.map(textRepr).join(', ')}]`;
}

/** As `repr` of a string: single quotes, unless the text holds those and no double ones. */
export function textRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = [...text].map((c) => (c === quote || c === '\\' ? `\\${c}` : shown(c))).join('');
  return `${quote}${inside}${quote}`;
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function shown(c: string): string {
  if (c === ' ' || !/[\p{C}\p{Z}]/u.test(c)) return c;
  const named = NAMED[c];
  if (named !== undefined) return named;
  const code = c.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** A file name that is not UTF-8 as Python has it: each stray byte as half a surrogate pair. */
export function escapedName(bytes: Uint8Array): string {
  let name = '';
  for (let position = 0; position < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) =>
      isWholeCharacter(bytes.subarray(position, position + n)),
    );
    name +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (bytes[position] ?? 0))
        : UTF8.decode(bytes.subarray(position, position + length));
    position += length ?? 1;
  }
  return name;
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

function isWholeCharacter(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && [...UTF8.decode(bytes)].length === 1;
}

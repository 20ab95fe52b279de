import type { Range, Token } from './glob-syntax.ts';

/**
 * A regular expression for the names that one of the alternatives matches. With `s` and `u` a line
 * feed in a name is a character like any other, and `?` is one character also beyond the basic plane.
 */
export function compileSegment(alternatives: readonly (readonly Token[])[]): RegExp {
  const sources = alternatives.map((tokens) => {
    // A leading dot is matched by a written one only, whatever wildcard stands first.
    const guard = isWrittenDot(tokens[0]) ? '' : '(?!\\.)';
    return `^${guard}${tokens.map(sourceOf).join('')}$`;
  });
  return new RegExp(sources.join('|'), 'su');
}

function isWrittenDot(token: Token | undefined): boolean {
  return token?.kind === 'literal' && token.character === '.';
}

function sourceOf(token: Token): string {
  switch (token.kind) {
    case 'star':
      return '.*?';
    case 'question':
      return '.';
    case 'literal':
      return quote(token.character);
    case 'class':
      return `[${token.negated ? '^' : ''}${token.members.map(rangeSource).join('')}]`;
  }
}

function rangeSource({ first, last }: Range): string {
  return first === last ? quote(first) : `${quote(first)}-${quote(last)}`;
}

/** Every character that is not a letter or digit is written by its code, so that none is syntax. */
function quote(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

import picomatch from 'picomatch';
import type { Range, Token } from './glob-syntax.ts';

/**
 * The options that make picomatch read a segment as we do (spec/10 §4). `s` and `u`: a line feed
 * in a name is a character like any other, and `?` is one character also beyond the basic plane.
 */
const OPTIONS = {
  debug: true, // an expression that does not compile is thrown, not replaced by one that never matches
  dot: false,
  fastpaths: false,
  flags: 'su',
  keepQuotes: true,
  literalBrackets: false,
  nobrace: true,
  noextglob: true,
  nonegate: true,
  strictSlashes: true,
};

/** A regular expression for the names that one of the alternatives matches. */
export function compileSegment(alternatives: readonly (readonly Token[])[]): RegExp {
  const sources = alternatives.map((tokens) => {
    const { source } = picomatch.makeRe(render(tokens), OPTIONS);
    // picomatch guards `*` and `?` against leading dots, but not `[!a]` or `[.]`.
    return `${isWrittenDot(tokens[0]) ? '' : '(?!\\.)'}${source}`;
  });
  return new RegExp(sources.join('|'), OPTIONS.flags);
}

function isWrittenDot(token: Token | undefined): boolean {
  return token?.kind === 'literal' && token.character === '.';
}

/** The tokens as text for picomatch, in which only what is a wildcard to us is one to it. */
function render(tokens: readonly Token[]): string {
  return tokens.map(renderToken).join('');
}

function renderToken(token: Token): string {
  switch (token.kind) {
    case 'star':
      return '*';
    case 'question':
      return '?';
    case 'literal':
      return quote(token.character);
    case 'class':
      return `[${token.negated ? '^' : ''}${token.members.map(renderRange).join('')}]`;
  }
}

function renderRange({ first, last }: Range): string {
  return first === last ? quote(first) : `${quote(first)}-${quote(last)}`;
}

/** Both picomatch and the regular expression that it yields take `\xHH` as that character. */
function quote(character: string): string {
  if (/[A-Za-z0-9_]|[^\0-\x7f]/.test(character)) return character;
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

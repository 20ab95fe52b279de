import { err, ok, type Result } from '../values/result.ts';

/** One element of a segment without braces. */
export type Token =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'star' }
  | { readonly kind: 'question' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly members: readonly Range[] };

/** Characters from `first` to `last`, both included; a single one is a range of one. */
export interface Range {
  readonly first: string;
  readonly last: string;
}

/** What stands between two slashes of a glob. */
export type GlobSegment =
  | { readonly kind: 'globstar' }
  | { readonly kind: 'literal'; readonly text: string }
  /** A name matches when one of the alternatives that the braces leave open does. */
  | { readonly kind: 'wild'; readonly alternatives: readonly (readonly Token[])[] };

/** A segment's braces may stand for so many names; more is a list, not a pattern. */
const MAX_ALTERNATIVES = 64;

/** Each more could make a match take longer by the length of the name: the expression backtracks. */
const MAX_STARS = 4;

/**
 * Reads a glob (design §3, "Selectors") into its segments. What other tools read in different ways
 * is refused, so that a selector means what its writer thinks.
 *
 * @returns the segments, or why the glob is refused, as the end of a sentence: `it is empty`
 */
export function parseGlob(glob: string): Result<readonly GlobSegment[], string> {
  const unusable = whyUnusable(glob);
  if (unusable !== undefined) return err(unusable);
  const scanned = scan(glob);
  if (!scanned.ok) return scanned;
  const segments: GlobSegment[] = [];
  for (const parts of scanned.value) {
    const segment = toSegment(parts);
    if (!segment.ok) return segment;
    segments.push(segment.value);
  }
  return ok(segments);
}

function whyUnusable(glob: string): string | undefined {
  if (glob === '') return 'it is empty';
  if (glob.includes('\0')) return 'it holds a NUL character';
  if (Buffer.byteLength(glob) > 4096) return 'it is longer than 4096 bytes';
  if (glob.startsWith('/')) return 'it is absolute; selectors are relative to the workspace';
  if (glob.startsWith('!')) return 'one `!` in front excludes, a second one has no meaning';
  if (glob.includes('\\')) {
    return 'it holds a backslash; write `/` between folders, and `[*]` for a `*` that is meant literally';
  }
  if (glob.endsWith('/')) return `it ends with a slash; write \`${glob}**\` for all that is in it`;
  return undefined;
}

type Part = Token | { readonly kind: 'braces'; readonly alternatives: readonly Token[][] };

/** Splits at the slashes, and each segment into what stands in it. */
function scan(glob: string): Result<readonly (readonly Part[])[], string> {
  const characters = [...glob];
  let parts: Part[] = [];
  const segments: Part[][] = [parts];
  let braces: Token[][] | undefined;
  for (let position = 0; position < characters.length; position++) {
    const character = characters[position] ?? '';
    const into: Part[] = braces?.at(-1) ?? parts;
    if (character === '/') {
      if (braces) return err('its braces hold a slash; write one selector for each folder');
      parts = [];
      segments.push(parts);
    } else if (character === '[') {
      const end = characters.indexOf(']', position + 2);
      const parsed = parseClass(end < 0 ? undefined : characters.slice(position + 1, end));
      if (!parsed.ok) return parsed;
      into.push(parsed.value);
      position = end;
    } else if (character === '{') {
      if (braces) return err('braces stand within braces; write the alternatives out');
      braces = [[]];
    } else if (character === '}') {
      if (!braces) return err('a `}` has no `{`; write `[}]` for one that is meant literally');
      if (braces.length < 2) {
        return err('braces hold no comma; write `{a,b}`, or `[{]` for one that is meant literally');
      }
      parts.push({ kind: 'braces', alternatives: braces });
      braces = undefined;
    } else if (character === ',' && braces) {
      braces.push([]);
    } else {
      into.push(toToken(character));
    }
  }
  return braces ? err('a `{` is not closed; write `[{]` for one meant literally') : ok(segments);
}

function toToken(character: string): Token {
  if (character === '*') return { kind: 'star' };
  if (character === '?') return { kind: 'question' };
  return { kind: 'literal', character };
}

/** @param content what stands between `[` and the first `]` that is not its first character */
function parseClass(content: readonly string[] | undefined): Result<Token, string> {
  if (content === undefined || content.includes('/')) {
    return err('a `[` is not closed before the next slash; write `[[]` for one meant literally');
  }
  const negated = content[0] === '!' || content[0] === '^';
  const characters = negated ? content.slice(1) : content;
  if (characters.length === 0) return err('brackets are empty');
  if (characters[0] === '[' && /^[:.=]$/.test(characters[1] ?? '')) {
    return err('it holds a named class such as `[[:alpha:]]`; write the characters out');
  }
  const members: Range[] = [];
  for (let i = 0; i < characters.length; i++) {
    const first = characters[i] ?? '';
    const last = characters[i + 1] === '-' ? characters[i + 2] : undefined;
    if (last === undefined) {
      members.push({ first, last: first });
      continue;
    }
    if ((first.codePointAt(0) ?? 0) > (last.codePointAt(0) ?? 0)) {
      return err(`the range \`${first}-${last}\` runs backwards`);
    }
    members.push({ first, last });
    i += 2;
  }
  return ok({ kind: 'class', negated, members });
}

function toSegment(parts: readonly Part[]): Result<GlobSegment, string> {
  if (parts.length === 0) return err('it holds two slashes in a row');
  const text = literalText(parts);
  if (text === '.') return err('it holds a `.` segment; write it without');
  if (text === '..') return err('it holds a `..` segment and could lead outside the workspace');
  if (text !== undefined) return ok({ kind: 'literal', text });
  if (parts.length === 2 && parts.every(({ kind }) => kind === 'star'))
    return ok({ kind: 'globstar' });
  if (hasDoubleStar(parts)) {
    return err('`**` stands beside other characters; it stands for folders only between slashes');
  }
  const alternatives = expandBraces(parts);
  if (!alternatives.ok) return alternatives;
  const wrong = alternatives.value.map(whyNotAName).find((why) => why !== undefined);
  return wrong === undefined ? ok({ kind: 'wild', alternatives: alternatives.value }) : err(wrong);
}

function whyNotAName(tokens: readonly Token[]): string | undefined {
  if (tokens.length === 0) return 'its braces leave a segment empty';
  const stars = tokens.filter(({ kind }) => kind === 'star').length;
  return stars > MAX_STARS ? `a segment holds \`*\` more than ${MAX_STARS} times` : undefined;
}

/** The text of a segment without wildcards. */
function literalText(parts: readonly Part[]): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind !== 'literal') return undefined;
    text += part.character;
  }
  return text;
}

function hasDoubleStar(parts: readonly Part[]): boolean {
  return parts.some(
    (part, i) =>
      (part.kind === 'star' && parts[i - 1]?.kind === 'star') ||
      (part.kind === 'braces' && part.alternatives.some(hasDoubleStar)),
  );
}

/** All texts that the braces stand for, as a shell expands them before it matches. */
function expandBraces(parts: readonly Part[]): Result<readonly (readonly Token[])[], string> {
  let texts: Token[][] = [[]];
  for (const part of parts) {
    const choices = part.kind === 'braces' ? part.alternatives : [[part]];
    if (texts.length * choices.length > MAX_ALTERNATIVES) {
      return err(`its braces stand for more than ${MAX_ALTERNATIVES} names`);
    }
    texts = texts.flatMap((text) => choices.map((choice) => [...text, ...choice]));
  }
  return ok(texts.map(withoutDoubleStars));
}

/** `{*,a}*` gives `**`, which within a segment is one `*`. */
function withoutDoubleStars(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ kind }, i) => kind !== 'star' || tokens[i - 1]?.kind !== 'star');
}

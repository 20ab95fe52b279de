import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSelector, type Selector } from '../../src/fingerprint/selector.ts';

/**
 * Compares the compiled selectors with a second implementation that is as plain as the rules:
 * it tries all ways, character by character.
 */
type Element = { text: string } | { any: 'one' | 'some' } | { among: string; negated: boolean };
type Name = Element[];
type Segment = 'folders' | Name[];

const characters = [...'ab.AB01-_ +@!()|"\'$^~#,:=&\n', 'é', '\u{1f600}', '\u{fffd}'];
const character = fc.constantFrom(...characters);

const element: fc.Arbitrary<Element> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ text: character }) },
  { weight: 2, arbitrary: fc.constant<Element>({ any: 'one' }) },
  { weight: 2, arbitrary: fc.constant<Element>({ any: 'some' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      among: fc.constantFrom(
        'ab',
        '.',
        '.a',
        '"',
        '*',
        '?',
        '{,}',
        '(|)',
        '\u{1f600}',
        '&&',
        '~',
        '[',
      ),
      negated: fc.boolean(),
    }),
  },
);

const name: fc.Arbitrary<Name> = fc
  .array(element, { minLength: 1, maxLength: 5 })
  .map((elements) => elements.filter((e, i) => !(isStar(e) && isStar(elements[i - 1]))))
  .filter((elements) => elements.filter(isStar).length <= 4)
  .filter((elements) => !/^\.{1,2}$/.test(renderName(elements)));

const segment: fc.Arbitrary<Segment> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Segment>('folders') },
  { weight: 3, arbitrary: fc.array(name, { minLength: 1, maxLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.array(
      name.filter((elements) => !renderName(elements).includes(',')),
      { minLength: 2, maxLength: 3 },
    ),
  },
);

const glob = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .filter((segments) => !render(segments).startsWith('!'));

function isStar(e: Element | undefined): boolean {
  return e !== undefined && 'any' in e && e.any === 'some';
}

function renderName(elements: Name): string {
  return elements
    .map((e) => {
      if ('text' in e) return e.text;
      if ('any' in e) return e.any === 'one' ? '?' : '*';
      return `[${e.negated ? '!' : ''}${e.among}]`;
    })
    .join('');
}

function render(segments: Segment[]): string {
  return segments
    .map((s) => {
      if (s === 'folders') return '**';
      const names = s.map(renderName);
      return names.length === 1 ? names[0] : `{${names.join(',')}}`;
    })
    .join('/');
}

function matchesSegments(segments: Segment[], names: string[]): boolean {
  const [first, ...rest] = segments;
  if (first === undefined) return names.length === 0;
  const [head, ...tail] = names;
  if (first !== 'folders') {
    return (
      head !== undefined && first.some((n) => matchesName(n, head)) && matchesSegments(rest, tail)
    );
  }
  if (rest.every((s) => s === 'folders')) {
    return names.length > 0 && names.every((n) => !n.startsWith('.'));
  }
  if (matchesSegments(rest, names)) return true;
  return head !== undefined && !head.startsWith('.') && matchesSegments(segments, tail);
}

function matchesName(elements: Name, text: string): boolean {
  const [first] = elements;
  if (text.startsWith('.') && !(first && 'text' in first && first.text === '.')) return false;
  return matchesCharacters(elements, [...text]);
}

function matchesCharacters(elements: Name, text: string[]): boolean {
  const [first, ...rest] = elements;
  if (first === undefined) return text.length === 0;
  if (isStar(first)) {
    return text.length > 0
      ? matchesCharacters(rest, text) || matchesCharacters(elements, text.slice(1))
      : matchesCharacters(rest, []);
  }
  const [head, ...tail] = text;
  if (head === undefined) return false;
  if ('text' in first) return first.text === head && matchesCharacters(rest, tail);
  if ('among' in first && [...first.among].includes(head) === first.negated) return false;
  return matchesCharacters(rest, tail);
}

/** Paths that often match the glob: its wildcards are filled in, and now and then spoilt. */
function pathFor(segments: Segment[]): fc.Arbitrary<string> {
  const folder = fc.string({ unit: character, minLength: 1, maxLength: 3 });
  const parts = segments.map((s) => {
    if (s === 'folders') return fc.array(folder, { maxLength: 2 });
    return fc.constantFrom(...s).chain((n) => nameFor(n).map((text) => [text]));
  });
  return fc
    .tuple(...parts)
    .map((all) => all.flat().filter((text) => text !== ''))
    .filter((names) => names.length > 0)
    .map((names) => names.join('/'));
}

function nameFor(elements: Name): fc.Arbitrary<string> {
  const parts = elements.map((e) => {
    if ('text' in e) return fc.oneof({ weight: 20, arbitrary: fc.constant(e.text) }, character);
    if (isStar(e)) return fc.string({ unit: character, maxLength: 3 });
    if ('among' in e) return fc.oneof(fc.constantFrom(...e.among), character);
    return character;
  });
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

function compile(segments: Segment[]): Selector {
  const compiled = compileSelector(render(segments));
  if (!compiled.ok) throw new Error(`${render(segments)}: ${compiled.error}`);
  return compiled.value;
}

const globAndPath = glob.chain((segments) => fc.tuple(fc.constant(segments), pathFor(segments)));

test('a selector matches what the rules say, and nothing else', () => {
  let hits = 0;
  let misses = 0;
  fc.assert(
    fc.property(globAndPath, ([segments, path]) => {
      const expected = matchesSegments(segments, path.split('/'));
      if (expected) hits++;
      else misses++;
      expect(compile(segments).matches(path)).toBe(expected);
    }),
    { numRuns: 1500 },
  );
  expect(Math.min(hits, misses)).toBeGreaterThan(150);
});

test('a selector reaches every folder above a path that it matches', () => {
  fc.assert(
    fc.property(globAndPath, ([segments, path]) => {
      const compiled = compile(segments);
      fc.pre(compiled.matches(path));
      const names = path.split('/');
      for (let depth = 0; depth < names.length; depth++) {
        expect(compiled.reaches(names.slice(0, depth).join('/'))).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a selector that covers a folder matches whatever is visible in it', () => {
  const visible = fc
    .string({ unit: character, minLength: 1 })
    .filter((text) => !text.startsWith('.'));
  const below = fc.array(visible, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      globAndPath.map(([segments, path]) => ({
        segments: [...segments, 'folders' as const],
        path,
      })),
      below,
      ({ segments, path }, names) => {
        const compiled = compile(segments);
        fc.pre(compiled.covers(path));
        expect(compiled.matches([path, ...names].join('/'))).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

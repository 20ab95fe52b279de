import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alignLogs, alignTexts } from '../../src/log/alignment.ts';
import { type LogRecord, toRecord } from '../../src/log/record.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { dispatchEvent, outcomeEvent } from './helpers/events.ts';
import { unwrap } from './helpers/expect-result.ts';

/** Events as the records of a log, one a line. */
function records(...events: readonly JsonObject[]): LogRecord[] {
  return events.map((event, index) => unwrap(toRecord(event, 'events.jsonl', index + 1)));
}

/** The lines that are kept, and each fault as `kind base-line our-line`. */
function aligned(earlier: readonly JsonObject[], ours: readonly JsonObject[]) {
  const { kept, faults } = alignLogs(records(...earlier), records(...ours));
  return {
    kept: [...kept],
    faults: faults.map(({ kind, record, ours: line }) => `${kind} ${record.line} ${line}`),
  };
}

const note = (text: string): JsonObject => ({ ts: '2026-01-02T03:04:05Z', type: 'note', text });
const lint = [dispatchEvent('lint', 1), outcomeEvent('lint', 1)];
const synth = [dispatchEvent('synth', 1), outcomeEvent('synth', 1)];
const base = [...lint, ...synth];

describe('a log that only grew has all of the earlier one:', () => {
  test.each([
    ['it is the same', base, [1, 2, 3, 4]],
    ['records follow', [...base, dispatchEvent('lint', 2)], [1, 2, 3, 4]],
    ['records stand before', [note('a'), ...base], [2, 3, 4, 5]],
    [
      'records of another branch stand between, as a union merge leaves them',
      [...lint, dispatchEvent('sim', 1), ...synth, outcomeEvent('sim', 1)],
      [1, 2, 4, 5],
    ],
    ['a record stands there twice: the first is it', [...lint, ...lint, ...synth], [1, 2, 5, 6]],
  ])('%s', (_, ours, kept) => {
    expect(aligned(base, ours)).toEqual({ kept, faults: [] });
  });

  test('the earlier one was empty', () => {
    expect(aligned([], base)).toEqual({ kept: [], faults: [] });
    expect(aligned([], [])).toEqual({ kept: [], faults: [] });
  });

  test('a line is written in another way', () => {
    const [first] = records({ b: 1, type: 'note', a: [1, { y: 0, x: 'é' }] });
    const [second] = records({ type: 'note', a: [1.0, { x: '\u00e9', y: -0 }], b: 1 });
    if (!first || !second) throw new Error('no record');
    expect(alignLogs([first], [second])).toEqual({ kept: new Set([1]), faults: [] });
  });
});

describe('a record of the earlier log', () => {
  test('that is gone is shown, and those after it are kept', () => {
    expect(aligned(base, [...lint, ...synth.slice(1)])).toEqual({
      kept: [1, 2, 3],
      faults: ['gone 3 undefined'],
    });
  });

  test('that says something else is altered, and our line of it is named', () => {
    const altered = outcomeEvent('lint', 1, { verdict: 'fail' });
    expect(aligned(base, [...lint.slice(0, 1), altered, ...synth])).toEqual({
      kept: [1, 3, 4],
      faults: ['altered 2 2'],
    });
  });

  test('that carries one field more or less is altered', () => {
    const more = outcomeEvent('lint', 1, { note: 'as it was' });
    expect(aligned(base, [...lint.slice(0, 1), more, ...synth]).faults).toEqual(['altered 2 2']);
    expect(aligned([more], [outcomeEvent('lint', 1)]).faults).toEqual(['altered 1 1']);
  });

  test('that names another run is gone: nothing tells of that run any more', () => {
    const renumbered = outcomeEvent('lint', 2);
    expect(aligned(base, [...lint.slice(0, 1), renumbered, ...synth]).faults).toEqual([
      'gone 2 undefined',
    ]);
  });

  test('that stands elsewhere is moved, and its place is named', () => {
    expect(aligned(base, [...synth, ...lint])).toEqual({
      kept: [3, 4],
      faults: ['moved 3 1', 'moved 4 2'],
    });
  });

  test('that stood there twice and once is left is moved or gone, never kept', () => {
    expect(aligned([...lint, ...lint], lint)).toEqual({
      kept: [1, 2],
      faults: ['moved 3 1', 'moved 4 2'],
    });
  });

  test('of a type that nobody judges by is looked for all the same', () => {
    expect(aligned([note('a'), note('b')], [note('a'), note('c')])).toEqual({
      kept: [1],
      faults: ['gone 2 undefined'],
    });
  });

  test('is not taken for one of another stage with the same words', () => {
    expect(aligned([outcomeEvent('lint', 1)], [outcomeEvent('lint2', 1)]).faults).toEqual([
      'gone 1 undefined',
    ]);
  });
});

test('a log that is replaced by another keeps nothing and says so of every record', () => {
  const { kept, faults } = aligned(base, [note('a new start')]);
  expect(kept).toEqual([]);
  expect(faults).toHaveLength(4);
});

test('a long log that was rewritten in its middle is compared at once', () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const turned = [...long].reverse();
  const started = performance.now();
  expect(alignTexts(long, long).faults).toEqual([]);
  expect(alignTexts(long, turned).kept.size).toBe(1);
  const alike = Array.from({ length: 20_000 }, () => 'the same');
  expect(alignTexts(alike, alike.slice(1)).faults).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(5000);
});

/** Few words, so that lines are often alike. */
const word = fc.constantFrom<string>('a', 'b', 'c', '', 'constructor', '__proto__');
const words = fc.array(word, { maxLength: 8 });

interface Merged {
  readonly earlier: readonly string[];
  readonly ours: readonly string[];
}

/** An earlier list with anything put between its items. */
const merged: fc.Arbitrary<Merged> = fc
  .array(fc.tuple(word, fc.array(word, { maxLength: 3 })), { maxLength: 8 })
  .chain((pairs) =>
    fc.array(word, { maxLength: 3 }).map((first) => ({
      earlier: pairs.map(([item]) => item),
      ours: [...first, ...pairs.flatMap(([item, after]) => [item, ...after])],
    })),
  );

/** By trying every way: is there one to find the earlier list in ours, in its order? */
function isWithin([first, ...rest]: readonly string[], ours: readonly string[]): boolean {
  if (first === undefined) return true;
  return ours.some((text, place) => text === first && isWithin(rest, ours.slice(place + 1)));
}

describe('of any lists of texts', () => {
  test('one with anything put between has all of the earlier one, in its order', () => {
    fc.assert(
      fc.property(merged, ({ earlier, ours }) => {
        const { kept, faults } = alignTexts(earlier, ours);
        expect(faults).toEqual([]);
        const places = [...kept];
        expect(places.map((place) => ours[place])).toEqual(earlier);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  test('no fault is found if and only if there is a way to find it all', () => {
    fc.assert(
      fc.property(words, words, (earlier, ours) => {
        const { kept, faults } = alignTexts(earlier, ours);
        expect(faults.length === 0).toBe(isWithin(earlier, ours));
        // Whatever is wrong: what is kept is in the earlier one too, in its order, each once.
        expect(
          isWithin(
            [...kept].map((place) => ours[place] ?? '?'),
            earlier,
          ),
        ).toBe(true);
        expect(kept.size + faults.length).toBe(earlier.length);
        for (const { kind, index, ours: place } of faults) {
          const text = earlier[index];
          expect(kind).toBe(ours.includes(text ?? '?') ? 'moved' : 'gone');
          expect(place).toBe(ours.includes(text ?? '?') ? ours.indexOf(text ?? '?') : undefined);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** Records that differ, as those of a real log do: each has a time of its own. */
const distinct = (from: number, count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => {
    const ts = new Date(Date.UTC(2026, 0, 1) + (from + index) * 1000).toISOString();
    const rule = ['lint', 'synth', 'constructor'][index % 3] ?? 'lint';
    const run = Math.floor(index / 6) + 1;
    return index % 6 < 3 ? dispatchEvent(rule, run, { ts }) : outcomeEvent(rule, run, { ts });
  });

/** A log and a later one that has its records and others between them, with the lines of its own. */
const grown = fc
  .record({
    count: fc.integer({ min: 2, max: 10 }),
    extra: fc.integer({ min: 0, max: 10 }),
    picks: fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
  })
  .map(({ count, extra, picks }) => {
    const earlier = distinct(0, count);
    const others = distinct(1000, extra);
    const left = { earlier: [...earlier], others: [...others] };
    const ours: JsonObject[] = [];
    for (const pick of [...picks, ...picks]) {
      const [first, second] = pick ? [left.earlier, left.others] : [left.others, left.earlier];
      const next = first.shift() ?? second.shift();
      if (next) ours.push(next);
    }
    return { earlier, ours, lines: earlier.map((event) => ours.indexOf(event) + 1) };
  });

describe('of any log that another was merged into', () => {
  test('every record is kept, on its own line', () => {
    fc.assert(
      fc.property(grown, ({ earlier, ours, lines }) => {
        expect(aligned(earlier, ours)).toEqual({ kept: lines, faults: [] });
      }),
      { numRuns: 200 },
    );
  });

  test('one record that is dropped is the one that is gone', () => {
    fc.assert(
      fc.property(grown, fc.nat(), ({ earlier, ours }, choice) => {
        const lost = choice % earlier.length;
        const { kept, faults } = aligned(
          earlier,
          ours.filter((event) => event !== earlier[lost]),
        );
        // A record of the other branch may tell of the same run: then that is what stands for it.
        expect(faults).toHaveLength(1);
        expect(faults[0]).toMatch(new RegExp(`^(?:gone|altered) ${lost + 1} `));
        expect(kept).toHaveLength(earlier.length - 1);
      }),
      { numRuns: 200 },
    );
  });

  test('one record of which a field is changed is the one that is altered', () => {
    const field = fc.constantFrom('ts', 'note', 'tool_versions', 'params');
    fc.assert(
      fc.property(grown, fc.nat(), field, ({ earlier, ours }, choice, name) => {
        const at = choice % earlier.length;
        const value = name === 'ts' ? '2020-01-01T00:00:00.000Z' : { a: 'b' };
        const { kept, faults } = aligned(
          earlier,
          ours.map((event) => (event === earlier[at] ? { ...event, [name]: value } : event)),
        );
        expect(faults).toHaveLength(1);
        expect(faults[0]).toMatch(new RegExp(`^altered ${at + 1} \\d+$`));
        expect(kept).toHaveLength(earlier.length - 1);
      }),
      { numRuns: 200 },
    );
  });

  test('two records that changed places are found', () => {
    fc.assert(
      fc.property(grown, fc.nat(), fc.nat(), ({ earlier, ours, lines }, one, other) => {
        const [a, b] = [lines[one % lines.length] ?? 1, lines[other % lines.length] ?? 1];
        fc.pre(a !== b);
        const [first, second] = [ours[a - 1], ours[b - 1]];
        const swapped = ours.map((event, index) => {
          if (index === a - 1) return second ?? event;
          return index === b - 1 ? (first ?? event) : event;
        });
        const { faults } = aligned(earlier, swapped);
        expect(faults.length).toBeGreaterThan(0);
        for (const fault of faults) expect(fault).toMatch(/^moved /);
      }),
      { numRuns: 200 },
    );
  });
});

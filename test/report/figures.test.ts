import { describe, expect, test } from 'vitest';
import { type Figure, figureText, keyFigures, numbersIn } from '../../src/report/figures.ts';

function figuresOf(payload: Readonly<Record<string, unknown>>): [string, number][] {
  const figures = numbersIn(payload).map(([name, value]) => ({ name, value, before: undefined }));
  return keyFigures(figures).map(({ name, value }) => [name, value]);
}

function figure(value: number, before?: number): Figure {
  return { name: 'area', value, before };
}

describe('the key figures of a payload', () => {
  test('are at most four of its numbers, those first that people look for', () => {
    expect(
      figuresOf({ zeta: 1, alpha: 2, cells: 30, extra: 4, worst_slack: -0.5, area: 12.25 }),
    ).toEqual([
      ['worst_slack', -0.5],
      ['area', 12.25],
      ['cells', 30],
      ['zeta', 1],
    ]);
  });

  test('are numbers only', () => {
    expect(figuresOf({ a: '1', b: null, c: [1], d: { e: 1 }, f: true, g: 2 })).toEqual([['g', 2]]);
  });

  test('that count nothing are left out, but for those that people look for', () => {
    expect(figuresOf({ notes: 0, violations: 0 })).toEqual([['violations', 0]]);
  });

  test('are none without a payload', () => {
    expect(numbersIn(null)).toEqual([]);
    expect(keyFigures([])).toEqual([]);
  });
});

describe('a figure as text', () => {
  test.each([
    [figure(12.5), '12.5'],
    [figure(12.5, 12.5), '12.5'],
    [figure(12.5, 12), '12.5 (+0.5)'],
    [figure(-0.72, 0.3), '-0.72 (−1.02)'],
    [figure(0.3, 0.1), '0.3 (+0.2)'],
    [figure(0, 5), '0 (−5)'],
  ])('%o is %s', (one, text) => {
    expect(figureText(one)).toBe(text);
  });
});

import { describe, expect, test } from 'vitest';
import { keyFigures } from '../../src/report/figures.ts';
import { made } from './made.ts';

function figuresOf(payload: Readonly<Record<string, unknown>> | undefined): [string, number][] {
  const stage = payload === undefined ? {} : { payload };
  return keyFigures(made({ stages: { a: stage } }).envelopes.get('a'));
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
    expect(figuresOf({ a: '1', b: null, c: [1], d: { e: 1 }, f: true, g: 0 })).toEqual([['g', 0]]);
  });

  test('are none without a payload', () => {
    expect(figuresOf(undefined)).toEqual([]);
    expect(keyFigures(undefined)).toEqual([]);
  });
});

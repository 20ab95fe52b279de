import { describe, expect, test } from 'vitest';
import { decidable, withNeeds } from '../../src/schedule/order.ts';
import { flowOf } from '../flow/flow-file.ts';

/** a and e are free; b reads a, c reads b, d comes after a and e. */
const FLOW = `stages:
  c: { run: x, inputs: [b.out] }
  b: { run: x, inputs: [a.out], outputs: [b.out] }
  a: { run: x, inputs: [src], outputs: [a.out] }
  d: { run: x, inputs: [src], after: [a, e] }
  e: { run: x, inputs: [src] }
`;

describe('what can be decided now', () => {
  test.each([
    [[], ['a', 'e']],
    [['a'], ['b', 'e']],
    [['e'], ['a']],
    [
      ['a', 'e'],
      ['b', 'd'],
    ],
    [
      ['a', 'b', 'e'],
      ['c', 'd'],
    ],
    [['a', 'b', 'c', 'd', 'e'], []],
  ])('after %j: %j', (settled, expected) => {
    const names = decidable(flowOf(FLOW), (name) => settled.includes(name)).map(({ name }) => name);
    expect([...names].sort()).toEqual(expected);
  });
});

describe('stages with all that they need', () => {
  test.each([
    [['c'], ['a', 'b', 'c']],
    [['b'], ['a', 'b']],
    [['d'], ['d']],
    [
      ['d', 'b'],
      ['a', 'b', 'd'],
    ],
    [[], []],
  ])('%j: %j', (names, expected) => {
    expect([...withNeeds(flowOf(FLOW), names)].sort()).toEqual(expected);
  });
});

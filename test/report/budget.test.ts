import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/report/budget.ts';

const RESERVE = 4096;

describe('a budget', () => {
  test('takes everything as long as there is room, in the order in which it came', () => {
    const budget = new Budget(RESERVE + 4);
    budget.add('ab', 'letters', 5);
    budget.add('c', 'letters', 0);
    budget.add('d', 'letters', 9);
    expect(budget.text()).toBe('abcd');
  });

  test('leaves out what has the highest rank, keeps the order, and says what was cut', () => {
    const budget = new Budget(RESERVE + 4);
    budget.add('AA', 'details', 2);
    budget.add('v', 'verdict', 0);
    budget.add('bb', 'row', 1);
    budget.add('CC', 'details', 2);
    budget.add('d', 'row', 1);
    expect(budget.text()).toBe(
      'vbbd\n\n**Left out for want of room: 2 × details.** The report (input `report`) has everything.\n',
    );
  });

  test('counts bytes of UTF-8, not characters', () => {
    const budget = new Budget(RESERVE + 3);
    budget.add('é', 'one');
    budget.add('é', 'two');
    expect(budget.text()).toContain('1 × two');
  });

  test('takes a small part after one that was too large', () => {
    const budget = new Budget(RESERVE + 2);
    budget.add('large', 'part');
    budget.add('ok', 'part');
    expect(budget.text().startsWith('ok\n')).toBe(true);
  });

  test('is kept with the note, however much is cut', () => {
    const budget = new Budget(10_000);
    for (let index = 0; index < 1000; index++) budget.add('x'.repeat(100), `kind ${index % 7}`, 1);
    expect(Buffer.byteLength(budget.text())).toBeLessThanOrEqual(10_000);
  });
});

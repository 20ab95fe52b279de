import { expect, test } from 'vitest';
import { readLibertyCells } from '../../src/engine/adapters/yosys/liberty-cells.ts';

const read = (text: string) => {
  const cells = readLibertyCells(text);
  if (!cells.ok) throw new Error(cells.error);
  return cells.value;
};

test('semicolons and quotes left out, comments anywhere, tables and braces in texts', () => {
  const cells = read(`library("odd") { /* cell (NOT_THIS) { } */
    technology (cmos)
    comment : "a } in a text; cell (NOR_THIS) { }";
    define (extra, cell, string);
    lu_table_template(t) { variable_1 : x; index_1 ("1, 2"); }
    cell ( "A-1" ) { // a remark: { {
      area : 1
      pin (A) { direction : input }
      pin (Y) { direction : output
        function : A'
        timing () { related_pin : "A"; cell_rise(t) { values ("1, 2", \\
          "3, 4"); } }
      }
    }
    cell(B){area:2;test_cell(){ff(IQ,IQN){clocked_on:"C";next_state:"D";}}}
  }`);
  expect([...cells.keys()]).toEqual(['A-1', 'B']);
  expect([...cells.values()].map(({ isFlop }) => isFlop)).toEqual([false, false]);
});

test('what a cell is', () => {
  const cells = read(`library (l) {
    cell (F) { ff (IQ, IQN) { clocked_on : "!CK"; next_state : "D"; } }
    cell (BANK) { ff_bank (IQ, IQN, 4) { clocked_on : "CK"; next_state : "D"; } }
    cell (HIGH) { pin (Z) { direction : output; function : "1"; } }
    cell (BUS) { pin (A) { direction : input; } pin (Y) { direction : output; function : "A"; three_state : "B"; } }
    cell (LOW_LATCH) {
      latch ("IQ", "IQN") { enable : "(GN)'"; data_in : "D"; }
      pin (GN) { direction : input; } pin (D) { direction : input; }
      pin (Q) { direction : output; function : "IQ"; }
    }
    cell (LATCHN) {
      latch (IQ, IQN) { enable : "GN'"; data_in : "D"; }
      pin (GN) { direction : input; } pin (D) { direction : input; }
      pin (Q) { direction : output; function : "IQ"; }
    }
    cell (CLEARED) {
      latch (IQ, IQN) { enable : "G"; data_in : "D"; clear : "R"; }
      pin (G) { direction : input; } pin (D) { direction : input; } pin (R) { direction : input; }
      pin (Q) { direction : output; function : "IQ"; }
    }
  }`);
  expect([...cells.values()].filter(({ isFlop }) => isFlop).map(({ name }) => name)).toEqual([
    'F',
    'BANK',
  ]);
  expect(cells.get('HIGH')?.constant).toEqual({ pin: 'Z', value: '1' });
  expect(cells.get('BUS')?.isTriState).toBe(true);
  expect(cells.get('LATCHN')?.latch).toEqual({
    enable: 'GN',
    isLow: true,
    data: 'D',
    output: 'Q',
  });
  expect(cells.get('LOW_LATCH')?.latch).toBeUndefined();
  expect(cells.get('CLEARED')).toMatchObject({ isLatch: true, latch: undefined });
});

test.each(['library (l) { cell (A) {', 'library (l) { } }', 'library (l) { cell (A) { } '])(
  'groups that are not closed: %s',
  (text) => {
    expect(readLibertyCells(text)).toEqual({ ok: false, error: 'its groups are not closed' });
  },
);

test('what is no Liberty file has no cell', () => {
  expect(read('cell (A) { }').size).toBe(0);
  expect(read('').size).toBe(0);
});

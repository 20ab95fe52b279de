import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { readWritten } from '../written.ts';
import type { Port, Shapes } from './yosys-equiv-compare.ts';
import { GATE, GOLD, type Sides } from './yosys-equiv-sides.ts';
import { runYosys } from './yosys-script.ts';

/** A sequence of inputs that the two designs answer differently. */
export interface Counterexample {
  /** The step in which they first differ, from 1. */
  readonly step: number;
  readonly outputs: readonly Port[];
  /** What the registers hold at first: it differs for whatever they hold, or for zeros. */
  readonly start: 'any' | 'zero';
  /** Path of the waveform. */
  readonly trace: string;
}

/**
 * Searches a difference within so many clock cycles. First one that does not depend on what the
 * registers hold at power-up: they hold x, and both sides must come to values that differ. Where
 * each register has its other by name, then one for registers that all hold zero.
 */
export async function searchDifference(
  bench: Bench,
  sides: Sides,
  shapes: Shapes,
  depth: number,
): Promise<Result<Counterexample | undefined, EnvelopeError>> {
  for (const start of ['any', 'zero'] as const) {
    if (start === 'zero' && !shapes.isOneToOne) continue;
    // Short ones first: they are found sooner, and easier to read.
    for (const cycles of new Set([4, 2, 1].map((part) => Math.ceil(depth / part)))) {
      const found = await search(bench, sides, shapes, cycles, start);
      if (!found.ok || found.value !== undefined) return found;
    }
  }
  return ok(undefined);
}

async function search(
  bench: Bench,
  sides: Sides,
  shapes: Shapes,
  cycles: number,
  start: Counterexample['start'],
): Promise<Result<Counterexample | undefined, EnvelopeError>> {
  const at = (ending: string): string => join(bench.folder, `search-${start}-${cycles}${ending}`);
  writeFileSync(at('.v'), miterOf(shapes));
  // With one clock a step is a cycle; with more, each of them is an input, and a cycle takes two.
  const steps = shapes.hasOneClock ? cycles : 2 * cycles + 1;
  const begin =
    start === 'any'
      ? '-enable_undef -set-init-undef -set-def-inputs'
      : '-enable_undef -set-init-zero -set-def-inputs';
  const run = await runYosys(bench, `search-${start}-${cycles}`, [
    `read_rtlil ${sides.gold.design}`,
    `read_rtlil ${sides.gate.design}`,
    shapes.hasOneClock ? 'async2sync' : 'clk2fflogic',
    `read_verilog -sv ${at('.v')}`,
    'hierarchy -check -top signoff_miter',
    'proc',
    'flatten',
    'opt_clean',
    `tee -o ${at('.txt')} sat -seq ${steps} ${begin} -prove differs 0 -show-inputs -show-outputs -dump_vcd ${at('.vcd')} signoff_miter`,
  ]);
  if (!run.ok) return run;
  if (!run.value.isDone) return err(noAnswer('yosys', run.value));
  const text = readWritten(at('.txt'));
  if (!text.ok) return err(unusable(text.error));
  const isFound = /^SAT proof finished - model found: FAIL!$/m.test(text.value);
  const isNone = /^SAT proof finished - no model found: SUCCESS!$/m.test(text.value);
  if (isFound === isNone) return err(unusable('yosys did not say whether it found a difference'));
  if (isNone) return ok(undefined);
  const difference = readModel(text.value, shapes.outputs);
  if (difference === undefined)
    return err(unusable('the counterexample of yosys shows no difference'));
  return ok({ ...difference, start, trace: at('.vcd') });
}

/**
 * Both designs side by side, with one output that is 1 when any bit of theirs is 0 on one side and 1
 * on the other: a bit that is x on a side says nothing.
 */
function miterOf({ inputs, outputs }: Shapes): string {
  const range = ({ width }: Port): string => (width === 1 ? '' : `[${width - 1}:0] `);
  const ports = [
    ...inputs.map((port) => `input ${range(port)}\\${port.name} `),
    ...outputs.flatMap((port) =>
      ['gold', 'gate', 'differs'].map((which) => `output ${range(port)}\\${which}.${port.name} `),
    ),
    'output differs',
  ];
  const instance = (module: string, which: string): string =>
    `  ${module} \\${which}.instance (${[
      ...inputs.map(({ name }) => `.\\${name} (\\${name} )`),
      ...outputs.map(({ name }) => `.\\${name} (\\${which}.${name} )`),
    ].join(', ')});`;
  const bits = outputs.flatMap((port) =>
    Array.from({ length: port.width }, (_, index) => {
      const bit = port.width === 1 ? '' : `[${index}]`;
      return `  assign \\differs.${port.name} ${bit} = (\\gold.${port.name} ${bit} ^ \\gate.${port.name} ${bit}) === 1'b1;`;
    }),
  );
  const any = outputs.map(({ name }) => `(|\\differs.${name} )`).join(' | ');
  return [
    `module signoff_miter (${ports.join(', ')});`,
    instance(GOLD, 'gold'),
    instance(GATE, 'gate'),
    ...bits,
    `  assign differs = ${any};`,
    'endmodule',
    '',
  ].join('\n');
}

/** The table of a model: step, signal, and its value, binary in the last column. */
function readModel(
  text: string,
  outputs: readonly Port[],
): Pick<Counterexample, 'step' | 'outputs'> | undefined {
  const names = new Set<string>();
  let step: number | undefined;
  const rows = [...text.matchAll(/^ +(\d+) \\(differs(?:\.\S+)?) .* ([01x]+)$/gm)];
  for (const [, at, name, bits] of rows) {
    if (name !== 'differs' || bits !== '1') continue;
    step = Math.min(step ?? Number.POSITIVE_INFINITY, Number(at));
  }
  for (const [, at, name = '', bits = ''] of rows) {
    if (Number(at) === step && bits.includes('1')) names.add(name.replace('differs.', ''));
  }
  const differing = outputs.filter(({ name }) => names.has(name));
  return step === undefined || differing.length === 0 ? undefined : { step, outputs: differing };
}

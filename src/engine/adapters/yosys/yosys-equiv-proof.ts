import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { readWritten } from '../written.ts';
import { GATE, GOLD, type Sides } from './yosys-equiv-sides.ts';
import { placeOfSource } from './yosys-log.ts';
import { runYosys } from './yosys-script.ts';

/** What the proof came to. */
export interface Proof {
  /** Points at which the two were compared: outputs, and nets of one name. */
  readonly cells: number;
  readonly proven: number;
  readonly unproven: readonly Unproven[];
  /** Why nothing can be concluded. */
  readonly why: string | undefined;
}

export interface Unproven {
  /** As the sources have it. */
  readonly name: string;
  readonly place: string | undefined;
}

/**
 * Pairs outputs and nets of one name, and proves them equal by induction. The clocks are inputs
 * like any other in it, so that another edge, or another clock, is a difference.
 */
export async function proveEquivalence(
  bench: Bench,
  sides: Sides,
  allowsX: boolean,
): Promise<Result<Proof, EnvelopeError>> {
  const status = join(bench.folder, 'status.txt');
  const undef = allowsX ? ' -undef' : '';
  const run = await runYosys(bench, 'equiv', [
    `read_rtlil ${sides.gold.design}`,
    `read_rtlil ${sides.gate.design}`,
    'clk2fflogic',
    `equiv_make ${GOLD} ${GATE} equiv`,
    'hierarchy -top equiv',
    `equiv_simple${undef}`,
    `equiv_induct${undef}`,
    `tee -o ${status} equiv_status`,
  ]);
  if (!run.ok) return run;
  if (!run.value.isDone) {
    const why = run.value.log.error?.text;
    return why === undefined
      ? err(noAnswer('yosys', run.value))
      : ok({ cells: 0, proven: 0, unproven: [], why });
  }
  const text = readWritten(status);
  if (!text.ok) return err(unusable(text.error));
  const proof = readStatus(text.value, sides);
  return proof === undefined ? err(unusable('yosys did not say what it has proven')) : ok(proof);
}

/** Reads what `equiv_status` wrote to a file of its own (0.23). */
function readStatus(text: string, { gold }: Sides): Proof | undefined {
  if (/^No \$equiv cells found/m.test(text)) {
    return { cells: 0, proven: 0, unproven: [], why: 'nothing could be paired' };
  }
  const totals = [...text.matchAll(/^Found (\d+) \$equiv cells in equiv:$/gm)];
  const parts = [
    ...text.matchAll(/^ {2}Of those cells (\d+) are proven and (\d+) are unproven\.$/gm),
  ];
  const [total, part] = [totals[0], parts[0]];
  if (total === undefined || part === undefined || totals.length + parts.length !== 2)
    return undefined;
  const [cells, proven, left] = [total[1], part[1], part[2]].map(Number);
  if (cells === undefined || proven === undefined || cells !== proven + (left ?? 0))
    return undefined;
  const unproven = [
    ...text.matchAll(
      /^ {2}Unproven \$equiv \S+: (\S+)_gold(?: \[(\d+)\])? \S+_gate(?: \[\d+\])?$/gm,
    ),
  ].map(([, net = '', index]) => {
    const name = net.replace(/^\\/, '');
    const place = placeOfSource(gold.module.nets.get(name)?.attributes['src']);
    return { name: index === undefined ? name : `${name}[${index}]`, place };
  });
  if (unproven.length !== left) return undefined;
  const isSaid = /^ {2}Equivalence successfully proven!$/m.test(text);
  if (isSaid !== (left === 0)) return undefined;
  return { cells, proven, unproven, why: cells === 0 ? 'nothing could be paired' : undefined };
}

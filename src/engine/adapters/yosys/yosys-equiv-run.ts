import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { badOutput, deliver } from '../deliver.ts';
import { isOn, numberIn, textIn } from '../values.ts';
import { compareShapes } from './yosys-equiv-compare.ts';
import { DEPTH } from './yosys-equiv-defaults.ts';
import { findEmptiness } from './yosys-equiv-emptiness.ts';
import { proveEquivalence } from './yosys-equiv-proof.ts';
import { type Counterexample, searchDifference } from './yosys-equiv-search.ts';
import { readSides } from './yosys-equiv-sides.ts';

export async function compare(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const { values } = bench;
  const depth = numberIn(values, 'depth') ?? DEPTH;
  const allowsX = isOn(values, 'allow-x');
  const refused = badOutput(bench, ['counterexample'], ['files', 'netlist', 'liberty']);
  if (refused) return err(refused);
  const read = await readSides(bench);
  if (!read.ok) return read;
  const { opened, figures, sides } = read.value;
  const answer = (
    equivalent: boolean | null,
    summary: string,
    more: JsonObject = {},
  ): Result<AdapterAnswer, EnvelopeError> =>
    ok({ payload: { equivalent, summary, ...figures, depth, ...more }, opened });
  if (sides === undefined) return answer(null, read.value.why);
  const shapes = compareShapes(sides);
  const counts = {
    output_bits: shapes.outputBits,
    registers: shapes.registers,
    unmatched_registers: shapes.unmatched.length,
  };
  if (shapes.differences.length > 0) {
    for (const { message, place } of shapes.differences) {
      bench.finding({ severity: 'error', code: 'PORT', message, place });
    }
    const messages = shapes.differences.map(({ message }) => message);
    return answer(false, `the ports do not match: ${messages.slice(0, 3).join('; ')}`, counts);
  }
  if (shapes.obstacle !== undefined) return answer(null, shapes.obstacle, counts);

  const proof = await proveEquivalence(bench, sides, allowsX);
  if (!proof.ok) return proof;
  const { cells, proven, unproven, why } = proof.value;
  const proofFigures = { ...counts, equiv_cells: cells, proven, unproven: unproven.length };
  if (why !== undefined) return answer(null, why, proofFigures);
  if (unproven.length === 0) {
    const doubt = cells < shapes.outputBits ? 'not every output was compared' : shapes.doubt;
    if (doubt !== undefined) return answer(null, doubt, proofFigures);
    const emptiness = await findEmptiness(bench, sides, shapes, { allowsX, depth });
    if (!emptiness.ok) return emptiness;
    if (emptiness.value !== undefined) return answer(null, emptiness.value, proofFigures);
    const points = `${plural(proven, 'point')} proven equal`;
    const summary = `${points}, among them ${plural(shapes.outputBits, 'output bit')}`;
    const failed = deliverTrace(bench, undefined, summary);
    return failed ? err(failed) : answer(true, summary, proofFigures);
  }

  const found = await searchDifference(bench, sides, shapes, depth);
  if (!found.ok) return found;
  const difference = found.value;
  if (difference === undefined) {
    for (const net of unproven) {
      bench.finding({
        severity: 'warn',
        code: 'UNPROVEN',
        message: `${net.name} is not proven equal`,
        place: net.place,
      });
    }
    const named = [...new Set(unproven.map(({ name }) => name))].slice(0, 3).join(', ');
    return answer(
      null,
      `${unproven.length} of ${plural(cells, 'point')} not proven equal (${named}), and no difference within ${plural(depth, 'cycle')}`,
      proofFigures,
    );
  }
  for (const { name, place } of difference.outputs) {
    bench.finding({
      severity: 'error',
      code: 'DIFFERS',
      message: `${name} differs from the sources in step ${difference.step}`,
      place,
    });
  }
  const named = difference.outputs.map(({ name }) => name);
  const summary = `in step ${difference.step} there differs: ${named.slice(0, 5).join(', ')}`;
  const failed = deliverTrace(bench, difference, summary);
  if (failed) return err(failed);
  const path = textIn(values, 'counterexample');
  return answer(false, summary, {
    ...proofFigures,
    counterexample_steps: difference.step,
    counterexample_start: difference.start,
    differing: named,
    ...(path === undefined ? {} : { counterexample_path: path }),
  });
}

/**
 * Puts the waveform where the flow wants it. It is an output of the stage, and those must come back
 * from a pass as well: where nothing differs, it holds that sentence and no signal.
 */
function deliverTrace(
  bench: Bench,
  difference: Counterexample | undefined,
  summary: string,
): EnvelopeError | undefined {
  const path = textIn(bench.values, 'counterexample');
  if (path === undefined) return undefined;
  if (difference) return deliver(bench, difference.trace, path);
  const none = join(bench.folder, 'none.vcd');
  writeFileSync(none, `$comment No counterexample: ${summary} $end\n$enddefinitions $end\n`);
  return deliver(bench, none, path);
}

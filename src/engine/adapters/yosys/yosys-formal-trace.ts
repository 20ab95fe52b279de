import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { deliver } from '../deliver.ts';
import { textIn } from '../values.ts';

/**
 * Puts the waveform where the flow wants it. It is an output of the stage, and those must come back
 * from a pass as well: where no assert failed, it holds a sentence and no signal.
 *
 * @param trace path of the waveform, if there is one
 * @returns what the payload says of it
 */
export function keepCounterexample(
  bench: Bench,
  trace: string,
  summary: string,
): Result<{ counterexample_path?: string }, EnvelopeError> {
  const path = textIn(bench.values, 'counterexample');
  if (path === undefined) return ok({});
  const isFound = existsSync(trace);
  const substitute = join(bench.folder, 'no-counterexample.vcd');
  if (!isFound) {
    const said = summary.replaceAll('$', '');
    writeFileSync(substitute, `$comment No counterexample: ${said} $end\n$enddefinitions $end\n`);
  }
  const fault = deliver(bench, isFound ? trace : substitute, path);
  if (fault) return err(fault);
  return ok(isFound ? { counterexample_path: path } : {});
}

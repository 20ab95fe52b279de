import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { readWritten } from '../written.ts';
import type { Shapes } from './yosys-equiv-compare.ts';
import { GOLD, type Sides } from './yosys-equiv-sides.ts';
import { runYosys } from './yosys-script.ts';

/**
 * A proof is empty where the sources give x: there anything is equal. Most x reach nothing (what
 * would be written to a memory that is not written), so the tool is asked: can one reach an output
 * or a register at all? Where x is allowed: can the sources be brought to give every output a value?
 *
 * @returns why the proof is empty; undefined when it is not
 */
export async function findEmptiness(
  bench: Bench,
  { gold }: Sides,
  { unknown }: Shapes,
  { allowsX, depth }: { readonly allowsX: boolean; readonly depth: number },
): Promise<Result<string | undefined, EnvelopeError>> {
  if (unknown === undefined) return ok(undefined);
  const report = join(bench.folder, 'emptiness.txt');
  const last = depth + 1;
  const question = allowsX
    ? `-seq ${last} -set-init-undef -set-def-at ${last} @outputs`
    : '-seq 2 -set-init-def -set-any-undef-at 2 @watched';
  const run = await runYosys(bench, 'emptiness', [
    `read_rtlil ${gold.design}`,
    `select -set outputs ${GOLD}/o:*`,
    `select -set registers ${GOLD}/t:*dff* ${GOLD}/t:*dlatch* ${GOLD}/t:*DFF* ${GOLD}/t:*DLATCH* %u %u %u %co1:+[Q] ${GOLD}/w:* %i`,
    'select -set watched @outputs @registers %u',
    'async2sync',
    `tee -o ${report} sat -enable_undef -set-def-inputs ${question} ${GOLD}`,
  ]);
  if (!run.ok) return run;
  if (!run.value.isDone) return err(noAnswer('yosys', run.value));
  const text = readWritten(report);
  if (!text.ok) return err(unusable(text.error));
  const isFound = /^SAT solving finished - model found:$/m.test(text.value);
  const isNone = /^SAT solving finished - no model found\.$/m.test(text.value);
  if (isFound === isNone) return err(unusable('yosys did not say whether x can be reached'));
  if (allowsX) {
    return ok(
      isFound
        ? undefined
        : `within ${plural(depth, 'cycle')} no input brings every output of the sources to a value: where it is x, anything is equal`,
    );
  }
  return ok(
    isFound
      ? `an x of the sources (${unknown}) can reach an output or a register, and allow-x is not set`
      : undefined,
  );
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { deliver } from '../deliver.ts';
import { textIn } from '../values.ts';
import { elaborate, type Opinion } from './yosys-synth-elaborate.ts';
import { mapToCells } from './yosys-synth-map.ts';

export async function synthesize(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const elaborated = await elaborate(bench);
  if (!elaborated.ok) return elaborated;
  const { opened, verdict: early } = elaborated.value;
  const answer = (
    { clean, summary }: Opinion,
    figures: JsonObject = {},
  ): Result<AdapterAnswer, EnvelopeError> =>
    ok({ payload: { clean, summary, ...elaborated.value.figures, ...figures }, opened });
  if (early !== undefined) return answer(early);

  const mapped = await mapToCells(bench, elaborated.value);
  if (!mapped.ok) return mapped;
  const { verdict, figures, netlist } = mapped.value;
  if (verdict.clean !== true || netlist === undefined) return answer(verdict, figures);
  const path = textIn(bench.values, 'netlist') ?? '';
  const stat = textIn(bench.values, 'stat');
  const statistics = join(bench.folder, 'statistics.json');
  writeFileSync(
    statistics,
    `${JSON.stringify({ ...elaborated.value.figures, ...figures }, null, 2)}\n`,
  );
  const failed =
    deliver(bench, netlist.file, path) ??
    (stat === undefined ? undefined : deliver(bench, statistics, stat));
  if (failed) return err(failed);
  return answer(verdict, {
    ...figures,
    netlist: { path, fingerprint: netlist.fingerprint },
    netlist_path: path,
    ...(stat === undefined ? {} : { stat_path: stat }),
  });
}

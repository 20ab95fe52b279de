import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../values/result.ts';
import type { JsonObject } from '../../values/strict-json.ts';
import type { EnvelopeError } from '../envelope.ts';
import type { Adapter, AdapterAnswer, Bench } from './adapter.ts';
import { deliver } from './deliver.ts';
import { DEFINES, FILES, INCLUDE_DIRS, ONE_PATH, TOP } from './parameters.ts';
import { textIn } from './values.ts';
import { YOSYS } from './yosys/yosys-script.ts';
import { elaborate, type Opinion } from './yosys/yosys-synth-elaborate.ts';
import { mapToCells } from './yosys/yosys-synth-map.ts';

/**
 * Synthesis by Yosys to the cells of a Liberty file. What is wrong with the sources is looked for
 * before anything is optimized: synthesis itself ties undriven wires to constants, and maps latches
 * and tri-states to whatever it has.
 */
export const yosysSynth: Adapter = {
  name: 'yosys-synth',
  revision: 1,
  programs: [YOSYS, { name: 'berkeley-abc', package: 'berkeley-abc' }],
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'yosys-synth',
    summary: 'Synthesizes RTL with Yosys to the cells of a Liberty file, and writes the netlist.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: [
        '--top',
        '{top}',
        '--liberty',
        '{liberty}',
        '--netlist',
        '{netlist}',
        '{files}',
      ],
      optional: [
        { arg: 'include-dirs', flag: '-I' },
        { arg: 'defines', flag: '-D' },
        { arg: 'stat', flag: '--stat' },
        { arg: 'keep-hierarchy', flag: '--keep-hierarchy' },
        { arg: 'allow-latches', flag: '--allow-latches' },
        { arg: 'allow-black-boxes', flag: '--allow-black-box' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'files', 'liberty', 'netlist'],
      properties: {
        top: TOP,
        files: FILES,
        'include-dirs': INCLUDE_DIRS,
        defines: DEFINES,
        liberty: { ...ONE_PATH, description: 'The Liberty file with the cells to map to.' },
        netlist: { ...ONE_PATH, description: 'Where the netlist goes, as Verilog.' },
        stat: { ...ONE_PATH, description: 'Where the statistics go, as JSON.' },
        'keep-hierarchy': {
          type: 'boolean',
          description: 'Keeps the modules apart; without it the netlist is one module.',
        },
        'allow-latches': { type: 'boolean', description: 'Latches are no fault.' },
        'allow-black-boxes': {
          type: 'array',
          items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_$]*$' },
          description: 'Modules that may be without contents.',
        },
      },
    },
    artifacts: [
      { role: 'netlist', field: 'netlist_path' },
      { role: 'synthesis_statistics', field: 'stat_path' },
    ],
    assertion: {
      id: 'synthesis-clean',
      field: 'clean',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'Nothing is said about timing, nor whether the netlist does what the sources say.',
      'The sources are read as for synthesis: SYNTHESIS is defined, and what stands between translate_off and translate_on is not there.',
      "The tool's own technology maps are known by its version, not by a digest.",
    ],
  },
  run: synthesize,
};

async function synthesize(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
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

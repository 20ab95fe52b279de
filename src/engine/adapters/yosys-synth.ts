import type { Adapter } from './adapter.ts';
import { DEFINES, FILES, INCLUDE_DIRS, ONE_PATH, TOP } from './parameters.ts';
import { YOSYS } from './yosys/yosys-programs.ts';

/**
 * Synthesis by Yosys to the cells of a Liberty file. What is wrong with the sources is looked for
 * before anything is optimized: synthesis itself ties undriven wires to constants, and maps latches
 * and tri-states to whatever it has.
 */
export const yosysSynth: Adapter = {
  name: 'yosys-synth',
  revision: 2,
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
  run: async (bench) => (await import('./yosys/yosys-synth-run.ts')).synthesize(bench),
};

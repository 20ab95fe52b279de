import type { Adapter } from './adapter.ts';
import { DEFINES, FILES, INCLUDE_DIRS, ONE_PATH, TOP } from './parameters.ts';
import { DEPTH } from './yosys/yosys-equiv-defaults.ts';
import { YOSYS } from './yosys/yosys-programs.ts';

/**
 * Equivalence of RTL and the netlist made of it, by Yosys. Its own recipe has gaps: it does not see
 * clocks, takes nets with two drivers for the one or the other, and its induction holds for
 * registers that start equal. So clocks become data here, the netlist is checked first, and a proof
 * counts only if every register of the netlist is one of the sources.
 */
export const yosysEquiv: Adapter = {
  name: 'yosys-equiv',
  revision: 2,
  programs: [YOSYS],
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'yosys-equiv',
    summary: 'Proves with Yosys that a netlist does what the RTL says, or shows where it does not.',
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
        { arg: 'depth', flag: '--depth' },
        { arg: 'allow-x', flag: '--allow-x' },
        { arg: 'counterexample', flag: '--counterexample' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'files', 'netlist', 'liberty'],
      properties: {
        top: TOP,
        files: FILES,
        'include-dirs': INCLUDE_DIRS,
        defines: DEFINES,
        netlist: { ...ONE_PATH, description: 'The netlist, as Verilog.' },
        liberty: {
          ...ONE_PATH,
          description: 'The Liberty file that says what the cells of the netlist do.',
        },
        depth: {
          type: 'integer',
          minimum: 1,
          maximum: 10_000,
          description: `Clock cycles that a counterexample is searched in; ${DEPTH} when not given.`,
        },
        'allow-x': {
          type: 'boolean',
          description: 'Where the sources give x, the netlist may have any value.',
        },
        counterexample: {
          ...ONE_PATH,
          description: 'Where the waveform of a counterexample goes, as VCD.',
        },
      },
    },
    artifacts: [{ role: 'counterexample', field: 'counterexample_path' }],
    assertion: {
      id: 'logic-equivalent',
      field: 'equivalent',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'The cells do what the Liberty file says, without delays.',
      'The sources are read as for synthesis: SYNTHESIS is defined, and what stands between translate_off and translate_on is not there.',
      'Registers are paired by name and taken to start with equal contents; states that nothing but power-up leads to are not compared.',
    ],
  },
  run: async (bench) => (await import('./yosys/yosys-equiv-run.ts')).compare(bench),
};

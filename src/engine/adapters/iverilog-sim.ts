import type { Adapter } from './adapter.ts';
import { IVERILOG } from './icarus/iverilog-programs.ts';
import { DEFINES, FILES, INCLUDE_DIRS, TOP } from './parameters.ts';
import { MIN_CHECKS, PLUSARGS, RESULT_PATTERN } from './simulation/simulation-schemas.ts';

/**
 * Icarus Verilog as a simulator. Its exit codes say little: a missing file compiles, `$error` runs to
 * a clean end. The verdict comes from the result line of the testbench (docs/testbench.md), bound to
 * the run, and from what was compiled.
 */
export const iverilogSim: Adapter = {
  name: 'iverilog-sim',
  revision: 2,
  programs: IVERILOG,
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'iverilog-sim',
    summary:
      'Runs a self-checking testbench with Icarus Verilog: its checks pass, none is missing.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: ['--top', '{top}', '{files}'],
      optional: [
        { arg: 'include-dirs', flag: '-I' },
        { arg: 'defines', flag: '-D' },
        { arg: 'plusargs', flag: '--plusarg' },
        { arg: 'min-checks', flag: '--min-checks' },
        { arg: 'result-pattern', flag: '--result-pattern' },
        { arg: 'allow-x-optimism', flag: '--allow-x-optimism' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'files'],
      properties: {
        top: { ...TOP, description: 'The module of the testbench.' },
        files: FILES,
        'include-dirs': INCLUDE_DIRS,
        defines: DEFINES,
        plusargs: PLUSARGS,
        'min-checks': MIN_CHECKS,
        'result-pattern': RESULT_PATTERN,
        'allow-x-optimism': {
          type: 'boolean',
          description:
            'Accept a testbench that compares with == or !=, which an unknown value slips through.',
        },
      },
    },
    assertion: {
      id: 'simulation-passed',
      field: 'passed',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'How many checks were made is the word of the testbench.',
      'The tool does not tell of $finish: that the simulation ended after the result is seen, that it was $finish that ended it, and that nothing called it before within the same step of time, is not.',
      'Comparisons that let unknown values pass are looked for in the file of the testbench and what it includes, by their operators alone.',
      'Files that are read while the simulation runs are seen if their names stand in the sources or the arguments.',
    ],
  },
  run: async (bench) => (await import('./icarus/iverilog-sim-run.ts')).simulate(bench),
};

import type { Adapter, AdapterProgram } from './adapter.ts';
import { DEFINES, FILES, INCLUDE_DIRS, ONE_PATH, TOP } from './parameters.ts';
import { MIN_CHECKS, PLUSARGS, RESULT_PATTERN } from './simulation/simulation-schemas.ts';
import { isOn } from './values.ts';
import { VERILATOR } from './verilator/verilator-programs.ts';

const COVERAGE: readonly AdapterProgram[] = [
  {
    name: 'verilator_coverage',
    version: ['--version'],
    tested: '>=5.6.0 <5.7.0',
    package: 'verilator',
  },
  {
    name: 'verilator_coverage_bin_dbg',
    beside: {
      program: 'verilator_coverage',
      paths: ['verilator_coverage_bin_dbg', '../share/verilator/bin/verilator_coverage_bin_dbg'],
    },
    package: 'verilator',
  },
];

/**
 * Verilator as a simulator, with a main program of ours. The verdict comes from the result line of
 * the testbench (docs/testbench.md), bound to the run, from failed assertions, from what was
 * elaborated, and, where it is asked for, from the lines that were reached.
 */
export const verilatorSim: Adapter = {
  name: 'verilator-sim',
  revision: 2,
  programs: [
    ...VERILATOR,
    {
      // It is compiled into every simulation.
      name: 'verilated.cpp',
      beside: {
        program: 'verilator',
        paths: ['../share/verilator/include/verilated.cpp', '../include/verilated.cpp'],
      },
      package: 'verilator',
    },
    { name: 'make', version: ['--version'], tested: '>=4.3.0 <4.4.0', package: 'make' },
    { name: 'g++', version: ['--version'], tested: '>=12.0.0 <13.0.0', package: 'g++' },
    ...COVERAGE,
  ],
  spares: (values) => (isOn(values, 'coverage') ? [] : COVERAGE.map(({ name }) => name)),
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'verilator-sim',
    summary:
      'Runs a self-checking testbench with Verilator: its checks and assertions pass, enough lines are reached.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: ['--top', '{top}', '{files}'],
      optional: [
        { arg: 'include-dirs', flag: '-I' },
        { arg: 'defines', flag: '-D' },
        { arg: 'plusargs', flag: '--plusarg' },
        { arg: 'min-checks', flag: '--min-checks' },
        { arg: 'result-pattern', flag: '--result-pattern' },
        { arg: 'seed', flag: '--seed' },
        { arg: 'coverage', flag: '--coverage' },
        { arg: 'min-line-coverage', flag: '--min-line-coverage' },
        { arg: 'coverage-files', flag: '--coverage-file' },
        { arg: 'allow-coverage-off', flag: '--allow-coverage-off' },
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
        seed: {
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          description: 'Where $urandom and values without a start begin; 1 when not given.',
        },
        coverage: {
          type: 'boolean',
          description: 'Count the lines that the simulation reaches, against min-line-coverage.',
        },
        'min-line-coverage': {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'The share of lines that must be reached; needed with coverage.',
        },
        'coverage-files': {
          type: 'array',
          minItems: 1,
          items: ONE_PATH,
          description:
            'The files whose lines count; when not given, all that hold modules but the one of the testbench.',
        },
        'allow-coverage-off': {
          type: 'boolean',
          description: 'Accept sources that keep lines out of coverage.',
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
      'A bit is 0 or 1: where it would be unknown or floating it has a value of chance, and a check may pass by it.',
      'Code that only other tools see (`ifndef VERILATOR), modules that are not below the top, and blocks that hold $stop or $error are not among the lines of coverage.',
      'A line counts as reached when every branch that begins on it was taken.',
      'Files that are read while the simulation runs are seen if their names stand in the sources or the arguments.',
    ],
  },
  run: async (bench) => (await import('./verilator/verilator-sim-run.ts')).simulate(bench),
};

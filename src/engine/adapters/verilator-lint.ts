import type { Adapter } from './adapter.ts';
import { DEFINES, FILES, INCLUDE_DIRS, TOP } from './parameters.ts';
import { VERILATOR } from './verilator/verilator-programs.ts';

/**
 * Verilator as a linter. Its exit code says little, since a waiver turns it green: the verdict comes
 * from its messages, from what it elaborated, and from the waivers in force.
 */
export const verilatorLint: Adapter = {
  name: 'verilator-lint',
  revision: 2,
  programs: VERILATOR,
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'verilator-lint',
    summary: 'Lints RTL with Verilator: no warning, no error, every listed file elaborated.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: ['--top', '{top}', '{files}'],
      optional: [
        { arg: 'include-dirs', flag: '-I' },
        { arg: 'defines', flag: '-D' },
        { arg: 'waive', flag: '--waive' },
        { arg: 'allow-waivers', flag: '--allow-waiver' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'files'],
      properties: {
        top: TOP,
        files: FILES,
        'include-dirs': INCLUDE_DIRS,
        defines: DEFINES,
        waive: {
          type: 'array',
          items: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
          description: 'Codes of warnings to switch off; each is a waiver.',
        },
        'allow-waivers': {
          type: 'array',
          items: { type: 'string', pattern: '^[A-Z*][A-Z0-9_]*(@.+)?$', format: 'name-pattern' },
          description:
            'Waivers that are accepted: CODE, or CODE@FILE for one file; * stands for every code. FULL_CASE, PUBLIC and their like are comments of that name, VERILATOR is text behind `ifdef VERILATOR.',
        },
      },
    },
    assertion: {
      id: 'lint-clean',
      field: 'clean',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'A module of a listed file that is not below the top is not looked at.',
      'Signals whose names hold "unused" are exempt from UNUSED by the tool itself.',
      'A message of an early pass hides those of later ones.',
    ],
  },
  run: async (bench) => (await import('./verilator/verilator-lint-run.ts')).lint(bench),
};

import type { JsonObject } from '../../values/strict-json.ts';
import type { Adapter } from './adapter.ts';
import { DEFINES, FILES, INCLUDE_DIRS, ONE_PATH, TOP } from './parameters.ts';
import type { Aim } from './yosys/yosys-formal-run.ts';
import { SMTBMC, YOSYS } from './yosys/yosys-programs.ts';

/** Yosys, yosys-smtbmc and z3 as a prover: what it passes holds in every step. */
export const yosysFormal = adapter({
  name: 'yosys-formal',
  summary: 'Proves the asserts of a design by a search to a depth and an induction at that depth.',
  assertion: 'properties-proven',
  aim: { field: 'proven', isProof: true },
  depth: 'Steps of the search, and most steps of the induction.',
});

/** The same without the induction. That a bound is enough is for the flow to say, by this name. */
export const yosysFormalBounded = adapter({
  name: 'yosys-formal-bounded',
  summary:
    'Searches the first steps of a design for a failing assert; of later ones it says nothing.',
  assertion: 'properties-bounded',
  aim: { field: 'holds_to_depth', isProof: false },
  depth: 'Steps of the search: what fails later is not seen.',
});

function adapter(kind: {
  readonly name: string;
  readonly summary: string;
  readonly assertion: string;
  readonly aim: Aim;
  readonly depth: string;
}): Adapter {
  return {
    name: kind.name,
    revision: 2,
    programs: [YOSYS, ...SMTBMC],
    descriptor: {
      schema: 'vyges-tool-descriptor/1.1',
      name: kind.name,
      summary: kind.summary,
      maturity: 'workflow-validated',
      invocation: {
        args_template: ['--top', '{top}', '--depth', '{depth}', '{files}'],
        optional: [
          { arg: 'include-dirs', flag: '-I' },
          { arg: 'defines', flag: '-D' },
          { arg: 'asserts', flag: '--assert' },
          { arg: 'min-asserts', flag: '--min-asserts' },
          { arg: 'allow-unreached', flag: '--allow-unreached' },
          { arg: 'counterexample', flag: '--counterexample' },
        ],
      },
      inputs: {
        type: 'object',
        required: ['top', 'files', 'depth'],
        properties: {
          top: TOP,
          files: FILES,
          'include-dirs': INCLUDE_DIRS,
          defines: DEFINES,
          depth: { type: 'integer', minimum: 1, maximum: 1_000_000, description: kind.depth },
          asserts: names('Asserts that must be there.'),
          'min-asserts': {
            type: 'integer',
            minimum: 1,
            description: 'The least number of asserts; 1 when not given.',
          },
          'allow-unreached': names(
            'Properties that need not be looked at: in a branch that is never taken (by name), or in text that a macro or a generate leaves out (by label, or FILE:LINE).',
          ),
          counterexample: {
            ...ONE_PATH,
            description: 'Output: the waveform (VCD) of a failing assert.',
          },
        },
      },
      artifacts: [{ role: 'counterexample', field: 'counterexample_path' }],
      assertion: {
        id: kind.assertion,
        field: kind.aim.field,
        pass_when: { is_true: true },
        summary_field: 'summary',
      },
      provenance_limitations: [
        'What holds, holds under the assumptions of the design; whether they are fair is not judged.',
        'Registers start with the initial values that the sources give them: a netlist has none.',
        'Assumptions that contradict each other only after the depth are not noticed.',
        'An implication written as one expression (!a || b) counts as looked at even if a never holds.',
        'An index out of range and a division by zero give one fixed value, not any.',
        'An asynchronous reset is looked at with the clock; the inside of a black box is not seen.',
        'Python is identified by the python3 on PATH; yosys-smtbmc may start another.',
      ],
    },
    run: async (bench) =>
      (await import('./yosys/yosys-formal-run.ts')).checkProperties(bench, kind.aim),
  };
}

function names(description: string): JsonObject {
  return {
    type: 'array',
    items: { type: 'string', pattern: '^[^-+].*$', format: 'name-pattern' },
    description: `${description} By the names that the result lists, without the indices of generate blocks.`,
  };
}

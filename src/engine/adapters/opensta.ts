import type { Adapter } from './adapter.ts';
import { PATHS } from './opensta/opensta-defaults.ts';
import { ONE_PATH, TOP } from './parameters.ts';

/** Patterns of names; the gate takes none of them for files. */
const NAME_PATTERN = { type: 'string', minLength: 1, format: 'name-pattern' };

/**
 * Static timing analysis by OpenSTA. The tool says "met" of whatever it was given, half a set of
 * constraints and no path at all included: so every end of a path is looked for, and a pass needs
 * each of them timed, for setup and for hold.
 */
export const opensta: Adapter = {
  name: 'opensta',
  revision: 2,
  programs: [{ name: 'sta', version: ['-version'], tested: '>=2.0.17 <2.1.0', package: 'opensta' }],
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'opensta',
    summary: 'Static timing analysis of a netlist with OpenSTA, setup and hold together.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: [
        '--top',
        '{top}',
        '--netlist',
        '{netlist}',
        '--sdc',
        '{sdc}',
        '--liberty',
        '{liberty}',
      ],
      optional: [
        { arg: 'spef', flag: '--spef' },
        { arg: 'allow-unconstrained', flag: '--allow-unconstrained' },
        { arg: 'allow-warnings', flag: '--allow-warning' },
        { arg: 'report', flag: '--report' },
        { arg: 'max-paths', flag: '--max-paths' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'netlist', 'sdc', 'liberty'],
      properties: {
        top: TOP,
        netlist: { ...ONE_PATH, description: 'The netlist, as Verilog, all modules in one file.' },
        sdc: { ...ONE_PATH, description: 'The constraints; it may source others.' },
        liberty: {
          type: 'array',
          minItems: 1,
          items: ONE_PATH,
          description: 'The Liberty files of one corner.',
        },
        spef: { ...ONE_PATH, description: 'The parasitics; without it, nets have no delay.' },
        'allow-unconstrained': {
          type: 'array',
          items: NAME_PATTERN,
          description:
            'Ports and pins (`*` and `?` may be used) that need no constraint, path or driver.',
        },
        'allow-warnings': {
          type: 'array',
          items: NAME_PATTERN,
          description: 'Texts of warnings (`*` and `?` may be used) that are no reason to doubt.',
        },
        report: { ...ONE_PATH, description: 'Where the worst paths go, as text.' },
        'max-paths': {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          description: `Most paths in the report, and violations shown: ${PATHS} when not given.`,
        },
      },
    },
    artifacts: [{ role: 'timing_report', field: 'report_path' }],
    assertion: {
      id: 'timing-met',
      field: 'met',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'A clock is ideal unless the constraints propagate it; of a table that the Liberty file leaves out, the edge is not timed.',
      'One corner. What exceptions in the SDC leave out (false paths, disabled arcs) is left out.',
      'An SDC is a program. It runs apart from the rest, with the commands of SDC alone, and can still constrain in any way.',
      'Slews, loads and fanouts are not judged, nor noise; without SPEF, wires have no delay.',
    ],
  },
  run: async (bench) => (await import('./opensta/opensta-run.ts')).analyze(bench),
};

import type { JsonObject } from '../../../values/strict-json.ts';

/** What every simulator takes (docs/testbench.md), as JSON Schemas. */

export const PLUSARGS: JsonObject = {
  type: 'array',
  items: { type: 'string', pattern: '^\\+?[A-Za-z_][^\\r\\n]*$', format: 'name-pattern' },
  description: 'Arguments of the simulation, as NAME or NAME=VALUE.',
};

export const MIN_CHECKS: JsonObject = {
  type: 'integer',
  minimum: 1,
  description: 'The least number of checks that a pass must report; 1 when not given.',
};

export const RESULT_PATTERN: JsonObject = {
  type: 'string',
  minLength: 1,
  maxLength: 1000,
  description:
    'A regular expression that finds the result line of a testbench without the convention, with the named group `verdict` (PASS or FAIL) and perhaps `checks` and `errors`.',
};

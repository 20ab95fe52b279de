import type { JsonObject } from '../../values/strict-json.ts';

/** Parameters that several adapters take, as JSON Schemas: one word for one thing. */

/** Tools take what begins with a dash or a plus for an option, wherever it stands. */
const PATH = '^[^-+].*$';

export const TOP: JsonObject = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_$]*$',
  // Of the design, not of a file: a folder of that name is not read.
  format: 'name',
  description: 'The top module.',
};

export const FILES: JsonObject = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', pattern: PATH },
  description: 'The sources, in the order that the tool is to read them; globs may be used.',
};

export const INCLUDE_DIRS: JsonObject = {
  type: 'array',
  items: { type: 'string', pattern: PATH },
  description: 'Folders that include files are looked for in.',
};

export const DEFINES: JsonObject = {
  type: 'array',
  items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*(=.*)?$', format: 'name-pattern' },
  description: 'Macros, as NAME or NAME=VALUE.',
};

/** One path. */
export const ONE_PATH: JsonObject = { type: 'string', pattern: PATH };

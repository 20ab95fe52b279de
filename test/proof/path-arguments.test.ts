import { describe, expect, test } from 'vitest';
import { pathArguments } from '../../src/proof/unlisted.ts';

const described = (
  format: string | undefined,
  template = ['run', '--top', '{top}', '{files}'],
) => ({
  invocation: { args_template: template },
  inputs: {
    type: 'object',
    properties: {
      top: { type: 'string', ...(format === undefined ? {} : { format }) },
      files: { type: 'array' },
    },
  },
});

describe('an argument that may be a path', () => {
  const args = ['run', '--top', 'tb', 'tb/tb.v', '--json'];

  test('is none that the descriptor calls a name', () => {
    expect(pathArguments(args, described('name'))).toEqual(['run', '--top', 'tb/tb.v', '--json']);
  });

  test.each([
    ['of an engine without a descriptor', null],
    ['whose parameter is of no format', described(undefined)],
    ['whose parameter is of another format', described('uri')],
    ['whose parameter follows no flag', described('name', ['run', '{top}', '{files}'])],
    ['whose descriptor is malformed', { invocation: [], inputs: { properties: 1 } }],
  ])('is every one %s', (_, descriptor) => {
    expect(pathArguments(args, descriptor)).toEqual(args);
  });
});

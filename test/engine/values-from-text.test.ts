import { describe, expect, test } from 'vitest';
import { valuesFromText } from '../../src/engine/values-from-text.ts';
import { descriptor, engineRoom, writeEngine } from '../support/engine-room.ts';

const properties = {
  n: { type: 'integer' },
  x: { type: 'number' },
  fast: { type: 'boolean' },
  top: { type: 'string' },
  files: { type: 'array' },
};

async function typed(...pairs: string[]): Promise<unknown> {
  const read = valuesFromText(pairs);
  if (!read.ok) expect.fail(read.error.message);
  const room = engineRoom();
  writeEngine(room, 'probe', { describe: descriptor({ inputs: { properties } }) });
  return read.value.typedFor('probe', { workspace: room.root, searchPath: room.searchPath });
}

describe.concurrent('KEY=VALUE takes the type that the engine gives the parameter', () => {
  test.each<[string[], object]>([
    [['n=3'], { n: 3 }],
    [['x=0.5'], { x: 0.5 }],
    [['n='], { n: '' }],
    [['n=three'], { n: 'three' }],
    [['x=Infinity'], { x: 'Infinity' }],
    [['fast=true'], { fast: true }],
    [['fast=false'], { fast: false }],
    [['fast=yes'], { fast: 'yes' }],
    [['top=3'], { top: '3' }],
    [['top=true'], { top: 'true' }],
    [['top=a=b'], { top: 'a=b' }],
    [['top='], { top: '' }],
    [['files=a.v'], { files: ['a.v'] }],
    [['files=a.v', 'files=b.v'], { files: ['a.v', 'b.v'] }],
    [['top=a', 'top=b'], { top: ['a', 'b'] }],
    [['other=3'], { other: '3' }],
    [['constructor=3'], { constructor: '3' }],
    [[], {}],
  ])('%j', async (pairs, values) => {
    expect(await typed(...pairs)).toEqual(values);
  });

  test('and stays text for an engine that is not there', async () => {
    const read = valuesFromText(['n=3']);
    if (!read.ok) expect.fail(read.error.message);
    const { root, searchPath } = engineRoom();
    const values = await read.value.typedFor('none', { workspace: root, searchPath });
    expect(values).toEqual({ n: '3' });
  });
});

test.each(['top', '=x', ''])('what is no KEY=VALUE is refused: %j', (pair) => {
  expect(valuesFromText(['a=1', pair])).toMatchObject({
    ok: false,
    error: { code: 'usage/bad-value', message: expect.stringContaining(`\`${pair}\``) },
  });
});

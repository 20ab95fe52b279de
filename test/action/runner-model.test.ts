import { describe, expect, test } from 'vitest';
import { parsePairs, processOutput } from '../support/runner.ts';

/** The model of a runner that other tests judge the action by must hear what a runner hears. */

function heard(text: string): string[] {
  return processOutput(text).commands.map(({ name, data }) => `${name} ${data}`);
}

describe('the model of a runner', () => {
  test.each([
    ['::error file=a.v,line=3,title=x%3Ay::one%0Atwo', 'error one\ntwo'],
    ['  ::set-output name=verdict::proven', 'set-output proven'],
    ['::Set-Output name=verdict::proven', 'set-output proven'],
    ['text before ##[set-output name=verdict;]proven', 'set-output proven'],
    ['progress\r::error::x', 'error x'],
    ['::error::x ##[warning]y', 'error x ##[warning]y'],
  ])('hears %j', (text, command) => {
    expect(heard(text)).toEqual([command]);
  });

  test.each(['text ::error::x', '::nonsense::x', '::error', '##[nonsense]x', 'a: ::error::x'])(
    'does not hear %j',
    (text) => {
      expect(heard(text)).toEqual([]);
    },
  );

  test('hears nothing while commands are stopped, until the token is said', () => {
    const text = '::stop-commands::t0\n::error::a\n::stop-commands::t1\n::t1::\n::t0::\n::error::b';
    expect(heard(text)).toEqual(['error b']);
    expect(processOutput('::stop-commands::t0\n::error::a').isOn).toBe(false);
  });

  test('reads the properties and groups', () => {
    const { commands, groups } = processOutput(
      '::group::g\na\n::endgroup::\n::notice title=t::n\n',
    );
    expect(commands.at(-1)).toEqual({ name: 'notice', properties: { title: 't' }, data: 'n' });
    expect([...groups]).toEqual([['g', ['a']]]);
  });

  test('reads pairs, and refuses what a runner refuses', () => {
    expect(parsePairs('a=1\nb<<E\nx\ny=2\nE\n\nc<<D\nD\n')).toEqual([
      ['a', '1'],
      ['b', 'x\ny=2'],
      ['c', ''],
    ]);
    for (const text of ['nonsense', '=1', 'a<<E\nx\n', '<<E\nE\n', 'a<<\n']) {
      expect(() => parsePairs(text)).toThrow(/Invalid/);
    }
  });
});

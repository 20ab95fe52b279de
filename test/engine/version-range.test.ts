import { describe, expect, test } from 'vitest';
import { checkVersion } from '../../src/engine/version-range.ts';

function satisfies(range: string, line: string | null): boolean {
  return checkVersion(range, line).ok;
}

describe('a version line satisfies a range', () => {
  test.each([
    ['>=0.1.20', 'vyges-em-ir 0.1.29 (0f4bd21)', true],
    ['>=0.1.30', 'vyges-em-ir 0.1.29 (0f4bd21)', false],
    ['>=1.2.0, <2.0.0', 'tool 1.9.9', true],
    ['>=1.2.0, <2.0.0', 'tool 2.0.0', false],
    ['>=1.2.0 <2.0.0', 'tool 1.1.9', false],
    ['^1.2.0', 'tool 1.3.0', true],
    ['^1.2.0', 'tool 2.0.0', false],
    ['1.2.3', 'tool 1.2.3', true],
    ['1.2.3', 'tool 1.2.4', false],
    ['1.x || 3.x', 'tool 3.1.0', true],
    ['1.x || 3.x', 'tool 2.1.0', false],
    ['>=5.020', 'Verilator 5.020 2024-01-01 rev v5.020', true],
    ['>=5.21', 'Verilator 5.020 2024-01-01', false],
    ['>=0.40', 'Yosys 0.55+12 (git sha1 60f126cd0)', true],
    ['>=42', 'ngspice-42', true],
    ['>=43', 'ngspice-42', false],
    ['>=1.2.3', 'tool 1.2.3-rc.1', false],
    ['>=1.2.3-0', 'tool 1.2.3-rc.1', true],
    ['*', 'tool 1.2.3-rc.1', true],
  ])('%s and %s: %s', (range, line, answer) => {
    expect(satisfies(range, line)).toBe(answer);
  });

  test('by its version, not by a digit in the name of the tool', () => {
    expect(satisfies('>=2', 'sta2 1.5.0')).toBe(false);
    expect(satisfies('<2', 'sta2 1.5.0')).toBe(true);
    expect(satisfies('>=3', 'python3-tool v0.4 (x86_64)')).toBe(false);
  });
});

test.each([null, '', 'no version here', 'vNext'])(
  'a line without a version satisfies none: %j',
  (line) => {
    const checked = checkVersion('*', line);
    expect(checked).toMatchObject({
      ok: false,
      error: { code: 'engine/version-mismatch', message: expect.stringContaining('names none') },
    });
  },
);

test.each(['newest', '>=', '1.2.3 and up', '=>1'])(
  'a range that cannot be read satisfies nothing: %s',
  (range) => {
    expect(checkVersion(range, 'tool 1.2.3')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('cannot be read') },
    });
  },
);

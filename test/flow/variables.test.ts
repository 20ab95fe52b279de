import { describe, expect, test } from 'vitest';
import type { Variables } from '../../src/flow/variables.ts';
import { flowOf, placeOf, problemOf, stageOf } from './flow-file.ts';

const VALUES = {
  PDK: '/opt/pdk',
  EMPTY: '',
  DOLLAR: dollars('@PDK @{PDK}'),
  GITHUB_TOKEN: 'ghs_secret',
  ACTIONS_RUNTIME_TOKEN: 'secret',
  INPUT_KEY: 'secret',
  RUNNER_TEMP: '/tmp',
};

const ALL: Variables = { values: VALUES, allows: () => true };

/** References are written with `@` here, so that they are not taken for those of this language. */
function dollars(text: string): string {
  return text.replaceAll('@', '$');
}

function flow(text: string): string {
  return `stages:
  sta:
    uses: sta
    inputs: [a]
    with: { job: ${JSON.stringify(text)} }
`;
}

function replaced(text: string): unknown {
  const { work } = stageOf(flowOf(flow(dollars(text)), ALL), 'sta');
  return work.kind === 'engine' ? work.with['job'] : undefined;
}

describe('a variable in the flow', () => {
  test.each([
    ['@{PDK}/lib', '/opt/pdk/lib'],
    ['@{PDK}@{PDK}', '/opt/pdk/opt/pdk'],
    ['[@{EMPTY}]', '[]'],
    ['@PDK', '@PDK'],
    ['@@{PDK}', '@{PDK}'],
    ['@@{UNSET}', '@{UNSET}'],
    ['@@{GITHUB_TOKEN}', '@{GITHUB_TOKEN}'],
    ['@{DOLLAR}', '@PDK @{PDK}'],
    ['@{', '@{'],
  ])('%s becomes %s', (text, value) => {
    expect(replaced(text)).toBe(dollars(value));
  });

  test.each([
    ['@{UNSET}', 'UNSET is not set'],
    ['@{toString}', 'toString is not set'],
    ['@{}', 'no variable name'],
    ['@{A-B}', 'no variable name'],
    ['@{PDK:-x}', 'no variable name'],
    ['@{GITHUB_TOKEN}', 'belongs to the runner'],
    ['@{ACTIONS_RUNTIME_TOKEN}', 'belongs to the runner'],
    ['@{INPUT_KEY}', 'belongs to the runner'],
    ['@{RUNNER_TEMP}', 'belongs to the runner'],
    ['@@{PDK} @{GITHUB_TOKEN}', 'belongs to the runner'],
  ])('%s is refused', (text, why) => {
    const found = problemOf(flow(dollars(text)), ALL);
    expect(found).toMatchObject({ code: 'flow/bad-variable', stage: 'sta' });
    expect(found.message).toContain(why);
    expect(found.message).not.toContain('secret');
    expect(placeOf(found)).toBe('5:18');
  });

  test('that the caller does not pass on is refused', () => {
    expect(problemOf(flow(dollars('@{PDK}')), { ...ALL, allows: () => false }).message).toContain(
      '`pass-env`',
    );
  });

  test.each([
    ['env', 'env: { KEY: "@{UNSET}" }', '6:17'],
    ['external', 'external: { pdk: "@{UNSET}/x" }', '6:22'],
  ])('is found in %s too', (_, line, place) => {
    const found = problemOf(`${flow('x')}    ${dollars(line)}\n`, ALL);
    expect(found.message).toContain('UNSET is not set');
    expect(placeOf(found)).toBe(place);
  });

  test('is found in each word of a command, but left to the shell in a script', () => {
    const command = (run: string): string =>
      dollars(`stages:\n  lint:\n    run: ${run}\n    inputs: [a]\n`);
    expect(placeOf(problemOf(command('[make, "@{UNSET}"]'), ALL))).toBe('3:17');
    const { work } = stageOf(flowOf(command('make @{UNSET}'), ALL), 'lint');
    expect(work.kind === 'command' && work.argv.at(-1)).toBe(dollars('make @{UNSET}'));
  });

  test('cannot bring a NUL into an argument', () => {
    const found = problemOf(flow(dollars('@{NUL}')), {
      values: { NUL: 'a\0b' },
      allows: () => true,
    });
    expect(found.message).toContain('NUL');
  });
});

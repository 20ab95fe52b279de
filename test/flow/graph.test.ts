import { describe, expect, test } from 'vitest';
import { flowOf, placeOf, problemOf, problemsOf, stageOf } from './flow-file.ts';

interface StageText {
  readonly inputs?: string;
  readonly outputs?: string;
  readonly after?: string;
}

/** A flow of commands, one stage on two lines each: its name, then all that is said of it. */
function flow(stages: Readonly<Record<string, StageText>>): string {
  const lines = Object.entries(stages).map(([name, { inputs = 'none', ...more }]) => {
    const said = Object.entries({ run: 'make', inputs, ...more }).map(
      ([key, value]) => `${key}: ${value}`,
    );
    return `  ${name}:\n    { ${said.join(', ')} }\n`;
  });
  return `stages:\n${lines.join('')}`;
}

function needsOf(inputs: string, outputs: string): readonly string[] {
  const text = flow({ reader: { inputs }, writer: { outputs } });
  return stageOf(flowOf(text), 'reader').needs;
}

describe('a stage needs the stage whose output it can read', () => {
  test.each([
    ['[build/net.v]', '[build/net.v]'],
    ['["build/*.v"]', '[build/net.v]'],
    ['["**"]', '[build/net.v]'],
    ['[build/lib/cells.v]', '[build/]'],
    ['["build/**/*.v"]', '[build/out/]'],
    ['[{ glob: build/net.v, optional: true }]', '[build/net.v]'],
    ['["build/**", "!build/out/x"]', '[build/out/]'],
  ])('inputs %s, outputs %s', (inputs, outputs) => {
    expect(needsOf(inputs, outputs)).toEqual(['writer']);
  });

  test.each([
    ['[rtl/net.v]', '[build/net.v]'],
    ['["*.v"]', '[build/net.v]'],
    ['["build/**", "!build/net.v"]', '[build/net.v]'],
    ['["rtl/**"]', '[build/]'],
    ['none', '[build/]'],
  ])('but not: inputs %s, outputs %s', (inputs, outputs) => {
    expect(needsOf(inputs, outputs)).toEqual([]);
  });

  test('whatever the order in the file, producers stand before consumers', () => {
    const { stages } = flowOf(
      flow({
        last: { inputs: '[b]' },
        middle: { inputs: '[a]', outputs: '[b]' },
        first: { outputs: '[a]' },
        early: { after: '[last]' },
      }),
    );
    expect(stages.map(({ name }) => name)).toEqual(['first', 'middle', 'last', 'early']);
  });
});

describe('stages that wait for one another are refused, and the ring is named', () => {
  test.each([
    [
      'by what they read',
      { a: { inputs: '[y]', outputs: '[x]' }, b: { inputs: '[x]', outputs: '[y]' } },
      'a waits for b waits for a',
    ],
    ['by `after`', { a: { after: '[b]' }, b: { after: '[a]' } }, 'a waits for b waits for a'],
    [
      'by both',
      { a: { outputs: '[x]', after: '[b]' }, b: { inputs: '[x]' } },
      'a waits for b waits for a',
    ],
    [
      'around three',
      {
        a: { inputs: '[z]', outputs: '[x]' },
        b: { inputs: '[x]', outputs: '[y]' },
        c: { after: '[b]', outputs: '[z]' },
      },
      'a waits for c waits for b waits for a',
    ],
    [
      'behind a stage that is in no ring',
      { out: { after: '[a]' }, a: { after: '[b]' }, b: { after: '[a]' } },
      'a waits for b waits for a',
    ],
  ] as const)('%s', (_, stages, ring) => {
    const found = problemOf(flow(stages));
    expect(found.code).toBe('flow/cycle');
    expect(found.message).toContain(`: ${ring}`);
    const line = 2 + 2 * Object.keys(stages).indexOf('a');
    expect(placeOf(found)).toBe(`${line}:3`);
  });

  test('a long chain is no ring', () => {
    const names = Array.from({ length: 400 }, (_, index) => `s${index}`);
    const chain = Object.fromEntries(
      names.map((name, index) => [name, index === 0 ? {} : { after: `[s${index - 1}]` }]),
    );
    expect(flowOf(flow(chain)).stages.map(({ name }) => name)).toEqual(names);
  });
});

describe('an output has one owner', () => {
  test.each([
    ['the same file', '[build/net.v]', '[build/net.v]'],
    ['the same folder', '[build/]', '[build/]'],
    ['a file and a folder of one name', '[build]', '[build/]'],
    ['a file in a folder', '[build/]', '[build/net.v]'],
    ['a folder around a file', '[build/out/net.v]', '[build/]'],
    ['a folder in a folder', '[build/]', '[build/a/b/]'],
    ['names that differ in case', '[build/Net.v]', '[build/net.V]'],
    ['a folder in another case', '[Build/]', '[build/net.v]'],
    ['names that differ in Unicode form', '["\u00e9.v"]', '["e\u0301.v"]'],
  ])('%s', (_, first, second) => {
    const found = problemOf(flow({ a: { outputs: first }, b: { outputs: second } }));
    expect(found).toMatchObject({ code: 'flow/two-owners', stage: 'b' });
    expect(found.message).toMatch(/output of stage `b`.*of stage `a`/);
    expect(found.at?.line).toBe(5);
  });

  test('also within one stage', () => {
    const found = problemOf(flow({ a: { outputs: '[build/, build/net.v]' } }));
    expect(found.message).toContain('the same or inside one another');
  });

  test('names that only begin alike are two', () => {
    expect(
      flowOf(flow({ a: { outputs: '[build]' }, b: { outputs: '[build.v]' } })).stages,
    ).toHaveLength(2);
  });
});

describe('`after`', () => {
  test('names a stage of the flow', () => {
    const text = `stages:
  lint: { run: x, inputs: none }
  synth:
    run: x
    inputs: none
    after:
      - lint
      - lin
`;
    const found = problemOf(text);
    expect(found).toMatchObject({
      code: 'flow/unknown-stage',
      stage: 'synth',
      message: '`after` names `lin`, which is no stage of this flow',
      remedy: 'Did you mean `lint`?',
    });
    expect(placeOf(found)).toBe('8:9');
  });

  test('is not the stage itself', () => {
    expect(problemOf(flow({ lint: { after: '[lint]' } })).message).toContain('after itself');
  });

  test('makes no dependency', () => {
    const synth = stageOf(flowOf(flow({ lint: {}, synth: { after: '[lint]' } })), 'synth');
    expect(synth).toMatchObject({ needs: [], after: ['lint'] });
  });
});

test('owners and `after` are judged together', () => {
  const found = problemsOf(flow({ a: { outputs: '[x]' }, b: { outputs: '[x]', after: '[c]' } }));
  expect(found.map(({ code }) => code)).toEqual(['flow/two-owners', 'flow/unknown-stage']);
});

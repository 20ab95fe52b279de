import { describe, expect, test } from 'vitest';
import { digestText } from '../../src/fingerprint/blake3.ts';
import type { Evidence, Stage } from '../../src/flow/stage.ts';
import { definitionOf } from '../../src/proof/definition.ts';
import { flowOf, placeOf, problemOf, problemsOf, stageOf } from './flow-file.ts';

/** What a flow may ask of the evidence of a command. */

/** The evidence begins in column 15 of line 5. */
function flowWith(evidence: string, ...more: string[]): string {
  const lines = ['run: make test', 'inputs: [a.v]', `evidence: ${evidence}`, ...more];
  return `stages:\n  test:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

function stageWith(evidence: string): Stage {
  return stageOf(flowOf(flowWith(evidence)), 'test');
}

function evidenceOf({ work }: Stage): Evidence | undefined {
  return work.kind === 'command' ? work.evidence : undefined;
}

describe('what is asked of tests', () => {
  test('is read as it stands', () => {
    const evidence =
      '{ junit: r.xml, allow-skipped: true, min-tests: 12, tests: [b, a.b, "a::c"] }';
    expect(evidenceOf(stageWith(evidence))).toEqual({
      kind: 'junit',
      path: 'r.xml',
      allowSkipped: true,
      minTests: 12,
      tests: ['b', 'a.b', 'a::c'],
    });
  });

  test.each<[string, string, string]>([
    ['min-tests: 0', '5:42', 'must be >= 1'],
    ['min-tests: -1', '5:42', 'must be >= 1'],
    ['min-tests: 1.5', '5:42', 'a whole number'],
    ['min-tests: .inf', '5:42', 'a whole number'],
    ['min-tests: "3"', '5:42', 'a whole number'],
    ['min-tests: null', '5:42', 'a whole number'],
    ['tests: []', '5:38', 'fewer than 1 items'],
    ['tests: a', '5:38', 'a list'],
    ['tests: [7]', '5:39', 'text'],
    ['tests: [""]', '5:39', 'fewer than 1 characters'],
    ['tests: [a, b, a]', '5:38', 'duplicate'],
  ])('is not `%s`', (setting, place, message) => {
    const found = problemsOf(flowWith(`{ junit: r.xml, ${setting} }`));
    const inPlace = found.find((problem) => placeOf(problem) === place);
    expect(inPlace).toMatchObject({ code: 'flow/schema' });
    expect(inPlace?.message).toContain(message);
  });
});

describe('what is asked of lines', () => {
  const lines = 'lcov: build/r.info, min-line-coverage: 0.9';

  test('is read as it stands, and the report is an output', () => {
    const stage = stageWith(`{ ${lines}, files: [rtl/fifo.v, __proto__] }`);
    expect(evidenceOf(stage)).toEqual({
      kind: 'lcov',
      path: 'build/r.info',
      minLineCoverage: 0.9,
      files: ['rtl/fifo.v', '__proto__'],
    });
    expect(stage.outputs).toEqual([{ path: 'build/r.info', isFolder: false }]);
  });

  test.each([0, 1, 0.5])('may be %d', (share) => {
    const stage = stageWith(`{ lcov: r.info, min-line-coverage: ${share}, files: [a.v] }`);
    expect(evidenceOf(stage)).toMatchObject({ minLineCoverage: share });
  });

  test.each<[string, string, string]>([
    ['-0.1', '5:50', 'must be >= 0'],
    ['90', '5:50', 'must be <= 1'],
    ['.nan', '5:50', 'a number'],
    ['"0.9"', '5:50', 'a number'],
    ['90%', '5:50', 'a number'],
  ])('is not %s', (share, place, message) => {
    const text = flowWith(`{ lcov: r.info, min-line-coverage: ${share}, files: [a.v] }`);
    const inPlace = problemsOf(text).find((problem) => placeOf(problem) === place);
    expect(inPlace?.code).toBe('flow/schema');
    expect(inPlace?.message).toContain(message);
  });

  test.each<[string, string, string]>([
    ['{ lcov: r.info, files: [a.v] }', 'needs `min-line-coverage`', 'from 0 to 1'],
    [`{ ${lines} }`, 'needs `files`', 'List the files'],
  ])('%s lacks something', (evidence, message, remedy) => {
    const found = problemOf(flowWith(evidence));
    expect(found).toMatchObject({ code: 'flow/schema', stage: 'test' });
    expect(found.message).toContain(message);
    expect(found.remedy).toContain(remedy);
    expect(placeOf(found)).toBe('5:15');
  });

  test('and both are told at once', () => {
    expect(problemsOf(flowWith('{ lcov: r.info }'))).toHaveLength(2);
  });

  test.each([
    ['rtl/*.v', 'holds glob characters'],
    ['rtl/**', 'holds glob characters'],
    ['rtl/fifo.?', 'holds glob characters'],
    ['rtl/[ab].v', 'holds glob characters'],
    ['rtl/{a,b}.v', 'holds glob characters'],
    ['!rtl/a.v', 'holds glob characters'],
    ['../a.v', 'leads outside the workspace'],
    ['rtl/../a.v', 'leads outside the workspace'],
    ['/rtl/a.v', 'it is absolute'],
    ['./rtl/a.v', '`.` segment'],
    ['rtl//a.v', 'empty segment'],
    ['rtl/', 'empty segment'],
    ['a\\0.v', 'NUL'],
  ])('the file %s is refused in its place', (file, message) => {
    const found = problemOf(flowWith(`{ ${lines}, files: [good.v, "${file}"] }`));
    expect(found).toMatchObject({ code: 'flow/bad-path', stage: 'test' });
    expect(found.message).toContain(message);
    expect(placeOf(found)).toBe('5:77');
  });

  test('a glob is refused with the reason why', () => {
    expect(problemOf(flowWith(`{ ${lines}, files: ["rtl/*.v"] }`)).remedy).toContain(
      'no longer matches',
    );
  });

  test('every bad file is told', () => {
    const found = problemsOf(flowWith(`{ ${lines}, files: ["*.v", ok.v, ../b.v] }`));
    expect(found.map(({ at }) => at?.column)).toEqual([69, 82]);
  });

  test.each([
    ['files: []', 'fewer than 1 items'],
    ['files: a.v', 'a list'],
    ['files: [a.v, a.v]', 'duplicate'],
    ['files: [""]', 'fewer than 1 characters'],
  ])('%s is no list of files', (files, message) => {
    const found = problemsOf(flowWith(`{ ${lines}, ${files} }`));
    expect(found.map((problem) => problem.message).join()).toContain(message);
  });

  test('a report outside of the workspace is refused', () => {
    const found = problemOf(flowWith('{ lcov: ../r.info, min-line-coverage: 1, files: [a.v] }'));
    expect(found).toMatchObject({ code: 'flow/bad-path', at: { line: 5, column: 23 } });
  });

  test('the coverage that engines state is another one', () => {
    const found = problemOf(flowWith(`{ ${lines}, files: [a.v] }`, 'min-coverage: 0.9'));
    expect(found).toMatchObject({
      code: 'flow/schema',
      message: '`min-coverage` means nothing to `lcov`',
      remedy: expect.stringContaining('`min-line-coverage`'),
    });
    expect(placeOf(found)).toBe('6:5');
  });
});

describe('a setting beside the wrong evidence is refused in its place', () => {
  const assertion = 'assertion: { id: a, field: b, pass_when: { is_true: true } }';

  test.each<[string, string, string, string?]>([
    ['{ min-tests: 1, sarif: r }', '`min-tests` belongs to `junit`', '5:17'],
    ['{ tests: [a], sarif: r }', '`tests` belongs to `junit`', '5:17'],
    ['{ tests: [a], exit-code: true }', '`tests` belongs to `junit`', '5:17', 'outputs: [a]'],
    [
      `{ min-tests: 1, json: r, ${assertion} }`,
      '`min-tests` belongs to `junit`',
      '5:17',
      'floors: { n: { min: 1 } }',
    ],
    [
      '{ min-tests: 1, lcov: r, min-line-coverage: 1, files: [a.v] }',
      '`min-tests` belongs to `junit`',
      '5:17',
    ],
    [
      '{ allow-skipped: true, lcov: r, min-line-coverage: 1, files: [a.v] }',
      '`allow-skipped` belongs to `junit`',
      '5:17',
    ],
    ['{ min-line-coverage: 1, junit: r }', '`min-line-coverage` belongs to `lcov`', '5:17'],
    ['{ files: [a.v], junit: r }', '`files` belongs to `lcov`', '5:17'],
    ['{ files: [a.v], sarif: r }', '`files` belongs to `lcov`', '5:17'],
  ])('%s', (evidence, message, place, more) => {
    const found = problemOf(flowWith(evidence, ...(more === undefined ? [] : [more])));
    expect(found).toMatchObject({ code: 'flow/schema', message, stage: 'test' });
    expect(placeOf(found)).toBe(place);
  });

  test('two kinds are one too many', () => {
    const found = problemOf(
      flowWith('{ junit: r.xml, lcov: r.info, min-line-coverage: 1, files: [a.v] }'),
    );
    expect(found.message).toBe(
      '`evidence` needs exactly one of junit, lcov, json, sarif, exit-code',
    );
  });

  test('an assertion for lcov', () => {
    const found = problemOf(
      flowWith(`{ lcov: r, min-line-coverage: 1, files: [a.v], ${assertion} }`),
    );
    expect(found.message).toBe('`assertion` belongs to `json`');
  });

  test('a slip of the hand is told with what was meant', () => {
    const found = problemsOf(flowWith('{ junit: r.xml, min-test: 3 }'));
    expect(found.map(({ remedy }) => remedy)).toContain('Did you mean `min-tests`?');
  });
});

describe('the digest of what is asked', () => {
  const digestOf = (stage: Stage): string => definitionOf(stage, null, '/ws').digest;
  const part = (stage: Stage): string | undefined =>
    definitionOf(stage, null, '/ws').parts()['evidence'];

  test('of a flow that asks for nothing more is what it was before it could', () => {
    expect(part(stageWith('{ junit: r.xml }'))).toBe(
      digestText('{"allowSkipped":false,"kind":"junit","path":"r.xml"}'),
    );
    expect(Object.keys(evidenceOf(stageWith('{ junit: r.xml }')) ?? {})).toEqual([
      'kind',
      'path',
      'allowSkipped',
    ]);
  });

  test('knows no difference between what is absent and what is undefined', () => {
    const stage = stageWith('{ junit: r.xml }');
    const { work } = stage;
    if (work.kind !== 'command' || work.evidence.kind !== 'junit') expect.fail('no junit');
    const evidence = { ...work.evidence, minTests: undefined, tests: undefined };
    expect(digestOf({ ...stage, work: { ...work, evidence } })).toBe(digestOf(stage));
  });

  test('changes with every option', () => {
    const digests = [
      '{ junit: r.xml }',
      '{ junit: r.xml, min-tests: 1 }',
      '{ junit: r.xml, min-tests: 2 }',
      '{ junit: r.xml, tests: [a] }',
      '{ junit: r.xml, tests: [a, b] }',
      '{ lcov: r.xml, min-line-coverage: 0.9, files: [a.v] }',
      '{ lcov: r.xml, min-line-coverage: 0.8, files: [a.v] }',
      '{ lcov: r.xml, min-line-coverage: 0.8, files: [a.v, b.v] }',
    ].map((evidence) => digestOf(stageWith(evidence)));
    expect(new Set(digests).size).toBe(digests.length);
  });
});

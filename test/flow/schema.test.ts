import { describe, expect, test } from 'vitest';
import { flowOf, placeOf, problemOf, problemsOf, stageOf } from './flow-file.ts';

/** A flow of one stage with these lines, each of which stands in column 5, the first on line 3. */
function stage(...lines: string[]): string {
  return `stages:\n  lint:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

const RUN = ['run: make lint', 'inputs: [a.v]'];
const USES = ['uses: lint', 'inputs: [a.v]'];

describe('a key that is not known is told with the nearest one that is', () => {
  test.each([
    ['at the top', 'stagse: {}\nstages: {}\n', '1:1', 'Did you mean `stages`?'],
    ['of a stage', stage(...RUN, 'timeout-minute: 3'), '5:5', 'Did you mean `timeout-minutes`?'],
    ['of evidence', stage(...RUN, 'evidence: { junitt: x.xml }'), '5:17', 'Did you mean `junit`?'],
    ['of a selector', stage('run: x', 'inputs: [{ glob: a, option: true }]'), '4:25', 'optional'],
    ['of a floor', stage(...USES, 'floors: { n: { minn: 1 } }'), '5:20', 'Did you mean `min`?'],
    ['that is like no other', stage(...RUN, 'colour: red'), '5:5', 'Known keys: uses, version'],
    ['that objects have anyway', stage(...RUN, 'constructor: 1'), '5:5', 'Known keys: uses'],
    ['called __proto__', stage(...RUN, '__proto__: { run: x }'), '5:5', 'Known keys: uses'],
  ])('%s', (_, text, place, remedy) => {
    const found = problemsOf(text).find(({ code }) => code === 'flow/unknown-key');
    expect(found?.remedy).toContain(remedy);
    expect(found && placeOf(found)).toBe(place);
  });
});

describe('a value of the wrong type is told in its place', () => {
  test.each([
    ['stages that are a list', 'stages: [lint]\n', '1:9', '`stages` must be a mapping'],
    ['stages that are nothing', 'stages:\n', '1:8', '`stages` must be a mapping'],
    ['a stage that is a word', 'stages:\n  lint: make\n', '2:9', 'stage `lint` must be a mapping'],
    ['a stage that is nothing', 'stages:\n  lint:\n', '2:8', 'stage `lint` must be a mapping'],
    ['outputs that are one word', stage(...RUN, 'outputs: a'), '5:14', 'must be a list'],
    ['a number for an output', stage(...RUN, 'outputs: [7]'), '5:15', 'must be text'],
    ['a text for a floor', stage(...USES, 'floors: { n: { min: "1" } }'), '5:25', 'a number'],
    [
      'a floor that is no number',
      stage(...USES, 'floors: { n: { min: .nan } }'),
      '5:25',
      'a number',
    ],
    ['a floor without end', stage(...USES, 'floors: { n: { min: .inf } }'), '5:25', 'a number'],
    ['a variable that is a number', stage(...RUN, 'env: { N: 1 }'), '5:15', 'must be text'],
    ['nobody who judges', stage('by: nobody', 'inputs: [a]'), '3:9', 'one of person, agent'],
    ['claims that are not none', stage(...USES, 'claims: some'), '5:13', 'must be "none"'],
    ['no time at all', stage(...RUN, 'timeout-minutes: 0'), '5:22', 'must be > 0'],
    ['time without end', stage(...RUN, 'timeout-minutes: .inf'), '5:22', 'timeout-minutes'],
    ['more coverage than there is', stage(...USES, 'min-coverage: 2'), '5:19', 'must be <= 1'],
    ['an empty command', stage('run: " "', 'inputs: [a]'), '3:10', '`run` of stage `lint`'],
    ['a command without program', stage('run: []', 'inputs: [a]'), '3:10', '`run` of stage'],
    ['inputs that are empty', stage('run: x', 'inputs: []'), '4:13', '`inputs` of stage `lint`'],
    ['inputs that are some', stage('run: x', 'inputs: some'), '4:13', '`inputs` of stage `lint`'],
    [
      'a retirement without reason',
      `${stage(...RUN)}retired: { old: "" }\n`,
      '5:17',
      'retired.old',
    ],
  ])('%s', (_, text, place, message) => {
    const found = problemOf(text);
    expect(found.code).toBe('flow/schema');
    expect(found.message).toContain(message);
    expect(placeOf(found)).toBe(place);
  });
});

describe('a flow without a stage proves nothing', () => {
  test('no stages', () => {
    expect(problemOf('name: uart\n')).toMatchObject({
      code: 'flow/schema',
      message: 'the flow lacks the key `stages`',
    });
  });

  test('empty stages', () => {
    const found = problemOf('name: uart\nstages: {}\n');
    expect(found).toMatchObject({
      code: 'flow/no-stage',
      message: 'the flow has no stage; an empty flow proves nothing',
    });
    expect(placeOf(found)).toBe('2:9');
  });
});

describe('the name of a stage', () => {
  test.each([
    '../x',
    '..',
    'a..b',
    '.hidden',
    '-lint',
    'Lint',
    'a/b',
    'é',
    '__proto__',
    'l'.repeat(65),
  ])('is not `%s`', (name) => {
    const found = problemOf(`stages:\n  "${name}": { run: x, inputs: [a] }\n`);
    expect(found).toMatchObject({
      code: 'flow/bad-name',
      remedy: expect.stringContaining('[a-z0-9]'),
    });
    expect(found.message).toContain(name);
    expect(placeOf(found)).toBe('2:3');
  });

  test.each(['constructor', 'hasownproperty', 'tostring', '1', '0', 'a.b-c_d', 'l'.repeat(64)])(
    'may be `%s`',
    (name) => {
      const flow = flowOf(`stages:\n  "${name}": { run: x, inputs: [a] }\n`);
      expect(flow.stages.map((one) => one.name)).toEqual([name]);
    },
  );

  test('is not taken from what every object has', () => {
    const [found] = problemsOf(stage(...RUN, 'after: [constructor]'));
    expect(found).toMatchObject({ code: 'flow/unknown-stage' });
  });
});

describe('who does the work', () => {
  test('must be said', () => {
    const found = problemOf(stage('inputs: [a]'));
    expect(found).toMatchObject({
      code: 'flow/schema',
      stage: 'lint',
      message: 'stage `lint` says nothing of who does its work',
    });
    expect(placeOf(found)).toBe('2:3');
  });

  test.each([
    ['uses: lint', 'run: make', '4:10'],
    ['run: make', 'by: person', '4:9'],
    ['uses: lint', 'by: agent', '4:9'],
  ])('is not both `%s` and `%s`', (one, other, place) => {
    const found = problemOf(stage(one, other, 'inputs: [a]'));
    expect(found).toMatchObject({
      code: 'flow/schema',
      remedy: expect.stringContaining('exactly one'),
    });
    expect(found.message).toContain('has both');
    expect(placeOf(found)).toBe(place);
  });

  test.each([
    ['uses: lint', 'evidence: exit-code'],
    ['run: make', 'with: { a: 1 }'],
    ['run: make', 'version: 1.0.0'],
    ['run: make', 'claims: none'],
    ['by: person', 'env: { A: b }'],
    ['by: person', 'floors: { n: { min: 1 } }'],
    ['by: agent', 'timeout-minutes: 3'],
  ])('beside `%s`, a setting without effect is refused: `%s`', (work, setting) => {
    const found = problemOf(stage(work, 'inputs: [a]', setting));
    expect(found.message).toContain('means nothing beside');
    expect(placeOf(found)).toBe('5:5');
  });

  test('a judgement must name what it is about', () => {
    expect(problemOf(stage('by: person', 'inputs: none')).message).toContain('must name the files');
  });
});

describe('the evidence of a command', () => {
  test.each([
    ['json without an assertion', '{ json: r.json }', 'needs an `assertion`'],
    ['two kinds at once', '{ json: r.json, junit: r.xml }', 'exactly one of'],
    ['no kind', '{}', 'exactly one of'],
    [
      'an assertion for junit',
      '{ junit: r.xml, assertion: { id: a, field: b, pass_when: { is_true: true } } }',
      'belongs to `json`',
    ],
    ['allow-skipped for sarif', '{ sarif: r.sarif, allow-skipped: true }', 'belongs to `junit`'],
    ['an exit code without any output', 'exit-code', 'at least one output'],
    ['a report outside the workspace', '{ junit: ../r.xml }', 'leads outside the workspace'],
    ['a report at an absolute path', '{ sarif: /tmp/r.sarif }', 'it is absolute'],
  ])('is not %s', (_, evidence, message) => {
    const found = problemOf(stage(...RUN, `evidence: ${evidence}`));
    expect(found.message).toContain(message);
    expect(found.at?.line).toBe(5);
  });

  const assertion = 'assertion: { id: clean, field: clean, pass_when: { is_true: true } }';

  test('as json needs a floor', () => {
    const found = problemOf(stage(...RUN, `evidence: { json: r.json, ${assertion} }`));
    expect(found).toMatchObject({
      code: 'flow/schema',
      message: 'evidence `json` needs at least one floor',
    });
  });

  test('asserts something that can fail', () => {
    const [found] = problemsOf(
      stage(
        ...RUN,
        'evidence: { json: r.json, assertion: { id: a, field: b, pass_when: { is_true: false } } }',
        'floors: { n: { min: 1 } }',
      ),
    );
    expect(found).toMatchObject({ code: 'flow/schema', at: { line: 5 } });
  });

  test('is an output by implication, so that an old report cannot count', () => {
    const flow = flowOf(stage(...RUN, 'evidence: { junit: build/r.xml }'));
    expect(stageOf(flow, 'lint').outputs).toEqual([{ path: 'build/r.xml', isFolder: false }]);
  });

  test('is not listed twice when a folder of outputs holds it', () => {
    const flow = flowOf(stage(...RUN, 'outputs: [build/]', 'evidence: { junit: build/r.xml }'));
    expect(stageOf(flow, 'lint').outputs).toEqual([{ path: 'build', isFolder: true }]);
  });
});

describe('paths and selectors stay inside the workspace', () => {
  test.each([
    ['../other/a.v', 'outside'],
    ['rtl/../../a.v', 'outside'],
    ['/etc/passwd', 'absolute'],
    ['rtl//a.v', ''],
    ['rtl/[ab.v', ''],
    ['!/etc/**', 'absolute'],
  ])('the selector %s is refused', (glob, why) => {
    const found = problemOf(stage('run: x', 'inputs:', `  - good.v`, `  - "${glob}"`));
    expect(found).toMatchObject({ code: 'flow/bad-selector', stage: 'lint' });
    expect(found.message).toContain(glob);
    expect(found.message).toContain(why);
    expect(placeOf(found)).toBe('6:9');
  });

  test('exclusions alone select nothing', () => {
    expect(problemOf(stage('run: x', 'inputs: ["!a.v"]'))).toMatchObject({
      code: 'flow/bad-selector',
      message: 'only exclusions are listed; nothing is selected',
    });
  });

  test.each([
    ['../out', 'outside the workspace'],
    ['/tmp/out', 'absolute'],
    ['./out', '`.` segment'],
    ['out//x', 'empty segment'],
    ['out/*.v', 'glob characters'],
    ['events.jsonl', 'gate'],
    ['.signoff/runs/x', 'gate'],
    ['.git/', 'gate'],
    ['signoff.yaml', 'gate'],
    ['EVENTS.jsonl', 'gate'],
    ['.Git/hooks', 'gate'],
  ])('the output %s is refused', (path, why) => {
    const found = problemOf(stage(...RUN, 'outputs:', '  - good.txt', `  - "${path}"`));
    expect(found).toMatchObject({ code: 'flow/bad-path', stage: 'lint' });
    expect(found.message).toContain(why);
    expect(placeOf(found)).toBe('7:9');
  });

  test('an external is an absolute path', () => {
    const found = problemOf(stage(...RUN, 'external: { pdk: lib/cells.lib }'));
    expect(found).toMatchObject({
      code: 'flow/bad-path',
      remedy: expect.stringContaining('`inputs`'),
    });
    expect(placeOf(found)).toBe('5:22');
  });
});

test('a stage without inputs is told what it may say instead', () => {
  expect(problemOf(stage('run: x'))).toMatchObject({
    code: 'flow/schema',
    message: 'stage `lint` has no `inputs`',
    remedy: expect.stringContaining('inputs: none'),
  });
});

test('a stage is not part of the flow and retired at once', () => {
  const found = problemOf(`${stage(...RUN)}retired: { lint: it is done elsewhere }\n`);
  expect(found.message).toContain('listed as retired');
  expect(placeOf(found)).toBe('5:12');
});

test('everything that is wrong is told, not only the first', () => {
  const found = problemsOf(`stages:
  Lint: { run: x, inputs: [a] }
  synth: { run: x, inputs: [../a] }
  sta: { run: x, uses: y, inputs: [a] }
`);
  expect(found.map(({ code }) => code)).toEqual([
    'flow/bad-name',
    'flow/bad-selector',
    'flow/schema',
  ]);
});

test('an argument called __proto__ reaches whoever can refuse it', () => {
  const { work } = stageOf(flowOf(stage(...USES, 'with: { __proto__: [x] }')), 'lint');
  expect(work.kind === 'engine' && Object.entries(work.with)).toEqual([['__proto__', ['x']]]);
});

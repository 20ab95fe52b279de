import { describe, expect, test } from 'vitest';
import { alteredJudges, findJudges } from '../../src/gate/trust/altered.ts';
import { compareJudging, type JudgingChange } from '../../src/proof/judging.ts';
import { flowOf } from '../flow/flow-file.ts';

/** What is listed of two flows, each in the text of its `stages`. */
function listed(base: string, ours: string): string[] {
  const changes = compareJudging(flowOf(base), flowOf(ours));
  return changes.map(({ stage, message }) => `${stage}: ${message}`);
}

/** As {@link listed}, for flows with one stage `it`, in the text between its braces. */
function listedOf(base: string, ours: string): string[] {
  const flow = (body: string): string => `stages:\n  it: { ${body} }\n`;
  return listed(flow(base), flow(ours)).map((line) => line.replace(/^it: /, ''));
}

interface Weakening {
  readonly of: string;
  readonly base: string;
  readonly ours: string;
  /** Texts, or matchers of them. */
  readonly says: readonly unknown[];
}

const ENGINE = 'uses: lint, inputs: [rtl/*.v]';
const COMMAND = 'run: [make, test], inputs: [rtl/*.v]';
const junit = (more = ''): string => `${COMMAND}, evidence: { junit: out.xml${more} }`;
const json = (assertion: string, path = 'out.json'): string =>
  `${COMMAND}, floors: { tests: { min: 2 } }, evidence: { json: ${path}, assertion: ${assertion} }`;
const PASSED = '{ id: tests, field: passed, pass_when: { is_true: true } }';
const lcov = (least: number, files: string, path = 'out.info'): string =>
  `${COMMAND}, evidence: { lcov: ${path}, min-line-coverage: ${least}, files: [${files}] }`;

const works: readonly Weakening[] = [
  {
    of: 'an engine that became a command',
    base: ENGINE,
    ours: COMMAND,
    says: ['it is done by a command, and was done by an engine'],
  },
  {
    of: 'a command that became the word of a person',
    base: COMMAND,
    ours: 'by: person, inputs: [rtl/*.v]',
    says: ['it is judged outside the gate, and was done by a command'],
  },
  {
    of: 'the word of an agent where a person was asked',
    base: 'by: person, inputs: [docs/*]',
    ours: 'by: agent, inputs: [docs/*]',
    says: ['it is judged by a agent, and was by a person'],
  },
  {
    of: 'another engine',
    base: ENGINE,
    ours: 'uses: ./lint, inputs: [rtl/*.v]',
    says: ['its engine is ./lint, and was lint'],
  },
  {
    of: 'an engine of the same name from another folder',
    base: 'uses: ./a/lint, inputs: [rtl/*.v]',
    ours: 'uses: ./b/lint, inputs: [rtl/*.v]',
    says: ['its engine is ./b/lint, and was ./a/lint'],
  },
  {
    of: 'a version that is no longer asked for',
    base: `${ENGINE}, version: '>=2.1'`,
    ours: ENGINE,
    says: ['the accepted version is any, and was >=2.1'],
  },
  {
    of: 'a version loosened',
    base: `${ENGINE}, version: '>=2.1'`,
    ours: `${ENGINE}, version: '>=2.0'`,
    says: ['the accepted version is >=2.0, and was >=2.1'],
  },
  {
    of: 'an argument of the engine changed, one added, one removed',
    base: `${ENGINE}, with: { strict: true, top: uart }`,
    ours: `${ENGINE}, with: { strict: false, waive: [W1] }`,
    says: ['`with: strict` was changed', '`with: top` was changed', '`with: waive` was changed'],
  },
  {
    of: 'the order of a list among the arguments',
    base: `${ENGINE}, with: { rules: [a, b] }`,
    ours: `${ENGINE}, with: { rules: [b, a] }`,
    says: ['`with: rules` was changed'],
  },
  {
    of: 'a number that became text',
    base: `${ENGINE}, with: { depth: 20 }`,
    ours: `${ENGINE}, with: { depth: "20" }`,
    says: ['`with: depth` was changed'],
  },
  {
    of: 'raw arguments in place of named ones',
    base: `${ENGINE}, with: { top: uart }`,
    ours: `${ENGINE}, with: { args: [--top, uart] }`,
    says: ['`with: top` was changed', '`with: args` was changed'],
  },
  {
    of: 'other words of a command',
    base: COMMAND,
    ours: 'run: [make, test-fast], inputs: [rtl/*.v]',
    says: ['its command was changed'],
  },
  {
    of: 'the same words in another order',
    base: 'run: [make, -k, test], inputs: [rtl/*.v]',
    ours: 'run: [make, test, -k], inputs: [rtl/*.v]',
    says: ['its command was changed'],
  },
  {
    of: 'a line of a script taken out',
    base: 'run: "make clean\\nmake test", inputs: [rtl/*.v]',
    ours: 'run: "make clean", inputs: [rtl/*.v]',
    says: ['its command was changed'],
  },
  {
    of: 'a failure of a script that is swallowed',
    base: 'run: make test, inputs: [rtl/*.v]',
    ours: 'run: "make test || true", inputs: [rtl/*.v]',
    says: ['its command was changed'],
  },
  {
    of: 'a tool whose digest no longer counts',
    base: `${COMMAND}, tools: [make, vvp]`,
    ours: `${COMMAND}, tools: [make]`,
    says: ['the tool vvp was removed'],
  },
  {
    of: 'a tool behind an engine whose digest no longer counts',
    base: 'uses: ./sim.sh, tools: [vvp], inputs: [rtl/*.v]',
    ours: 'uses: ./sim.sh, inputs: [rtl/*.v]',
    says: ['the tool vvp was removed'],
  },
];

const evidences: readonly Weakening[] = [
  {
    of: 'another kind',
    base: junit(),
    ours: `${COMMAND}, outputs: [out.xml], evidence: exit-code`,
    says: ['its evidence is exit-code, and was junit'],
  },
  {
    of: 'some, where there was none: what was always unknown may pass now',
    base: `${COMMAND}, outputs: [a]`,
    ours: `${COMMAND}, outputs: [a], evidence: exit-code`,
    says: ['its evidence is exit-code, and was none'],
  },
  {
    of: 'another file of test results',
    base: junit(),
    ours: `${COMMAND}, evidence: { junit: old.xml }`,
    says: ['its evidence was changed', 'the output out.xml was removed'],
  },
  {
    of: 'another file of findings',
    base: `${COMMAND}, outputs: [out/], evidence: { sarif: out/a.sarif }`,
    ours: `${COMMAND}, outputs: [out/], evidence: { sarif: out/b.sarif }`,
    says: ['its evidence was changed'],
  },
  {
    of: 'skipped tests that are allowed',
    base: junit(),
    ours: junit(', allow-skipped: true'),
    says: ['its evidence was changed'],
  },
  {
    of: 'fewer tests asked for',
    base: junit(', min-tests: 40'),
    ours: junit(', min-tests: 39'),
    says: ['its evidence was changed'],
  },
  {
    of: 'no number of tests asked for',
    base: junit(', min-tests: 40'),
    ours: junit(),
    says: ['its evidence was changed'],
  },
  {
    of: 'a test that need not run any more',
    base: junit(', tests: [reset, overflow]'),
    ours: junit(', tests: [reset]'),
    says: ['its evidence was changed'],
  },
  {
    of: 'a test exchanged for another',
    base: junit(', tests: [overflow]'),
    ours: junit(', tests: [reset]'),
    says: ['its evidence was changed'],
  },
  {
    of: 'more tests, of which some may be skipped',
    base: junit(', min-tests: 2'),
    ours: junit(', min-tests: 9, allow-skipped: true'),
    says: ['its evidence was changed'],
  },
  {
    of: 'a lower coverage of lines',
    base: lcov(0.9, 'a.v'),
    ours: lcov(0.8, 'a.v'),
    says: ['its evidence was changed'],
  },
  {
    of: 'a file whose lines no longer count',
    base: lcov(0.9, 'a.v, b.v'),
    ours: lcov(0.9, 'a.v'),
    says: ['its evidence was changed'],
  },
  {
    of: 'a file more, whose lines may raise the coverage of the whole',
    base: lcov(0.8, 'a.v'),
    ours: lcov(0.8, 'a.v, b.v'),
    says: ['its evidence was changed'],
  },
  {
    of: 'another field of a report',
    base: json(PASSED),
    ours: json('{ id: tests, field: ran, pass_when: { is_true: true } }'),
    says: ['the assertion of its evidence was changed'],
  },
  {
    of: 'another value that passes',
    base: json('{ id: tests, field: state, pass_when: { eq: clean } }'),
    ours: json('{ id: tests, field: state, pass_when: { eq: done } }'),
    says: ['the assertion of its evidence was changed'],
  },
  {
    of: 'another name of the assertion',
    base: json(PASSED),
    ours: json(PASSED.replace('tests', 'compiled')),
    says: ['the assertion of its evidence was changed'],
  },
  {
    of: 'another report',
    base: json(PASSED),
    ours: json(PASSED, 'old.json'),
    says: ['its evidence was changed', 'the output out.json was removed'],
  },
];

const demands: readonly Weakening[] = [
  {
    of: 'a floor lowered',
    base: `${ENGINE}, floors: { cells: { min: 10 } }`,
    ours: `${ENGINE}, floors: { cells: { min: 9.5 } }`,
    says: ['the floor cells is at least 9.5, and was at least 10'],
  },
  {
    of: 'a bound above that was lowered',
    base: `${ENGINE}, floors: { slack: { above: 0 } }`,
    ours: `${ENGINE}, floors: { slack: { above: -0.1 } }`,
    says: ['the floor slack is above -0.1, and was above 0'],
  },
  {
    of: 'a bound that may be met where it had to be passed',
    base: `${ENGINE}, floors: { slack: { above: 0 } }`,
    ours: `${ENGINE}, floors: { slack: { min: 0 } }`,
    says: ['the floor slack is at least 0, and was above 0'],
  },
  {
    of: 'a floor removed',
    base: `${ENGINE}, floors: { cells: { min: 10 }, ports: { min: 1 } }`,
    ours: `${ENGINE}, floors: { ports: { min: 1 } }`,
    says: ['the floor cells was removed (it was at least 10)'],
  },
  {
    of: 'a floor whose field was misspelt',
    base: `${ENGINE}, floors: { cells: { min: 10 } }`,
    ours: `${ENGINE}, floors: { cels: { min: 10 } }`,
    says: ['the floor cells was removed (it was at least 10)'],
  },
  {
    of: 'a floor that ships with the gate and was overridden',
    base: 'uses: vyges-sta-si, inputs: [a]',
    ours: 'uses: vyges-sta-si, inputs: [a], floors: { hold_endpoints: { min: 0 } }',
    says: ['the floor hold_endpoints is at least 0, and was at least 1'],
  },
  {
    of: 'a floor that ships for an engine in the tree by its name',
    base: 'uses: ./engines/vyges-em-ir.mjs, inputs: [a]',
    ours: 'uses: ./engines/vyges-em-ir.mjs, inputs: [a], floors: { worst_ir.drop: { min: 0 } }',
    says: ['the floor worst_ir.drop is at least 0, and was above 0'],
  },
  {
    of: 'a floor taken back to the one that ships',
    base: 'uses: sta-si, inputs: [a], floors: { endpoints: { min: 900 } }',
    ours: 'uses: sta-si, inputs: [a]',
    says: ['the floor endpoints is at least 1, and was at least 900'],
  },
  {
    of: 'a floor of nothing, over one that may ship for an engine of an unknown name',
    base: 'uses: ./engines/timing.sh, inputs: [a]',
    ours: 'uses: ./engines/timing.sh, inputs: [a], floors: { endpoints: { min: 0 } }',
    says: ['a floor endpoints was added that holds nothing up (at least 0)'],
  },
  {
    of: 'a floor below nothing, over the one that stands under test results',
    base: junit(),
    ours: `${junit()}, floors: { tests: { above: -1 } }`,
    says: ['a floor tests was added that holds nothing up (above -1)'],
  },
  {
    of: 'a coverage lowered',
    base: `${ENGINE}, min-coverage: 0.9`,
    ours: `${ENGINE}, min-coverage: 0.85`,
    says: ['min-coverage is 0.85, and was 0.9'],
  },
  {
    of: 'a coverage that need not be complete any more',
    base: ENGINE,
    ours: `${ENGINE}, min-coverage: 0.99`,
    says: ['min-coverage is 0.99, and was 1'],
  },
  {
    // With it a pass that says nothing of its coverage is unknown; without it, a pass.
    of: 'a coverage that need not be stated any more',
    base: `${ENGINE}, min-coverage: 1`,
    ours: ENGINE,
    says: [expect.stringContaining('min-coverage')],
  },
  {
    of: 'a lower coverage that need not be stated any more',
    base: `${ENGINE}, min-coverage: 0.9`,
    ours: ENGINE,
    says: [expect.stringContaining('min-coverage')],
  },
  {
    of: '`claims: none`',
    base: ENGINE,
    ours: `${ENGINE}, claims: none`,
    says: ['`claims: none` was added: it need not claim anything'],
  },
];

const bindings: readonly Weakening[] = [
  {
    of: 'a selector removed',
    base: 'uses: lint, inputs: [rtl/*.v, lib/*.v]',
    ours: 'uses: lint, inputs: [rtl/*.v]',
    says: ['the selector lib/*.v was removed'],
  },
  {
    of: 'a selector narrowed',
    base: 'uses: lint, inputs: ["rtl/**"]',
    ours: 'uses: lint, inputs: [rtl/a*.v]',
    says: ['the selector rtl/** was removed'],
  },
  {
    of: 'a selector that may match nothing now',
    base: ENGINE,
    ours: 'uses: lint, inputs: [{ glob: rtl/*.v, optional: true }]',
    says: ['the selector rtl/*.v may match nothing now'],
  },
  {
    of: 'a selector that stood there twice and now only as one that may match nothing',
    base: 'uses: lint, inputs: [{ glob: rtl/*.v, optional: true }, rtl/*.v]',
    ours: 'uses: lint, inputs: [{ glob: rtl/*.v, optional: true }]',
    says: ['the selector rtl/*.v may match nothing now'],
  },
  {
    of: 'an exclusion added',
    base: ENGINE,
    ours: 'uses: lint, inputs: [rtl/*.v, "!rtl/buggy.v"]',
    says: ['the exclusion rtl/buggy.v was added'],
  },
  {
    of: '`inputs: none`',
    base: ENGINE,
    ours: 'uses: lint, inputs: none',
    says: ['its inputs are `none`: nothing binds its result to files any more'],
  },
  {
    // It was run each time, whatever had changed. Now it is run only when that one file does.
    of: 'a few files in place of `inputs: none`',
    base: 'uses: lint, inputs: none',
    ours: 'uses: lint, inputs: [README.md]',
    says: [expect.stringContaining('its inputs')],
  },
  {
    // A stage's own outputs are none of its inputs: the gate moves the file aside before each run.
    of: 'an output added that was among its inputs',
    base: `${COMMAND}, outputs: [build/a]`,
    ours: `${COMMAND}, outputs: [build/a, rtl/golden.v]`,
    says: [expect.stringContaining('rtl/golden.v')],
  },
  {
    of: 'an output removed',
    base: `${ENGINE}, outputs: [build/net.v, build/net.sdf]`,
    ours: `${ENGINE}, outputs: [build/net.v]`,
    says: ['the output build/net.sdf was removed'],
  },
  {
    of: 'a folder in place of the file that had to come back',
    base: `${ENGINE}, outputs: [build/net.v]`,
    ours: `${ENGINE}, outputs: [build/]`,
    says: ['the output build/net.v was removed'],
  },
  {
    of: 'something outside that is renamed',
    base: `${ENGINE}, external: { pdk: /pdk/a }`,
    ours: `${ENGINE}, external: { kit: /pdk/a }`,
    says: ['`external: pdk` was changed', '`external: kit` was changed'],
  },
  {
    of: 'another library outside',
    base: `${ENGINE}, external: { pdk: /pdk/slow/** }`,
    ours: `${ENGINE}, external: { pdk: /pdk/fast/** }`,
    says: ['`external: pdk` was changed'],
  },
  {
    of: 'the variables that it sees',
    base: `${ENGINE}, env: { MODE: strict, SEED: "1" }`,
    ours: `${ENGINE}, env: { MODE: lax, WAIVE: all }`,
    says: ['`env: MODE` was changed', '`env: SEED` was changed', '`env: WAIVE` was changed'],
  },
];

describe('what is listed of the work:', () => {
  test.each(works)('$of', ({ base, ours, says }) => {
    expect(listedOf(base, ours)).toEqual(says);
  });

  test('a script in place of the argument vector that it comes wrapped in', () => {
    // The paths among the arguments of a script are not looked for: one may be read unseen.
    const said = listedOf(
      'run: [bash, -eo, pipefail, -c, make -C sim test], inputs: ["sim/**"]',
      'run: make -C sim test, inputs: ["sim/**"]',
    );
    expect(said).toEqual(['its command was changed']);
  });
});

describe('what is listed of the evidence:', () => {
  test.each(evidences)('$of', ({ base, ours, says }) => {
    expect(listedOf(base, ours)).toEqual(says);
  });
});

describe('what is listed of what a pass needs:', () => {
  test.each(demands)('$of', ({ base, ours, says }) => {
    expect(listedOf(base, ours)).toEqual(says);
  });
});

describe('what is listed of what a result is bound to:', () => {
  test.each(bindings)('$of', ({ base, ours, says }) => {
    expect(listedOf(base, ours)).toEqual(says);
  });
});

test('a change back is listed too, unless it can be told that it asks for more', () => {
  const told = [...works, ...evidences]
    .filter(({ base }) => !base.includes('lcov'))
    .filter(({ base, ours }) => listedOf(ours, base).length === 0);
  expect(told.map(({ of }) => of)).toEqual([
    'a tool whose digest no longer counts',
    'a tool behind an engine whose digest no longer counts',
    'skipped tests that are allowed',
    'fewer tests asked for',
    'no number of tests asked for',
    'a test that need not run any more',
  ]);
});

describe('of the stages', () => {
  const two =
    'stages:\n  lint: { uses: lint, inputs: [a] }\n  synth: { uses: synth, inputs: [a] }\n';
  const one = 'stages:\n  synth: { uses: synth, inputs: [a] }\n';

  test('one removed is listed', () => {
    expect(listed(two, one)).toEqual(['lint: the stage was removed or renamed']);
  });

  test('one retired is listed with the reason, as one text whatever it holds', () => {
    const retired = `${one}retired: { lint: "not needed\\n::set-output name=verdict::proven" }\n`;
    expect(listed(two, retired)).toEqual([
      'lint: the stage was retired: "not needed\\n::set-output name=verdict::proven"',
    ]);
  });

  test('one renamed is listed, though another does the same', () => {
    expect(listed(two, two.replace('lint:', 'lints:'))).toEqual([
      'lint: the stage was removed or renamed',
    ]);
  });

  test('two that changed places by name are both listed', () => {
    const swapped = two
      .replace('lint: {', 'x: {')
      .replace('synth: {', 'lint: {')
      .replace('x: {', 'synth: {');
    expect(listed(two, swapped)).toEqual([
      'lint: its engine is synth, and was lint',
      'synth: its engine is lint, and was synth',
    ]);
  });

  test('each of several changes is listed, under its stage', () => {
    expect(listed(two, two.replaceAll('[a]', '[b]'))).toEqual([
      'lint: the selector a was removed',
      'synth: the selector a was removed',
    ]);
  });

  test('one is listed as removed whose name every object answers to', () => {
    const hostile =
      'stages:\n  constructor: { uses: lint, inputs: [a] }\n  b: { by: person, inputs: [a] }\n';
    const without = 'stages:\n  b: { by: person, inputs: [a] }\n';
    expect(listed(hostile, without)).toEqual(['constructor: the stage was removed or renamed']);
    const retired = `${without}retired: { constructor: old }\n`;
    expect(listed(hostile, retired)).toEqual(['constructor: the stage was retired: "old"']);
    expect(listed(hostile, hostile)).toEqual([]);
  });
});

describe('names that every object answers to are compared as any other:', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s', (name) => {
    const floor = `${ENGINE}, floors: { ${name}: { min: 2 } }`;
    expect(listedOf(floor, ENGINE)).toEqual([`the floor ${name} was removed (it was at least 2)`]);
    expect(listedOf(ENGINE, floor)).toEqual([]);
    expect(listedOf(floor, floor.replace('2', '1'))).toHaveLength(1);
    for (const table of ['env', 'with']) {
      const given = `${ENGINE}, ${table}: { ${name}: /x }`;
      expect(listedOf(given, ENGINE)).toEqual([`\`${table}: ${name}\` was changed`]);
      expect(listedOf(ENGINE, given)).toEqual([`\`${table}: ${name}\` was changed`]);
      expect(listedOf(given, given)).toEqual([]);
      expect(listedOf(given, given.replace('/x', '/y'))).toHaveLength(1);
    }
  });
});

describe('what makes a flow stricter, or nothing of it other, is not listed:', () => {
  const stricter: readonly (readonly [string, string, string])[] = [
    ['the same', ENGINE, ENGINE],
    ['the same in another order', 'uses: lint, inputs: [a, b]', 'inputs: [b, a], uses: lint'],
    ['a floor added', ENGINE, `${ENGINE}, floors: { cells: { min: 1 } }`],
    [
      'a floor raised',
      `${ENGINE}, floors: { cells: { min: 1 } }`,
      `${ENGINE}, floors: { cells: { min: 2 } }`,
    ],
    [
      'a bound that must be passed where it could be met',
      `${ENGINE}, floors: { cells: { min: 1 } }`,
      `${ENGINE}, floors: { cells: { above: 1 } }`,
    ],
    [
      'a floor that ships with the gate, written out',
      'uses: vyges-cdc, inputs: [a]',
      'uses: vyges-cdc, inputs: [a], floors: { domains: { min: 1 }, flops_placed: { min: 2 } }',
    ],
    ['a coverage raised', `${ENGINE}, min-coverage: 0.5`, `${ENGINE}, min-coverage: 0.6`],
    ['a coverage that must be stated', ENGINE, `${ENGINE}, min-coverage: 1`],
    ['a claim asked for', `${ENGINE}, claims: none`, ENGINE],
    ['a selector added', ENGINE, 'uses: lint, inputs: [rtl/*.v, lib/*.v]'],
    ['an exclusion removed', 'uses: lint, inputs: [rtl/*.v, "!rtl/x.v"]', ENGINE],
    [
      'a selector that must match',
      'uses: lint, inputs: [{ glob: rtl/*.v, optional: true }]',
      ENGINE,
    ],
    ['an output added', ENGINE, `${ENGINE}, outputs: [build/a]`],
    ['a tool added', COMMAND, `${COMMAND}, tools: [make]`],
    ['tools in another order', `${COMMAND}, tools: [a, b]`, `${COMMAND}, tools: [b, a]`],
    ['more tests', junit(', min-tests: 1'), junit(', min-tests: 2, tests: [reset]')],
    ['no skipped test', junit(', allow-skipped: true'), junit(', allow-skipped: false')],
    ['a higher coverage of lines', lcov(0.8, 'a.v'), lcov(0.9, 'a.v')],
    ['another limit of time', ENGINE, `${ENGINE}, timeout-minutes: 1`],
    ['a limit of time that is gone', `${ENGINE}, timeout-minutes: 1`, ENGINE],
  ];

  test.each(stricter)('%s', (_, base, ours) => {
    expect(listedOf(base, ours)).toEqual([]);
  });

  test('a stage more, another order, another name, comments', () => {
    const base =
      'name: a\nstages:\n  x: { uses: lint, inputs: [a] }\n  y: { by: person, inputs: [b] }\n';
    const ours = `# judged by all\nname: b\nretired: { z: never there }
stages:
  y: { by: person, inputs: [b], after: [x] } # later
  new: { run: "true", inputs: none }
  x: { uses: lint, inputs: [a] }\n`;
    expect(listed(base, ours)).toEqual([]);
  });

  test('what a variable stands for is what is compared', () => {
    const flow = `stages:\n  x: { uses: lint, inputs: [a], env: { PDK: "\${PDK}" } }\n`;
    const variables = (PDK: string) => ({ values: { PDK }, allows: () => true });
    const before = flowOf(flow, variables('/a'));
    expect(compareJudging(before, flowOf(flow, variables('/a')))).toEqual([]);
    expect(compareJudging(before, flowOf(flow, variables('/b')))).toHaveLength(1);
  });
});

/** What is listed of a workspace at the root of its repository when these paths are altered. */
function judgingChanges(flow: string, paths: readonly string[]): JudgingChange[] {
  const judgesOf = findJudges([flowOf(flow)], { top: '/repository', folder: '' }, []);
  return alteredJudges(judgesOf, new Set(paths), '');
}

describe('of the files that a change alters, what judges is listed:', () => {
  /** What is listed for a stage when all of these paths are altered. */
  function judges(stage: string, ...paths: readonly string[]): string[] {
    return judgingChanges(`stages:\n  it: { ${stage} }\n`, paths).map(({ message }) =>
      message.replace('what judges it was altered: ', ''),
    );
  }

  test('an engine in the tree, and whatever lies in its folder', () => {
    const altered = ['engines/lint.sh', 'engines/rules/a.json', 'enginesx/a.sh', 'rtl/a.v'];
    const listed = ['engines/lint.sh', 'engines/rules/a.json'];
    expect(judges('uses: ./engines/lint.sh, inputs: [rtl/*.v]', ...altered)).toEqual(listed);
    expect(judges('uses: ./x/../engines/lint.sh, inputs: [rtl/*.v]', ...altered)).toEqual(listed);
  });

  test('beside an engine at the root, only scripts', () => {
    const altered = ['README.md', 'helper.py', 'lint', 'sub/other.py'];
    expect(judges('uses: ./lint, inputs: [rtl/*.v]', ...altered)).toEqual(['helper.py', 'lint']);
  });

  test('an engine that is not in the tree has no file there', () => {
    expect(judges('uses: lint, inputs: [rtl/*.v]', 'lint', 'rtl/a.v')).toEqual([]);
    expect(judges('uses: /opt/lint, inputs: [rtl/*.v]', 'opt/lint')).toEqual([]);
  });

  test('the program of a command, and its tools in the tree', () => {
    const command = 'run: [./bin/sim, top], tools: [./tools/vvp, make], inputs: [rtl/*.v]';
    expect(judges(command, 'bin/sim', 'bin/lib.so', 'tools/vvp', 'make')).toEqual([
      'bin/lib.so',
      'bin/sim',
      'tools/vvp',
    ]);
  });

  test.each([
    'run: [sh, checks/judge]',
    'run: [sh, ./checks/judge]',
    'run: [env, --script=checks/judge]',
    'run: "set -u; sh ./checks/judge && echo done"',
    'run: "make test\\n( . checks/judge )"',
    'run: "cat rtl/a.v | sh <checks/judge"',
  ])('a file that a command names: %s', (run) => {
    expect(judges(`${run}, inputs: [rtl/*.v]`, 'checks/judge', 'checks/other')).toEqual([
      'checks/judge',
    ]);
  });

  test.each([
    'sim/Makefile',
    'sim/GNUmakefile',
    'sim/rules.mk',
    'sim/test_fifo.py',
    'sim/run.tcl',
    'sim/prove.sby',
    'sim/synth.ys',
    'sim/check.mjs',
    'sim/CMakeLists.txt',
    'sim/pyproject.toml',
  ])('a script that a command reads: %s', (path) => {
    const command = 'run: make -C sim, inputs: ["sim/**", "!sim/old/**"]';
    expect(judges(command, path, 'rtl/x.py', path.replace('sim', 'sim/old'))).toEqual([path]);
  });

  test('what a command reads beside a script that it names, whatever its ending', () => {
    const command = 'run: [sh, scripts/judge.sh], inputs: [rtl/*.v, "scripts/*"]';
    expect(judges(command, 'scripts/common', 'rtl/common')).toEqual(['scripts/common']);
  });

  test('a script that an engine is given', () => {
    const engine = 'uses: yosys-run, with: { script: checks/run.ys }, inputs: [checks/*.ys]';
    expect(judges(engine, 'checks/run.ys')).toEqual(['checks/run.ys']);
  });

  test('under each stage that it judges', () => {
    const flow =
      'stages:\n  a: { uses: ./e/x, inputs: [a] }\n  b: { uses: ./e/y, inputs: [a] }\n  c: { by: person, inputs: ["**"] }\n';
    expect(judgingChanges(flow, ['e/x']).map(({ stage }) => stage)).toEqual(['a', 'b']);
  });

  test('a source is no judge', () => {
    expect(judges('run: [make], inputs: ["rtl/**"]', 'rtl/a.v', 'rtl/b.sv', 'rtl/notes')).toEqual(
      [],
    );
  });
});

import { chmodSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkPass, codesIn, type Pass, prove, stageIn, statusesIn } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** Five stages that have little to do with one another, so that a change shows where it reaches. */
const flow = (libs: string): string => `name: change
stages:
  lint:
    uses: ./engines/lint.sh
    with: { file: rtl/top.v, define: FAST }
    inputs: [rtl/**/*.v, "!rtl/old/**"]
    env: { LINT_LEVEL: strict }
    floors: { checked: { min: 1 } }
  synth:
    uses: ./engines/synth.sh
    inputs: [rtl/**/*.v]
    outputs: [build/net.v, build/reports/]
  timing:
    uses: ./engines/timing.sh
    inputs: [build/net.v]
    external: { cells: "${libs}/*.lib", pdk: "${libs}/pdk.tech" }
    after: [lint]
    timeout-minutes: 5
  regress:
    run: [sh, sim/run.sh]
    tools: [./engines/tool.sh]
    inputs: [sim/**, { glob: waves/*.vcd, optional: true }]
    evidence:
      json: sim.json
      assertion: { id: passed, field: passed, pass_when: { is_true: true } }
    floors: { tests: { min: 1 } }
  docs:
    run: [cp, docs/a.md, docs.out]
    inputs: [docs/**]
    outputs: [docs.out]
    evidence: exit-code
`;

const ALL_VALID = {
  lint: 'valid',
  synth: 'valid',
  timing: 'valid',
  regress: 'valid',
  docs: 'valid',
} as const;

let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = makeWorkspace({
    files: {
      'rtl/top.v': 'module top; endmodule\n',
      'rtl/sub/part.v': 'module part; endmodule\n',
      'rtl/old/dead.v': 'module dead; endmodule\n',
      'sim/run.sh': `echo '{"passed": true, "tests": 4}' > sim.json\n`,
      'docs/a.md': 'words\n',
    },
    engines: {
      'engines/lint.sh': { does: SAYS_CLEAN },
      'engines/synth.sh': {
        does: `mkdir -p build/reports; cat rtl/*.v > build/net.v; echo fine > build/reports/area\n${SAYS_CLEAN}`,
      },
      'engines/timing.sh': { does: SAYS_CLEAN },
      'engines/tool.sh': { does: SAYS_CLEAN },
    },
  });
  writeFileSync(join(workspace.outside, 'fast.lib'), 'cell fast\n');
  writeFileSync(join(workspace.outside, 'pdk.tech'), 'tech\n');
  workspace.write('signoff.yaml', flow(workspace.outside));
  await prove(workspace);
});

/** Looks at the workspace with a change in it, and sees to it that it ends with the change. */
function lookWith(change: () => () => void): Pass {
  const undo = change();
  try {
    return checkPass(workspace);
  } finally {
    undo();
    expect(checkPass(workspace).answer).toMatchObject({ verdict: 'proven', problems: [] });
  }
}

/** What stands where a change reaches, and what was said of it. */
function expectStale(pass: Pass, stage: keyof typeof ALL_VALID, reason: string): void {
  expect(pass.answer.verdict).toBe('not-proven');
  expect(statusesIn(pass)).toEqual({ ...ALL_VALID, [stage]: 'stale' });
  expect(stageIn(pass, stage)).toMatchObject({ verdict: 'unknown', how: 'not-run', marks: [] });
  expect(stageIn(pass, stage).reason).toContain(reason);
  expect(stageIn(pass, stage).changes).not.toEqual([]);
}

function edited(path: string, from: string, to: string): () => () => void {
  return () => {
    const before = workspace.read(path);
    workspace.edit(path, from, to);
    return () => workspace.write(path, before);
  };
}

function rewritten(path: string, content: string): () => () => void {
  return () => {
    const before = workspace.read(path);
    workspace.write(path, content);
    return () => workspace.write(path, before);
  };
}

function added(path: string): () => () => void {
  return () => {
    workspace.write(path, 'new\n');
    return () => workspace.remove(path);
  };
}

function moved(path: string, to: string): () => () => void {
  return () => {
    renameSync(workspace.at(path), workspace.at(to));
    return () => renameSync(workspace.at(to), workspace.at(path));
  };
}

describe('a change of the flow ends exactly the conclusions that it concerns', () => {
  test.each([
    ['a floor is raised', 'lint', 'checked: { min: 1 }', 'checked: { min: 2 }', '`floors`'],
    ['a floor is lowered', 'lint', 'checked: { min: 1 }', 'checked: { min: 0 }', '`floors`'],
    ['a floor is dropped', 'lint', '    floors: { checked: { min: 1 } }\n', '', '`floors`'],
    [
      'a floor is of another kind',
      'lint',
      '{ min: 1 } }\n  synth',
      '{ above: 1 } }\n  synth',
      '`floors`',
    ],
    ['coverage is asked for', 'lint', 'env: {', 'min-coverage: 0\n    env: {', '`floors`'],
    ['an argument is another', 'lint', 'define: FAST', 'define: SLOW', '`with`'],
    ['an argument is dropped', 'lint', ', define: FAST', '', '`with`'],
    ['a variable is another', 'lint', 'LINT_LEVEL: strict', 'LINT_LEVEL: loose', '`env`'],
    ['a variable comes', 'lint', 'LINT_LEVEL: strict', 'LINT_LEVEL: strict, B: ""', '`env`'],
    [
      'a version is asked for',
      'lint',
      './engines/lint.sh',
      './engines/lint.sh\n    version: ">=1"',
      '`engine`',
    ],
    [
      'another name leads to the engine',
      'lint',
      './engines/lint.sh',
      './engines/../engines/lint.sh',
      '`engine`',
    ],
    ['a selector is narrowed', 'lint', '"!rtl/old/**"', '"!rtl/{old,sub}/**"', 'rtl/sub/part.v'],
    ['a selector is widened', 'lint', ', "!rtl/old/**"', '', 'rtl/old/dead.v was added'],
    [
      'a selector says the same in other words',
      'synth',
      '[rtl/**/*.v]',
      '["rtl/**/*.[v]"]',
      '`inputs`',
    ],
    [
      'an input becomes optional',
      'timing',
      'inputs: [build/net.v]',
      'inputs: [{ glob: build/net.v, optional: true }]',
      '`inputs`',
    ],
    ['inputs are none', 'timing', 'inputs: [build/net.v]', 'inputs: none', '`inputs`'],
    ['an output is more', 'synth', 'build/reports/]', 'build/reports/, build/log]', '`outputs`'],
    ['an output is less', 'synth', ', build/reports/]', ']', '`outputs`'],
    ['no claim is accepted', 'timing', 'timeout-minutes: 5', 'claims: none', '`claims`'],
    ['an external has another name', 'timing', 'pdk: "', 'tech: "', '`external`'],
    ['a command is another', 'regress', '[sh, sim/run.sh]', '[sh, -e, sim/run.sh]', '`engine`'],
    ['a tool is dropped', 'regress', '    tools: [./engines/tool.sh]\n', '', '`engine`'],
    ['the evidence lies elsewhere', 'regress', 'json: sim.json', 'json: sim2.json', '`evidence`'],
    ['the assertion has another field', 'regress', 'field: passed', 'field: ok', '`assertion`'],
    ['the assertion has another name', 'regress', 'id: passed', 'id: all-passed', '`assertion`'],
    [
      'the assertion wants another value',
      'regress',
      '{ is_true: true }',
      '{ eq: "yes" }',
      '`assertion`',
    ],
    [
      'evidence is of another kind',
      'docs',
      'evidence: exit-code',
      'evidence: { junit: docs.out }',
      '`evidence`',
    ],
    ['evidence is dropped', 'docs', '    evidence: exit-code\n', '', '`evidence`'],
  ] as const)('%s', (_, stage, from, to, reason) => {
    expectStale(lookWith(edited('signoff.yaml', from, to)), stage, reason);
  });

  test.each([
    ['the time limit', 'timeout-minutes: 5', 'timeout-minutes: 6'],
    ['the order', '    after: [lint]\n', ''],
    ['the name of the flow', 'name: change', 'name: other'],
    ['a comment', 'stages:', '# words\nstages:'],
    ['a string for the same string in quotes', 'define: FAST', 'define: "FAST"'],
  ])('and none when it is %s', (_, from, to) => {
    expect(lookWith(edited('signoff.yaml', from, to)).answer.verdict).toBe('proven');
  });

  test('two changes end two', () => {
    const pass = lookWith(() => {
      const first = edited('signoff.yaml', 'checked: { min: 1 }', 'checked: { min: 3 }')();
      const second = edited('docs/a.md', 'words', 'other words')();
      return () => {
        second();
        first();
      };
    });
    expect(statusesIn(pass)).toEqual({ ...ALL_VALID, lint: 'stale', docs: 'stale' });
  });
});

describe('a change of files ends exactly the conclusions that it concerns', () => {
  test.each([
    ['another byte in a file', 'docs', edited('docs/a.md', 'words', 'wordS'), 'docs/a.md changed'],
    ['one byte more', 'docs', rewritten('docs/a.md', 'words\n\n'), 'docs/a.md changed'],
    ['an empty file', 'docs', rewritten('docs/a.md', ''), 'docs/a.md changed'],
    ['a file more under a selector', 'docs', added('docs/b.md'), 'docs/b.md was added'],
    [
      'a file more under an optional selector',
      'regress',
      added('waves/a.vcd'),
      'waves/a.vcd was added',
    ],
    ['a file less', 'docs', moved('docs/a.md', 'a.md'), 'docs/a.md is gone'],
    [
      'a file with another name',
      'docs',
      moved('docs/a.md', 'docs/b.md'),
      'docs/a.md is gone; docs/b.md was added',
    ],
    ['other bytes in an output', 'docs', rewritten('docs.out', 'words'), 'output docs.out changed'],
    [
      'a file less in a folder of outputs',
      'synth',
      moved('build/reports/area', 'area'),
      'output build/reports/',
    ],
    [
      'a file more in a folder of outputs',
      'synth',
      added('build/reports/more'),
      'output build/reports/ changed',
    ],
    ['an output that is gone', 'docs', moved('docs.out', 'out.txt'), 'output docs.out is gone'],
  ] as const)('%s', (_, stage, change, reason) => {
    expectStale(lookWith(change), stage, reason);
  });

  test('a producer and its consumer both end when the file between them is edited by hand', () => {
    const pass = lookWith(edited('build/net.v', 'module top', 'module pot'));
    expect(statusesIn(pass)).toEqual({ ...ALL_VALID, synth: 'stale', timing: 'stale' });
  });

  test('a source ends all that read it', () => {
    const pass = lookWith(edited('rtl/sub/part.v', 'part', 'port'));
    expect(statusesIn(pass)).toEqual({ ...ALL_VALID, lint: 'stale', synth: 'stale' });
  });

  test('a file that is excluded ends nothing of whoever excludes it', () => {
    const pass = lookWith(edited('rtl/old/dead.v', 'dead', 'deaf'));
    expect(statusesIn(pass)).toEqual({ ...ALL_VALID, synth: 'stale' });
  });

  test.each([
    ['a file that no selector matches', added('rtl/notes.txt')],
    ['a file with a leading dot', added('docs/.hidden')],
    ['the time stamps of an input', rewritten('docs/a.md', 'words\n')],
    ['something in the folder of the gate', added('.signoff/note')],
    ['something in the folder of git', added('.git/HEAD')],
  ])('%s ends nothing', (_, change) => {
    expect(lookWith(change).answer.verdict).toBe('proven');
  });

  test('a link in the place of an output is no output, whatever it leads to', () => {
    const pass = lookWith(() => {
      renameSync(workspace.at('docs.out'), workspace.at('elsewhere'));
      symlinkSync('elsewhere', workspace.at('docs.out'));
      return () => {
        workspace.remove('docs.out');
        renameSync(workspace.at('elsewhere'), workspace.at('docs.out'));
      };
    });
    expectStale(pass, 'docs', 'docs.out');
  });

  test('a link in the place of an input counts as a change, even to the same bytes', () => {
    const pass = lookWith(() => {
      renameSync(workspace.at('docs/a.md'), workspace.at('elsewhere'));
      symlinkSync('../elsewhere', workspace.at('docs/a.md'));
      return () => {
        workspace.remove('docs/a.md');
        renameSync(workspace.at('elsewhere'), workspace.at('docs/a.md'));
      };
    });
    expectStale(pass, 'docs', 'docs/a.md changed');
  });
});

describe('what lies outside the workspace counts as well', () => {
  const external = (name: string): string => join('../outside', name);

  test.each([
    [
      'a library',
      rewritten(external('fast.lib'), 'cell slow\n'),
      'external cells/fast.lib changed',
    ],
    ['one more library', added(external('slow.lib')), 'external cells/slow.lib was added'],
    ['a single file', rewritten(external('pdk.tech'), 'other\n'), 'external pdk changed'],
  ])('%s', (_, change, reason) => {
    expectStale(lookWith(change), 'timing', reason);
  });

  test('a library that is gone', () => {
    const pass = lookWith(moved(external('pdk.tech'), external('gone')));
    expectStale(pass, 'timing', 'external pdk is gone');
    expect(codesIn(pass)).toContain('file/missing');
  });

  test('an external elsewhere with the same content is the same', () => {
    const pass = lookWith(() => {
      workspace.write('../other/fast.lib', 'cell fast\n');
      workspace.write('../other/pdk.tech', 'tech\n');
      const before = workspace.read('signoff.yaml');
      workspace.write('signoff.yaml', flow(join(workspace.outside, '../other')));
      return () => workspace.write('signoff.yaml', before);
    });
    expect(pass.answer.verdict).toBe('proven');
  });
});

describe('programs count by their content', () => {
  test('a replaced engine', () => {
    const pass = lookWith(edited('engines/lint.sh', '"checked": 3', '"checked": 4'));
    expectStale(pass, 'lint', 'the program ./engines/lint.sh changed');
  });

  test('a replaced tool of a command', () => {
    const pass = lookWith(edited('engines/tool.sh', '1.0.0', '1.0.1'));
    expectStale(pass, 'regress', 'the program ./engines/tool.sh changed');
  });

  test.each([
    ['absent', moved('engines/lint.sh', 'engines/gone.sh')],
    [
      'not executable',
      () => {
        chmodSync(workspace.at('engines/lint.sh'), 0o644);
        return () => chmodSync(workspace.at('engines/lint.sh'), 0o755);
      },
    ],
  ])('one that is %s here says nothing against what it found elsewhere', (_, change) => {
    expect(lookWith(change).answer.verdict).toBe('proven');
  });
});

describe('a stage that the flow has no more', () => {
  const withoutDocs = (text: string): string => text.slice(0, text.indexOf('  docs:'));

  function lookAt(text: string): Pass {
    return lookWith(rewritten('signoff.yaml', text));
  }

  test('is not forgotten: nothing is proven without a word about it', () => {
    const pass = lookAt(withoutDocs(workspace.read('signoff.yaml')));
    expect(pass.answer.verdict).toBe('not-proven');
    expect(pass.problems).toMatchObject([
      { code: 'flow/unretired-stage', stage: 'docs', remedy: expect.stringContaining('retired') },
    ]);
  });

  test('may go with a reason', () => {
    const text = `${withoutDocs(workspace.read('signoff.yaml'))}retired: { docs: moved elsewhere }\n`;
    expect(lookAt(text).answer).toMatchObject({ verdict: 'proven', counts: { stages: 4 } });
  });

  test('does not go under another name', () => {
    const pass = lookAt(workspace.read('signoff.yaml').replace('  docs:', '  papers:'));
    expect(statusesIn(pass)).toMatchObject({ papers: 'missing', lint: 'valid' });
    expect(codesIn(pass)).toEqual(['flow/unretired-stage']);
  });

  test('is not retired by the retirement of another', () => {
    const text = `${withoutDocs(workspace.read('signoff.yaml'))}retired: { doc: a slip }\n`;
    expect(lookAt(text).answer.verdict).toBe('not-proven');
  });
});

test.each(['person', 'agent'])(
  'a stage that is now judged by a %s was not judged by the command that ran before',
  (who) => {
    const before = `    run: [cp, docs/a.md, docs.out]
    inputs: [docs/**]
    outputs: [docs.out]
    evidence: exit-code
`;
    const after = `    by: ${who}\n    inputs: [docs/**]\n    outputs: [docs.out]\n`;
    expectStale(lookWith(edited('signoff.yaml', before, after)), 'docs', '`engine`');
  },
);

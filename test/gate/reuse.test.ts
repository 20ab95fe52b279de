import { describe, expect, it } from 'vitest';
import {
  checkPass,
  codesIn,
  deedsIn,
  prove,
  runPass,
  stageIn,
  statusesIn,
} from '../support/gate.ts';
import {
  type EngineText,
  judges,
  makeWorkspace,
  SAYS_CLEAN,
  SAYS_DIRTY,
  type TestWorkspace,
} from '../support/workspace.ts';

function one(engine: EngineText, stage = 'inputs: [a.v]', source = 'fine\n'): TestWorkspace {
  return makeWorkspace({
    flow: `stages:\n  lint:\n    uses: ./lint.sh\n    ${stage}\n`,
    files: { 'a.v': source },
    engines: { 'lint.sh': engine },
  });
}

describe.concurrent('a stage that failed', () => {
  it('and did not change is not run again: its failure is reused', async () => {
    const workspace = one({ does: judges('a.v') }, undefined, 'BUG\n');
    await runPass(workspace);
    const again = await runPass(workspace);
    expect(again.answer.verdict).toBe('not-proven');
    expect(stageIn(again, 'lint')).toMatchObject({
      status: 'failed',
      verdict: 'fail',
      how: 'reused',
    });
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });

  it('is run again by --rerun', async () => {
    const workspace = one({ does: judges('a.v') }, undefined, 'BUG\n');
    await runPass(workspace);
    const again = await runPass(workspace, { rerun: true });
    expect(stageIn(again, 'lint')).toMatchObject({ status: 'failed', how: 'ran', run: 2 });
    expect(workspace.startsOf('lint.sh')).toBe(2);
  });

  it('and that passes when it is run again on the same inputs is not reproducible', async () => {
    const workspace = one({ does: `[ -e '$FLAG' ] && { ${SAYS_CLEAN}; exit; }; ${SAYS_DIRTY}` });
    const flag = `${workspace.outside}/flag`;
    workspace.engine('lint.sh', {
      does: `[ -e '${flag}' ] && { ${SAYS_CLEAN}; exit; }; ${SAYS_DIRTY}`,
    });
    expect(statusesIn(await runPass(workspace))).toEqual({ lint: 'failed' });
    workspace.write('../outside/flag', '');
    const again = await runPass(workspace, { rerun: true });
    expect(statusesIn(again)).toEqual({ lint: 'valid' });
    expect(again.answer.verdict).toBe('not-proven');
    expect(codesIn(again)).toEqual(['log/anomaly']);
    expect(again.problems[0]?.message).toContain('not reproducible');
    expect(checkPass(workspace).answer.verdict).toBe('not-proven');
  });

  it.each([
    ['an input', (workspace: TestWorkspace) => workspace.write('a.v', 'fine\n')],
    ['the engine', (workspace: TestWorkspace) => workspace.engine('lint.sh', { does: SAYS_CLEAN })],
    [
      'the flow',
      (workspace: TestWorkspace) => workspace.edit('signoff.yaml', '[a.v]', '["[a].v"]'),
    ],
  ])('is run again when %s changed', async (_, change) => {
    const workspace = one({ does: judges('a.v') }, undefined, 'BUG\n');
    await runPass(workspace);
    change(workspace);
    const again = await runPass(workspace);
    expect(deedsIn(again)).toEqual({ lint: 'ran' });
  });
});

describe.concurrent('a stage that is valid', () => {
  it('is run again when it is named with --rerun', async () => {
    const workspace = one({ does: judges('a.v') });
    await prove(workspace);
    const again = await runPass(workspace, { rerun: true, only: ['lint'] });
    expect(again.answer).toMatchObject({ verdict: 'proven', counts: { ran: 1 } });
    expect(workspace.startsOf('lint.sh')).toBe(2);
  });

  it('is not run again by --rerun alone', async () => {
    const workspace = one({ does: judges('a.v') });
    await prove(workspace);
    await runPass(workspace, { rerun: true });
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });
});

describe.concurrent('a stage that reached no conclusion', () => {
  it('is run again, whatever changed', async () => {
    const workspace = one({ does: 'echo "a.v:1: no such module" >&2; echo >&2; exit 3' });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'blocked', verdict: 'unknown' });
    expect(stageIn(pass, 'lint').reason).toContain(
      'exited with code 3; it printed last: a.v:1: no such module',
    );
    await runPass(workspace);
    expect(workspace.startsOf('lint.sh')).toBe(2);
  });
});

describe.concurrent('a path among the arguments that was not there', () => {
  it('ends what was proven without it when it appears', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { run: [./tool.sh, --config=lint.cfg], inputs: [a.v], outputs: [r.xml], evidence: { junit: r.xml } }\n',
      files: { 'a.v': 'a' },
      engines: {
        'tool.sh': { does: 'echo \'<testsuite><testcase name="a"/></testsuite>\' > r.xml' },
      },
    });
    await prove(workspace);
    workspace.write('lint.cfg', 'waive all\n');
    const check = checkPass(workspace);
    expect(check.answer.verdict).toBe('not-proven');
    expect(stageIn(check, 'lint')).toMatchObject({ status: 'stale', verdict: 'unknown' });
    expect(stageIn(check, 'lint').reason).toContain('`lint.cfg` is among its arguments');
    expect(codesIn(await runPass(workspace))).toContain('flow/unlisted-input');
    workspace.remove('lint.cfg');
    expect(checkPass(workspace).answer.verdict).toBe('proven');
  });
});

describe.concurrent('a tool behind an engine', () => {
  const wrapped = (): TestWorkspace =>
    makeWorkspace({
      flow: `stages:
  lint: { uses: ./wrapper.sh, tools: [./bin/tool], inputs: [a.v], outputs: [] }
`,
      files: { 'a.v': 'a' },
      engines: { 'wrapper.sh': { does: './bin/tool' }, 'bin/tool': { does: SAYS_CLEAN } },
    });

  it('that was replaced makes the stage stale, though it names the same version', async () => {
    const workspace = wrapped();
    await prove(workspace);
    expect(stageIn(await runPass(workspace), 'lint')).toMatchObject({ how: 'reused' });
    workspace.engine('bin/tool', { does: SAYS_DIRTY });
    const check = checkPass(workspace);
    expect(stageIn(check, 'lint')).toMatchObject({ status: 'stale', verdict: 'unknown' });
    expect(stageIn(check, 'lint').reason).toContain('./bin/tool');
    expect(stageIn(await runPass(workspace), 'lint')).toMatchObject({ status: 'failed' });
  });

  it('is asked for its version, whose whole line counts', async () => {
    const workspace = wrapped();
    workspace.write(
      'bin/tool',
      `#!/bin/sh\n[ "$1" = --version ] && exec cat version\n${SAYS_CLEAN}\n`,
    );
    workspace.write('version', 'tool 1.2.3 (a)');
    await prove(workspace);
    expect(workspace.outcome('lint')).toMatchObject({
      tool_versions: { './bin/tool': 'tool 1.2.3 (a)' },
    });
    workspace.write('version', 'tool 1.2.3 (b)');
    expect(stageIn(await runPass(workspace), 'lint')).toMatchObject({ how: 'ran', run: 2 });
    expect(stageIn(await runPass(workspace), 'lint')).toMatchObject({ how: 'reused' });
  });
});

describe.concurrent('`inputs: none`', () => {
  it('runs each time and is never valid without having run', async () => {
    const workspace = one({ does: SAYS_CLEAN }, 'inputs: none');
    for (const runs of [1, 2, 3]) {
      const pass = await prove(workspace);
      expect(stageIn(pass, 'lint')).toMatchObject({ how: 'ran', run: runs });
      expect(workspace.startsOf('lint.sh')).toBe(runs);
      const check = checkPass(workspace);
      expect(check.answer.verdict).toBe('not-proven');
      expect(stageIn(check, 'lint')).toMatchObject({ status: 'stale', verdict: 'unknown' });
      expect(stageIn(check, 'lint').reason).toContain('`inputs: none`');
    }
  });

  it('does not count in a pass that was not asked for it', async () => {
    const workspace = makeWorkspace({
      flow: `stages:
  free: { uses: ./free.sh, inputs: none }
  bound: { uses: ./bound.sh, inputs: [a.v] }
`,
      files: { 'a.v': 'a' },
      engines: { 'free.sh': { does: SAYS_CLEAN }, 'bound.sh': { does: SAYS_CLEAN } },
    });
    await prove(workspace);
    const pass = await runPass(workspace, { only: ['bound'] });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(statusesIn(pass)).toEqual({ free: 'stale', bound: 'valid' });
    expect(workspace.startsOf('free.sh')).toBe(1);
  });
});

describe.concurrent('variables', () => {
  // Written apart, so that it is not taken for a placeholder of this language.
  const reference = `"$${'{LEVEL}'}"`;

  it('count by their value: another one runs the stage again, the old one brings nothing back', async () => {
    const workspace = one({ does: SAYS_CLEAN }, `inputs: [a.v]\n    env: { LEVEL: ${reference} }`);
    await prove(workspace, { LEVEL: 'strict' });
    expect(checkPass(workspace, { LEVEL: 'strict' }).answer.verdict).toBe('proven');
    expect(statusesIn(checkPass(workspace, { LEVEL: 'loose' }))).toEqual({ lint: 'stale' });
    await prove(workspace, { LEVEL: 'loose' });
    expect(statusesIn(checkPass(workspace, { LEVEL: 'strict' }))).toEqual({ lint: 'stale' });
    expect(workspace.startsOf('lint.sh')).toBe(2);
  });

  it('that no stage declares do not reach an engine', async () => {
    const workspace = one({
      does: `env | cut -d= -f1 | sort | tr '\\n' ' ' >&2\n${SAYS_CLEAN}`,
    });
    const lines: string[] = [];
    await runPass(workspace, {
      onEvent: (event) => event.kind === 'engine-line' && lines.push(event.line),
    });
    expect(
      lines
        .join(' ')
        .split(' ')
        .filter((name) => !['', 'PWD', 'OLDPWD', '_', 'SHLVL'].includes(name)),
    ).toEqual([
      'HOME',
      'LANG',
      'PATH',
      'SIGNOFF_GATE_RUN',
      'TMPDIR',
      'VYGES_LOG',
      'VYGES_LOG_FORMAT',
    ]);
  });
});

describe.concurrent('`claims: none`', () => {
  const noClaim = { assertion: { not_applicable: true } };

  it('accepts a stage that makes no claim, and calls it nothing better', async () => {
    const workspace = makeWorkspace({
      flow: `stages:
  convert: { uses: ./convert.sh, inputs: [a.v], outputs: [b.v], claims: none }
  lint: { uses: ./lint.sh, inputs: [b.v] }
`,
      files: { 'a.v': 'a' },
      engines: {
        'convert.sh': { does: 'cp a.v b.v; echo "{}"', descriptor: noClaim },
        'lint.sh': { does: SAYS_CLEAN },
      },
    });
    const pass = await prove(workspace);
    expect(stageIn(pass, 'convert')).toMatchObject({ status: 'valid', verdict: 'not_applicable' });
    expect(checkPass(workspace).answer.verdict).toBe('proven');
  });

  it('is not taken for granted', async () => {
    const workspace = one({ does: 'echo "{}"', descriptor: noClaim });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'blocked', verdict: 'unknown' });
    expect(stageIn(pass, 'lint').reason).toContain('`claims: none`');
  });

  it('accepts no claim: an engine that makes one is not what the flow says', async () => {
    const workspace = one({ does: SAYS_CLEAN }, 'inputs: [a.v]\n    claims: none');
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'lint')).toMatchObject({ status: 'blocked', verdict: 'unknown' });
  });

  it('alone proves nothing: at least one stage must pass', async () => {
    const workspace = one(
      { does: 'echo "{}"', descriptor: noClaim },
      'inputs: [a.v]\n    claims: none',
    );
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ lint: 'valid' });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(pass.problems).toMatchObject([
      { code: 'gate/nothing-to-judge', at: { file: 'signoff.yaml' } },
    ]);
    expect(checkPass(workspace).answer.verdict).toBe('not-proven');
  });
});

describe.concurrent('a version that the flow pins', () => {
  const pinned = (range: string, version?: string): TestWorkspace =>
    one(
      { does: SAYS_CLEAN, ...(version === undefined ? {} : { version }) },
      `inputs: [a.v]\n    version: "${range}"`,
    );

  it.each([
    ['>=1.2.0 <2.0.0', '1.9.3'],
    ['^1.2.0', '1.2.0'],
    ['>=1.2.0, <2.0.0', '1.2.1'],
    ['0.1.29', '0.1.29 (0f4bd21)'],
  ])('%s is met by %s', async (range, version) => {
    await prove(pinned(range, version));
  });

  it.each([
    ['>=1.2.0 <2.0.0', '2.0.0', 'is 2.0.0'],
    ['^1.2.0', '1.1.9', 'is 1.1.9'],
    ['1.2.3', 'unknown', 'names none'],
    ['newest', '1.0.0', 'cannot be read'],
  ])('%s is not met by %s: nothing is started', async (range, version, message) => {
    const workspace = pinned(range, version);
    const pass = await runPass(workspace);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(pass.problems).toMatchObject([
      { code: 'engine/version-mismatch', stage: 'lint', at: { line: 3, column: 11 } },
    ]);
    expect(pass.problems[0]?.message).toContain(message);
    expect(workspace.startsOf('lint.sh')).toBe(0);
  });
});

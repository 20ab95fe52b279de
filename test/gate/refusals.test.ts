import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPass, prove, runPass, stageIn, statusesIn } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** One stage, whose lines begin on line 3 in column 5. */
function workspaceWith(...lines: string[]): TestWorkspace {
  const workspace = makeWorkspace({
    files: { 'rtl/a.v': 'a\n', 'rtl/b.v': 'b\n', 'lib/x.lib': 'x\n' },
    engines: { 'tool.sh': { does: SAYS_CLEAN } },
  });
  workspace.write('../outside/pdk.lib', 'pdk\n');
  const said = lines.map((line) => `    ${line.replaceAll('OUTSIDE', workspace.outside)}\n`);
  workspace.write('signoff.yaml', `stages:\n  lint:\n${said.join('')}`);
  return workspace;
}

async function refusalOf(workspace: TestWorkspace): Promise<{ text: string; place: string }> {
  const pass = await runPass(workspace);
  expect(pass.answer.verdict).toBe('not-proven');
  expect(stageIn(pass, 'lint')).toMatchObject({ status: 'missing', how: 'not-run' });
  expect(workspace.startsOf('tool.sh')).toBe(0);
  expect(workspace.log()).toEqual([]);
  const [found, second] = pass.problems;
  expect(second).toBeUndefined();
  return {
    text: `${found?.code} ${found?.message} ${found?.remedy}`,
    place: `${found?.at?.file}:${found?.at?.line}:${found?.at?.column}`,
  };
}

describe.concurrent('a path among the arguments that nothing binds', () => {
  const uses = 'uses: ./tool.sh';
  const inputs = 'inputs: [rtl/a.v]';

  it.each([
    [
      'a file of the workspace',
      'with: { file: rtl/b.v }',
      '`rtl/b.v`',
      'neither an input nor an output',
    ],
    ['a file in other words', 'with: { file: ./rtl/../rtl/b.v }', 'rtl/b.v', 'neither an input'],
    [
      'a file at its absolute path',
      'with: { file: OUTSIDE/../ws/rtl/b.v }',
      'rtl/b.v',
      'neither an input',
    ],
    [
      'a file behind =',
      'with: { file: +file=rtl/b.v }',
      '`rtl/b.v`',
      'neither an input nor an output',
    ],
    [
      'a file behind a flag',
      'with: { define: rtl/b.v }',
      '`rtl/b.v`',
      'neither an input nor an output',
    ],
    ['a folder', 'with: { file: lib }', '`lib`', 'a folder that holds `lib/'],
    ['a folder of which one file is listed', 'with: { file: rtl }', '`rtl`', 'holds `rtl/b.v`'],
    ['the log', 'with: { file: signoff.yaml }', '`signoff.yaml`', 'neither an input nor an output'],
    ['a file outside', 'with: { file: OUTSIDE/pdk.lib }', 'pdk.lib', 'lies outside the workspace'],
    [
      'a file outside, by a way that leads there',
      'with: { file: ../outside/pdk.lib }',
      'pdk.lib',
      'lies outside',
    ],
    ['a folder outside', 'with: { file: OUTSIDE }', 'outside', 'lies outside the workspace'],
    ['a file attached to an option', 'with: { file: -frtl/b.v }', 'rtl/b.v', 'neither an input'],
    [
      'a file attached to a plusarg',
      'with: { file: +incdir+sim+rtl/b.v }',
      'rtl/b.v',
      'neither an',
    ],
    ['a file outside behind =', 'with: { file: lib=OUTSIDE/pdk.lib }', 'pdk.lib', 'lies outside'],
  ])('is refused: %s', async (_, arguments_, path, why) => {
    const { text, place } = await refusalOf(workspaceWith(uses, arguments_, inputs));
    expect(text).toContain('flow/unlisted-input');
    expect(text).toContain(path);
    expect(text).toContain(why);
    expect(text).toMatch(/Add it to `inputs`|Declare it under `external`/);
    expect(place).toBe('signoff.yaml:3:11');
  });

  it.each([
    ['is no input', 'rtl/b.v'],
    ['is not there', 'rtl/none.v'],
  ])('is refused: a file of a coverage that %s', async (_, file) => {
    const workspace = workspaceWith(
      `run: cp a.info b.info`,
      `evidence: { lcov: b.info, min-line-coverage: 1, files: [${file}] }`,
      inputs,
    );
    const { text } = await refusalOf(workspace);
    expect(text).toContain(`\`${file}\` is among the files of its coverage and no input`);
  });

  it('is refused in a command too', async () => {
    const workspace = workspaceWith('run: [cat, rtl/a.v, rtl/b.v]', inputs);
    const { text, place } = await refusalOf(workspace);
    expect(text).toContain('`rtl/b.v`');
    expect(place).toBe('signoff.yaml:3:10');
  });

  it.each([
    ['any file of a stage that is never reused', 'with: { file: rtl/b.v }', 'inputs: none'],
    ['an input', 'with: { file: rtl/a.v }', inputs],
    ['a folder of inputs', 'with: { file: rtl }', 'inputs: [rtl/**]'],
    [
      'an output that is not there yet',
      'with: { out: net.v }',
      'inputs: [rtl/a.v]\n    outputs: []',
    ],
    [
      'an external',
      'with: { file: OUTSIDE/pdk.lib }',
      'inputs: [rtl/a.v]\n    external: { pdk: OUTSIDE/pdk.lib }',
    ],
    [
      'an external by its glob',
      'with: { file: OUTSIDE/pdk.lib }',
      'inputs: [rtl/a.v]\n    external: { pdk: "OUTSIDE/*.lib" }',
    ],
    ['a word that names no file', 'with: { file: strict }', inputs],
    ['a device', 'with: { file: /dev/null }', inputs],
    ['a text that is too long for a path', `with: { file: ${'x'.repeat(5000)} }`, inputs],
  ])('is none: %s', async (_, arguments_, more) => {
    await prove(workspaceWith(uses, arguments_, ...more.split('\n    ')));
  });

  it('is refused behind a link as well as in its own name', async () => {
    const workspace = workspaceWith(uses, 'with: { file: link.v }', inputs);
    symlinkSync('rtl/a.v', workspace.at('link.v'));
    const { text } = await refusalOf(workspace);
    expect(text).toContain('`link.v`');
  });
});

describe.concurrent('a selector that matches nothing', () => {
  it.each([
    ['a file that is not there', 'rtl/c.v', '5:9'],
    ['a wildcard', 'rtl/**/*.sv', '5:9'],
    ['a name in another case', 'RTL/a.v', '5:9'],
    ['a folder, which is not what is in it', 'lib', '5:9'],
    ['the own folder of the gate', '.signoff/**', '5:9'],
  ])('is refused in its place: %s', async (_, glob, place) => {
    const workspace = workspaceWith('uses: ./tool.sh', 'inputs:', `  - "${glob}"`, '  - rtl/a.v');
    const refusal = await refusalOf(workspace);
    expect(refusal.text).toContain(`flow/dead-selector the selector \`${glob}\` matches no file`);
    expect(refusal.text).toContain('optional: true');
    expect(refusal.place).toBe(`signoff.yaml:${place}`);
  });

  it('is refused when exclusions leave nothing of it', async () => {
    const workspace = workspaceWith('uses: ./tool.sh', 'inputs: ["lib/*", rtl/a.v, "!lib/**"]');
    expect((await refusalOf(workspace)).text).toContain('`lib/*`');
  });

  it('may be marked as optional', async () => {
    await prove(
      workspaceWith('uses: ./tool.sh', 'inputs: [rtl/a.v, { glob: rtl/c.v, optional: true }]'),
    );
  });

  it('may not be marked optional and then be all that there is', async () => {
    const workspace = workspaceWith(
      'uses: ./tool.sh',
      'inputs: [{ glob: rtl/c.v, optional: true }]',
    );
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'lint').status).toBe('valid');
    workspace.write('rtl/c.v', 'c\n');
    expect(statusesIn(checkPass(workspace))).toEqual({ lint: 'stale' });
  });

  it('is no fault of a stage that does not come up', async () => {
    const workspace = makeWorkspace({
      flow: `stages:
  first: { uses: ./fails.sh, inputs: [a.v], outputs: [b.v] }
  second: { uses: ./fails.sh, inputs: [b.v] }
`,
      files: { 'a.v': 'a' },
      engines: { 'fails.sh': { does: 'exit 1' } },
    });
    const pass = await runPass(workspace);
    expect(pass.problems).toEqual([]);
    expect(stageIn(pass, 'second').reason).toContain('it needs first');
  });
});

describe.concurrent('an engine that cannot be started', () => {
  it.each([
    [
      'is nowhere on PATH',
      'no-such-engine',
      'flow/unknown-engine',
      'neither no-such-engine nor vyges-no-such-engine',
    ],
    ['is not at its path', './gone.sh', 'flow/unknown-engine', 'there is no program `./gone.sh`'],
    ['is not executable', './rtl/a.v', 'engine/not-executable', 'is not an executable file'],
    ['is a folder', './rtl', 'engine/not-executable', 'is not an executable file'],
  ])('%s', async (_, engine, code, message) => {
    const { text, place } = await refusalOf(workspaceWith(`uses: ${engine}`, 'inputs: [rtl/a.v]'));
    expect(text).toContain(code);
    expect(text).toContain(message);
    expect(place).toBe('signoff.yaml:3:11');
  });

  it('has no descriptor', async () => {
    const workspace = workspaceWith('uses: ./plain.sh', 'inputs: [rtl/a.v]');
    workspace.write('plain.sh', (path) => symlinkSync('/bin/false', path));
    const { text } = await refusalOf(workspace);
    expect(text).toContain('engine/no-descriptor');
  });

  it('takes no such argument', async () => {
    const workspace = workspaceWith('uses: ./tool.sh', 'with: { defin: X }', 'inputs: [rtl/a.v]');
    const { text } = await refusalOf(workspace);
    expect(text).toContain('engine/bad-arguments parameter `defin`');
    expect(text).toContain('Did you mean `define`?');
  });

  it('takes no argument called __proto__', async () => {
    const workspace = workspaceWith(
      'uses: ./tool.sh',
      'with: { __proto__: [X] }',
      'inputs: [rtl/a.v]',
    );
    expect((await refusalOf(workspace)).text).toContain('`__proto__`');
  });

  it('a command that is nowhere', async () => {
    const workspace = workspaceWith('run: [no-such-command]', 'inputs: [rtl/a.v]');
    expect((await refusalOf(workspace)).text).toContain('no program `no-such-command` on PATH');
  });

  it('a tool of a command that is nowhere', async () => {
    const workspace = workspaceWith('run: "true"', 'tools: [no-such-tool]', 'inputs: [rtl/a.v]');
    expect((await refusalOf(workspace)).text).toContain('no program `no-such-tool` on PATH');
  });
});

describe.concurrent('a tool behind an engine', () => {
  it('that is nowhere keeps it from being started', async () => {
    const workspace = workspaceWith(
      'uses: ./tool.sh',
      'tools: [no-such-tool]',
      'inputs: [rtl/a.v]',
    );
    expect((await refusalOf(workspace)).text).toContain('no program `no-such-tool` on PATH');
  });
});

describe.concurrent('raw arguments', () => {
  it('run an engine, and no verdict is read from it', async () => {
    const workspace = workspaceWith(
      'uses: ./tool.sh',
      'with: { args: [--fast] }',
      'inputs: [rtl/a.v]',
    );
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'lint')).toMatchObject({
      status: 'blocked',
      verdict: 'unknown',
      how: 'ran',
    });
    expect(stageIn(pass, 'lint').reason).toContain('raw arguments');
  });
});

describe.concurrent('an input that cannot be read', () => {
  it.each([
    ['a FIFO', (path: string) => makeFifo(path), 'file/not-regular'],
    ['a link to itself', (path: string) => symlinkSync('loop.v', path), 'file/link-loop'],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path), 'file/'],
  ])('%s', async (_, make, code) => {
    const workspace = workspaceWith('uses: ./tool.sh', 'inputs: ["rtl/*.v"]');
    workspace.write('rtl/loop.v', make);
    const { text } = await refusalOf(workspace);
    expect(text).toContain(code);
    expect(text).toContain('rtl/loop.v');
    expect(checkPass(workspace).answer.verdict).toBe('not-proven');
  });
});

describe.concurrent('a link that leads outside the workspace', () => {
  it('counts with what it leads to', async () => {
    const workspace = workspaceWith('uses: ./tool.sh', 'inputs: ["rtl/*.v"]');
    symlinkSync('../../outside/pdk.lib', workspace.at('rtl/link.v'));
    await prove(workspace);
    workspace.write('../outside/pdk.lib', 'other\n');
    expect(statusesIn(checkPass(workspace))).toEqual({ lint: 'stale' });
  });
});

function makeFifo(path: string): void {
  execFileSync('mkfifo', [path]);
}

import { spawn } from 'node:child_process';
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assessWorkspace } from '../../src/gate/assess.ts';
import { judge } from '../../src/gate/judge.ts';
import { openWorkspace } from '../../src/gate/workspace.ts';
import {
  checkPass,
  codesIn,
  opened,
  prove,
  runPass,
  stageIn,
  statusesIn,
} from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

function reading(selector = 'rtl/**'): TestWorkspace {
  return makeWorkspace({
    flow: `stages:\n  lint: { uses: ./lint.sh, inputs: ["${selector}"] }\n`,
    files: { 'rtl/a.v': 'a\n' },
    engines: { 'lint.sh': { does: SAYS_CLEAN } },
  });
}

describe.concurrent('what cannot be an input is told by its name', () => {
  it('a socket', async () => {
    const workspace = reading();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(workspace.at('rtl/s.v'), resolve));
    const pass = await runPass(workspace);
    server.close();
    expect(codesIn(pass)).toEqual(['file/not-regular']);
    expect(pass.problems[0]?.message).toContain('rtl/s.v');
  });

  it('a name that is not UTF-8', async () => {
    const workspace = reading();
    const name = Buffer.concat([Buffer.from(`${workspace.at('rtl')}/caf`), Buffer.from([0xe9])]);
    writeFileSync(name, 'x');
    const pass = await runPass(workspace);
    rmSync(name);
    expect(codesIn(pass)).toEqual(['file/bad-name']);
    expect(workspace.startsOf('lint.sh')).toBe(0);
  });

  it('two names that differ only in case', async () => {
    const workspace = reading();
    workspace.write('rtl/A.v', 'b\n');
    const pass = await runPass(workspace);
    expect(codesIn(pass)).toEqual(['file/ambiguous-name']);
    expect(pass.problems[0]?.message).toContain('rtl/A.v and rtl/a.v');
  });

  it.skipIf(process.geteuid?.() === 0)('a file that this user may not read', async () => {
    const workspace = reading();
    workspace.write('rtl/b.v', (path) => writeFileSync(path, 'x', { mode: 0o000 }));
    expect(codesIn(await runPass(workspace))).toEqual(['file/unreadable']);
  });

  it('a folder that is a link to itself', async () => {
    const workspace = reading();
    symlinkSync('loop', workspace.at('rtl/loop'));
    expect(codesIn(await runPass(workspace))).toEqual(['file/link-loop']);
  });

  it('and when it is gone, the stage runs', async () => {
    const workspace = reading();
    symlinkSync('loop', workspace.at('rtl/loop'));
    expect((await runPass(workspace)).answer.verdict).toBe('not-proven');
    workspace.remove('rtl/loop');
    await prove(workspace);
  });
});

describe.concurrent('while something writes to an input all the time', () => {
  it.each([
    ['appends to it', 'while :; do echo x >> rtl/a.v; done'],
    ['replaces it', 'while :; do date +%N > x; mv x rtl/a.v; done'],
    // It is there nearly all the time: what is never there when somebody looks is no input.
    ['removes it and makes it anew', 'while :; do rm -f rtl/b.v; n=x$n; echo $n > rtl/b.v; done'],
  ])('nothing is proven: one that %s', async (_, does) => {
    const workspace = reading();
    workspace.engine('lint.sh', { does: `sleep 0.3; ${SAYS_CLEAN}` });
    workspace.write('rtl/large.v', 'x'.repeat(4_000_000));
    const writer = spawn('sh', ['-c', does], { cwd: workspace.root, stdio: 'ignore' });
    try {
      const pass = await runPass(workspace);
      expect(pass.answer.verdict).toBe('not-proven');
      expect(['missing', 'blocked', 'stale']).toContain(stageIn(pass, 'lint').status);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});

describe.concurrent('a workspace elsewhere', () => {
  it('is proven as it was, when it is copied with its log and evidence', async () => {
    const workspace = reading();
    workspace.edit('signoff.yaml', 'inputs:', `env: { HERE: "${workspace.root}/rtl" }, inputs:`);
    await prove(workspace);
    const copy = join(workspace.outside, 'copy');
    cpSync(workspace.root, copy, { recursive: true });
    const flow = workspace.read('signoff.yaml').replace(workspace.root, copy);
    writeFileSync(join(copy, 'signoff.yaml'), flow);
    expect(verdictIn(copy)).toBe(true);
    writeFileSync(join(copy, 'rtl/a.v'), 'b\n');
    expect(verdictIn(copy)).toBe(false);
  });

  it('is the same through a link to it', async () => {
    const workspace = reading();
    await prove(workspace);
    const link = join(workspace.outside, 'link');
    symlinkSync(workspace.root, link);
    expect(verdictIn(link)).toBe(true);
  });
});

function verdictIn(directory: string): boolean {
  const workspace = openWorkspace({
    directory,
    flowFile: undefined,
    variables: { values: {}, allows: () => true },
    searchPath: process.env['PATH'] ?? '',
  });
  if (!workspace.ok) throw new Error(JSON.stringify(workspace.error));
  const assessment = assessWorkspace(workspace.value);
  if (!assessment.ok) throw new Error(JSON.stringify(assessment.error));
  return judge(workspace.value, assessment.value, new Map()).isProven;
}

describe.concurrent('stages named like what every object has', () => {
  it('are stages like any other', async () => {
    const names = ['constructor', 'hasownproperty', 'valueof', '0', '1'];
    const workspace = makeWorkspace({
      flow: `stages:\n${names.map((name) => `  ${name}: { uses: ./lint.sh, inputs: [a.v] }\n`).join('')}`,
      files: { 'a.v': 'a' },
      engines: { 'lint.sh': { does: SAYS_CLEAN } },
    });
    const pass = await prove(workspace);
    expect(Object.keys(statusesIn(pass)).sort()).toEqual([...names].sort());
    expect(workspace.startsOf('lint.sh')).toBe(5);
    workspace.write('a.v', 'b');
    expect(Object.values(statusesIn(checkPass(workspace)))).toEqual(names.map(() => 'stale'));
    expect(opened(workspace).flow.stages).toHaveLength(5);
  });
});

describe('the folder `intent`', () => {
  it('is an input of every stage as soon as it is there', async () => {
    const workspace = reading('rtl/*');
    await prove(workspace);
    workspace.write('intent/goals.md', 'a UART\n');
    const stale = checkPass(workspace);
    expect(statusesIn(stale)).toEqual({ lint: 'stale' });
    expect(stageIn(stale, 'lint').reason).toContain('intent/goals.md was added');
    await prove(workspace);
    workspace.write('intent/goals.md', 'a UART with parity\n');
    expect(stageIn(checkPass(workspace), 'lint').reason).toContain('intent/goals.md changed');
  });
});

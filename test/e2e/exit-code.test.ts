import { spawnSync } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gate, untilTold } from '../support/cli.ts';
import { prove } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';
import { dist, node, startCli } from './built-cli.ts';

function workspaceOf(does = SAYS_CLEAN): TestWorkspace {
  return makeWorkspace({
    flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
    files: { 'a.v': 'a\n' },
    engines: { 'lint.sh': { does } },
  });
}

async function proven(): Promise<TestWorkspace> {
  const workspace = workspaceOf();
  await prove(workspace);
  expect((await gate(workspace, 'check')).status).toBe(0);
  return workspace;
}

/** Code that Node loads before the gate, as arguments of Node. */
function preload(workspace: TestWorkspace, code: string): string[] {
  const file = join(workspace.outside, 'preload.mjs');
  writeFileSync(file, code);
  return ['--import', file];
}

describe.concurrent('the exit code is 70 until an answer changes it', () => {
  it('a promise that never settles ends in 70, not in green', async () => {
    const workspace = workspaceOf('exec sleep 30');
    const first = startCli(['run'], { cwd: workspace.root });
    await untilTold(first, 'lint: run 1 starts');
    // The second gate waits for the lock, and its pause never ends: nothing is left to be done.
    const second = startCli(['run', '--json'], {
      cwd: workspace.root,
      node: preload(
        workspace,
        `import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
timers.setTimeout = () => new Promise(() => {});
syncBuiltinESMExports();`,
      ),
    });
    const { status, signal, stdout } = await second.ended;
    expect([status, signal]).toEqual([70, null]);
    expect(stdout).toBe('');
    expect(second.told()).toContain('waiting for');
    first.child.kill('SIGINT');
    await first.ended;
  });

  it.each([
    ['run', 'performance.now = () => { throw new TypeError("a bug\\n::error::of ours"); };'],
    ['check', 'Map.prototype.get = () => { throw new TypeError("a bug\\n::error::of ours"); };'],
  ])('an exception in `%s` is told as a bug, with 70', async (command, code) => {
    const workspace = await proven();
    const node = preload(workspace, `setImmediate(() => {});\n${code}`);
    const { status, stdout, stderr } = await startCli([command], { cwd: workspace.root, node })
      .ended;
    expect(status).toBe(70);
    expect(stdout).toBe('');
    expect(stderr).toContain('signoff-gate: internal error: TypeError: a bug');
    expect(stderr).not.toMatch(/^::/m);
  });

  it('an exception outside of every promise is one too', async () => {
    const workspace = await proven();
    const node = preload(
      workspace,
      'process.nextTick(() => { throw new Error("out of nowhere"); });',
    );
    const { status } = await startCli(['check'], { cwd: workspace.root, node }).ended;
    expect(status).not.toBe(0);
  });

  it.each([['check'], ['run']])(
    'a reader that goes away before `%s` has answered gets no green',
    async (command) => {
      const workspace = await proven();
      const cli = startCli([command], { cwd: workspace.root });
      cli.child.stdout.destroy();
      expect((await cli.ended).status).toBe(70);
    },
  );

  it('a reader that takes one byte of a long answer gets no green', () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `${'s'.repeat(55)}-${1000 + index}`);
    const workspace = makeWorkspace({
      flow: `stages:\n${names.map((name) => `  ${name}: { by: person, inputs: [a] }\n`).join('')}`,
    });
    const script = '"$@" | head -c 1; exit $PIPESTATUS';
    const all = spawnSync(node, [`${dist}cli.mjs`, 'status'], { cwd: workspace.root });
    expect(all.status).toBe(0);
    expect(all.stdout.length).toBeGreaterThan(70_000);
    const cut = spawnSync('bash', ['-c', script, 'bash', node, `${dist}cli.mjs`, 'status'], {
      cwd: workspace.root,
    });
    expect(cut.stdout).toHaveLength(1);
    expect(cut.status).toBe(70);
  });

  it.runIf(process.platform === 'linux')(
    'an answer that a full disk does not take is none',
    async () => {
      const workspace = await proven();
      const full = openSync('/dev/full', 'w');
      const { status } = spawnSync(node, [`${dist}cli.mjs`, 'check'], {
        cwd: workspace.root,
        stdio: ['ignore', full, 'ignore'],
      });
      expect(status).toBe(70);
    },
  );

  it('a stderr that is closed keeps nothing from being proven', async () => {
    const workspace = workspaceOf();
    const cli = startCli(['run'], { cwd: workspace.root });
    cli.child.stderr.destroy();
    const { status, stdout } = await cli.ended;
    expect(status).toBe(0);
    expect(stdout).toContain('PROVEN');
  });

  it.each([['help'], ['--version'], ['run', '--help']])(
    '`%s` is an answer, with 0',
    async (...args) => {
      const { status, stdout } = await gate(workspaceOf(), ...args);
      expect(status).toBe(0);
      expect(stdout).toContain('signoff-gate');
    },
  );
});

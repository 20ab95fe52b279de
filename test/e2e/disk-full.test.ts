import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { judged } from '../support/cli.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';
import { dist, node } from './built-cli.ts';

const LIMIT_KIB = 64;

/** Runs the gate where no file may grow beyond 64 KiB: the kernel refuses as on a full disk. */
function runOnFullDisk(workspace: TestWorkspace): {
  status: number | null;
  stdout: string;
  stderr: string;
} {
  const script = `ulimit -f ${LIMIT_KIB} && exec "$@"`;
  return spawnSync(
    'bash',
    ['-c', script, 'bash', node, `${dist}cli.mjs`, 'run', '--json', '--cache', 'off'],
    { cwd: workspace.root, encoding: 'utf8', timeout: 50_000 },
  );
}

function workspaceOf(does: string): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  synth: { uses: ./synth.sh, inputs: [a.v], outputs: [net.v] }
  timing: { uses: ./timing.sh, inputs: [net.v] }
`,
    files: { 'a.v': 'a\n', 'net.v': 'old\n' },
    engines: { 'synth.sh': { does }, 'timing.sh': { does: SAYS_CLEAN } },
  });
}

/** Fills the log with notes until so many bytes are left below the limit. */
function fillLog(workspace: TestWorkspace, left: number): void {
  const note = (text: string): string =>
    `${JSON.stringify({ ts: '2026-01-01T10:00:00Z', type: 'note', text })}\n`;
  const target = LIMIT_KIB * 1024 - left - note('').length;
  workspace.appendToLog(note('x'.repeat(target)));
}

const GOOD = `cp a.v net.v; ${SAYS_CLEAN}`;

describe.concurrent('where the disk is full', () => {
  // From no room at all, over room for a part of a record, to room for all but the last.
  it.each([0, 1, 200, 600, 900, 1500, 2200, 2800, 3300])(
    'with %i bytes left for the log, nothing is proven and nothing lost',
    async (left) => {
      const workspace = workspaceOf(GOOD);
      fillLog(workspace, left);
      const { status, stdout } = runOnFullDisk(workspace);
      expect(status).toBe(1);
      const answer = JSON.parse(stdout);
      expect(answer.verdict).toBe('not-proven');
      expect(answer.problems.map(({ code }: { code: string }) => code)).toContain(
        'log/write-failed',
      );

      // Every line of the log is whole, and the next gate takes it from there.
      expect(workspace.log().length).toBeGreaterThan(0);
      const check = await judged(workspace, 'check');
      expect(check.status).toBe(1);
      expect(['old\n', 'a\n']).toContain(workspace.read('net.v'));
      const next = await judged(workspace, 'run');
      expect(next.answer).toMatchObject({ verdict: 'proven', problems: [] });
      expect(next.status).toBe(0);
      expect(workspace.read('net.v')).toBe('a\n');
    },
  );

  it('the output of an engine that was not kept whole is no evidence', async () => {
    const workspace = workspaceOf(
      `cp a.v net.v; printf '{"clean": true, "text": "'; head -c 100000 /dev/zero | tr '\\0' x; printf '"}'`,
    );
    const { status, stdout } = runOnFullDisk(workspace);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      stages: {
        synth: { status: 'blocked', reason: expect.stringContaining('output_not_written') },
      },
    });
    expect(workspace.read('net.v')).toBe('old\n');
    expect((await judged(workspace, 'run')).status).toBe(0);
  });

  it('a run whose envelope cannot be written is none', async () => {
    // Small as the engine prints it, too large with an item on each line.
    const workspace = workspaceOf(
      `cp a.v net.v; printf '{"clean": true, "list": [1'; head -c 40000 /dev/zero | sed 's/\\x00/,1/g' | head -c 50000; printf ']}'`,
    );
    const { status, stdout } = runOnFullDisk(workspace);
    expect(status).toBe(1);
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      verdict: 'not-proven',
      stages: { synth: { status: 'blocked' } },
    });
    expect(answer.problems).toMatchObject([{ code: 'file/write-failed', stage: 'synth' }]);
    expect(workspace.read('net.v')).toBe('old\n');
    expect((await judged(workspace, 'run')).status).toBe(0);
  });

  it('an output that the engine could not write is none', async () => {
    const workspace = workspaceOf(`head -c 100000 /dev/zero > net.v || exit 1\n${SAYS_CLEAN}`);
    const { status, stdout } = runOnFullDisk(workspace);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ stages: { synth: { status: 'blocked' } } });
    expect(workspace.read('net.v')).toBe('old\n');
  });
});

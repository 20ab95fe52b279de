import { describe, expect, it } from 'vitest';
import { isAlive, onLinux } from '../process/helpers.ts';
import { judged, until, untilTold } from '../support/cli.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';
import { startCli } from './built-cli.ts';

/** Two engines that would run for a minute; one does not care for signals. */
function endless(): TestWorkspace {
  const workspace = makeWorkspace({
    flow: `stages:
  lint: { uses: ./lint.sh, inputs: [a.v], outputs: [lint.rpt] }
  stubborn: { uses: ./stubborn.sh, inputs: [a.v] }
  late: { uses: ./late.sh, inputs: [lint.rpt] }
`,
    files: { 'a.v': 'a\n', 'lint.rpt': 'old\n' },
    engines: { 'late.sh': { does: SAYS_CLEAN } },
  });
  const noted = `echo $$ >> '${workspace.outside}/pids'`;
  workspace.engine('lint.sh', {
    does: `echo half > lint.rpt\n${noted}\n${SAYS_CLEAN}\nexec sleep 60`,
  });
  workspace.engine('stubborn.sh', {
    does: `trap '' TERM INT HUP\n${noted}\n${SAYS_CLEAN}\nwhile :; do sleep 0.2; done`,
  });
  return workspace;
}

async function bothRun(workspace: TestWorkspace): Promise<void> {
  await until(() => workspace.noted('pids').length === 2);
}

describe.concurrent('a gate that is stopped', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s stops its engines and records no pass',
    async (signal) => {
      const workspace = endless();
      const cli = startCli(['run', '--json', '--concurrency', '2'], { cwd: workspace.root });
      await bothRun(workspace);
      const stopped = performance.now();
      cli.child.kill(signal);
      const { status, stdout, stderr } = await cli.ended;
      expect(performance.now() - stopped).toBeLessThan(8_000);
      expect(status).toBe(1);
      expect(stderr).toContain('stopping');
      const answer = JSON.parse(stdout);
      expect(answer).toMatchObject({
        verdict: 'not-proven',
        stages: {
          lint: { status: 'blocked', how: 'ran' },
          stubborn: { status: 'blocked', how: 'ran' },
          late: { status: 'missing', how: 'not-run' },
        },
      });
      expect(answer.problems).toMatchObject([{ code: 'gate/interrupted' }]);
      if (onLinux) expect(workspace.noted('pids').map(Number).filter(isAlive)).toEqual([]);

      expect(workspace.read('lint.rpt')).toBe('old\n');
      expect(workspace.log().filter(({ verdict }) => verdict === 'pass')).toEqual([]);
      const check = await judged(workspace, 'check');
      expect(check.status).toBe(1);
      expect(check.answer.problems).toEqual([]);
    },
  );

  it('and run again is proven', async () => {
    const workspace = endless();
    const cli = startCli(['run'], { cwd: workspace.root });
    await until(() => workspace.noted('pids').length > 0);
    cli.child.kill('SIGINT');
    expect((await cli.ended).status).toBe(1);
    for (const engine of ['lint.sh', 'stubborn.sh']) {
      workspace.engine(engine, { does: `echo new > lint.rpt.${engine}; ${SAYS_CLEAN}` });
    }
    workspace.engine('lint.sh', { does: `echo new > lint.rpt; ${SAYS_CLEAN}` });
    expect((await judged(workspace, 'run')).status).toBe(0);
  });

  it('a second time ends at once, with 70; what was open is closed by the next', async () => {
    const workspace = endless();
    const cli = startCli(['run', '--json', '--concurrency', '2'], { cwd: workspace.root });
    await bothRun(workspace);
    cli.child.kill('SIGINT');
    await untilTold(cli, 'stopping');
    cli.child.kill('SIGINT');
    const { status, stdout } = await cli.ended;
    expect(status).toBe(70);
    expect(stdout).toBe('');
    if (onLinux) {
      await until(() => !workspace.noted('pids').map(Number).some(isAlive));
    }
    const check = await judged(workspace, 'check');
    expect(check.status).toBe(1);
    expect(check.answer.verdict).toBe('not-proven');
  });
});

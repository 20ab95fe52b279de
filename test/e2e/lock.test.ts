import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judged, untilTold } from '../support/cli.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';
import { type StartedCli, startCli } from './built-cli.ts';

/** A workspace whose engine runs until a file outside it appears. */
function waiting(): TestWorkspace {
  const workspace = makeWorkspace({
    flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
    files: { 'a.v': 'a\n' },
  });
  const go = join(workspace.outside, 'go');
  workspace.engine('lint.sh', {
    does: `until [ -e '${go}' ]; do sleep 0.05; done\n${SAYS_CLEAN}`,
  });
  return workspace;
}

function letGo(workspace: TestWorkspace): void {
  writeFileSync(join(workspace.outside, 'go'), '');
}

async function started(workspace: TestWorkspace): Promise<StartedCli> {
  const cli = startCli(['run', '--json'], { cwd: workspace.root });
  await untilTold(cli, 'lint: run 1 starts');
  return cli;
}

describe.concurrent('two gates in one workspace', () => {
  it('the second waits, says for whom, and finds the work done', async () => {
    const workspace = waiting();
    const first = await started(workspace);
    const second = startCli(['run', '--json'], { cwd: workspace.root });
    await untilTold(second, 'waiting for');
    expect(second.told()).toMatch(
      new RegExp(`waiting for signoff-gate run, process ${first.child.pid} on \\S+, since \\d{4}-`),
    );
    letGo(workspace);
    const [one, other] = await Promise.all([first.ended, second.ended]);
    expect([one.status, other.status]).toEqual([0, 0]);
    expect(JSON.parse(one.stdout)).toMatchObject({ verdict: 'proven', counts: { ran: 1 } });
    expect(JSON.parse(other.stdout)).toMatchObject({
      verdict: 'proven',
      counts: { ran: 0, reused: 1 },
    });
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });

  it('the second gives up after --lock-wait, with 1', async () => {
    const workspace = waiting();
    const first = await started(workspace);
    const second = await startCli(['run', '--json', '--lock-wait', '0.2'], { cwd: workspace.root })
      .ended;
    expect(second.status).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({
      ok: false,
      problems: [
        { code: 'log/lock-held', message: expect.stringContaining(`process ${first.child.pid}`) },
      ],
    });
    letGo(workspace);
    expect((await first.ended).status).toBe(0);
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });

  it('a question is answered meanwhile, and nothing is proven', async () => {
    const workspace = waiting();
    const first = await started(workspace);
    const { status, answer } = await judged(workspace, 'check');
    expect(status).toBe(1);
    expect(answer).toMatchObject({
      verdict: 'not-proven',
      stages: { lint: { status: 'in-flight' } },
    });
    letGo(workspace);
    expect((await first.ended).status).toBe(0);
    expect((await judged(workspace, 'check')).status).toBe(0);
  });

  it('the second takes over when the first is killed', async () => {
    const workspace = waiting();
    const first = await started(workspace);
    const second = startCli(['run', '--json'], { cwd: workspace.root });
    await untilTold(second, 'waiting for');
    letGo(workspace);
    first.child.kill('SIGKILL');
    await first.ended;
    const { status, stdout, stderr } = await second.ended;
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'proven' });
    expect(stderr.includes('was abandoned') || workspace.startsOf('lint.sh') === 1).toBe(true);
  });

  it('Ctrl-C ends the waiting of the second and nothing of the first', async () => {
    const workspace = waiting();
    const first = await started(workspace);
    const second = startCli(['run', '--json'], { cwd: workspace.root });
    await untilTold(second, 'waiting for');
    second.child.kill('SIGINT');
    const { status, stdout } = await second.ended;
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      problems: [{ code: 'gate/interrupted' }],
    });
    letGo(workspace);
    expect((await first.ended).status).toBe(0);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isAlive, onLinux } from '../process/helpers.ts';
import { judged } from '../support/cli.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';
import { startCli } from './built-cli.ts';

/** Three stages that write half of their outputs, wait, and then write the whole. */
function slowWriters(): TestWorkspace {
  const workspace = makeWorkspace({
    flow: `stages:
  synth: { uses: ./synth.sh, inputs: [a.v], outputs: [net.v, reports/] }
  timing: { uses: ./timing.sh, inputs: [net.v], outputs: [timing.rpt] }
  docs: { uses: ./docs.sh, inputs: [a.v], outputs: [docs.html] }
`,
  });
  const noted = `echo $$ >> '${workspace.outside}/pids'`;
  workspace.engine('synth.sh', {
    does: `${noted}
echo half > net.v; sleep 0.08; mkdir reports; echo half > reports/area
sleep 0.08; cp a.v net.v; cp a.v reports/area; ${SAYS_CLEAN}`,
  });
  workspace.engine('timing.sh', {
    does: `${noted}\necho half > timing.rpt; sleep 0.1; cp net.v timing.rpt; ${SAYS_CLEAN}`,
  });
  workspace.engine('docs.sh', {
    does: `${noted}\necho half > docs.html; sleep 0.1; cp a.v docs.html; ${SAYS_CLEAN}`,
  });
  return workspace;
}

const OUTPUTS = ['net.v', 'reports/area', 'timing.rpt', 'docs.html'];

function outputsOf(workspace: TestWorkspace): string[] {
  return OUTPUTS.map((path) => (workspace.has(path) ? workspace.read(path) : 'absent'));
}

async function runToEnd(workspace: TestWorkspace): Promise<void> {
  const { status, answer } = await judged(workspace, 'run');
  expect(answer).toMatchObject({ verdict: 'proven', problems: [] });
  expect(status).toBe(0);
}

describe.concurrent('a gate that is killed', () => {
  // Each kills in its own part of the time that a whole run takes.
  it.each([0, 1, 2])(
    'at any moment leaves nothing that could pass for a proof: part %i of 3',
    async (part) => {
      const workspace = slowWriters();
      workspace.write('a.v', 'version 0\n');
      const started = performance.now();
      await runToEnd(workspace);
      const whole = performance.now() - started;
      let killed = 0;

      for (let kill = 0; kill < 5; kill++) {
        const text = `version ${kill + 1}\n`;
        workspace.write('a.v', text);
        const cli = startCli(['run'], { cwd: workspace.root });
        await sleep((whole * (part + kill * 3)) / 14);
        cli.child.kill('SIGKILL');
        const { status } = await cli.ended;
        if (status === null) killed++;

        const { status: checked, answer } = await judged(workspace, 'check');
        if (answer.verdict === 'proven') {
          // It came to its end first: then everything is there, and of this version.
          expect(outputsOf(workspace)).toEqual(OUTPUTS.map(() => text));
          expect(checked).toBe(0);
        } else {
          expect(checked).toBe(1);
        }

        await runToEnd(workspace);
        expect(outputsOf(workspace)).toEqual(OUTPUTS.map(() => text));
        expect((await judged(workspace, 'check')).status).toBe(0);
        if (onLinux) expect(workspace.noted('pids').map(Number).filter(isAlive)).toEqual([]);
        const open = openRuns(workspace);
        expect(open).toEqual([]);
      }
      expect(killed).toBeGreaterThan(0);
    },
    180_000,
  );
});

/** Runs that were started and have no outcome. */
function openRuns(workspace: TestWorkspace): string[] {
  const log = workspace.log();
  const ended = log
    .filter(({ type }) => type === 'outcome')
    .map(({ rule, run }) => `${rule} ${run}`);
  const begun = log
    .filter(({ type }) => type === 'dispatch')
    .map(({ rule, run }) => `${rule} ${run}`);
  expect(new Set(begun).size).toBe(begun.length);
  return begun.filter((run) => !ended.includes(run));
}

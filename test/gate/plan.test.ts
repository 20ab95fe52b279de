import { describe, expect, it } from 'vitest';
import { assessWorkspace } from '../../src/gate/assess.ts';
import { planPass } from '../../src/gate/plan.ts';
import { planAnswer } from '../../src/report/answers.ts';
import { opened, prove, runPass } from '../support/gate.ts';
import { judges, makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

function chain(): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  lint: { uses: ./lint.sh, inputs: [a.v] }
  synth: { uses: ./synth.sh, inputs: [a.v], outputs: [net.v] }
  timing: { uses: ./timing.sh, inputs: [net.v] }
  review: { by: person, inputs: [net.v] }
`,
    files: { 'a.v': 'a\n' },
    engines: {
      'lint.sh': { does: judges('a.v') },
      'synth.sh': { does: `cp a.v net.v; ${SAYS_CLEAN}` },
      'timing.sh': { does: judges('net.v') },
    },
  });
}

function planOf(workspace: TestWorkspace): Record<string, string> {
  const assessment = assessWorkspace(opened(workspace));
  if (!assessment.ok) throw new Error(JSON.stringify(assessment.error));
  const whole = { workspace: 'ws', flow: 'flow', problems: assessment.value.problems };
  const answer = planAnswer(whole, planPass(assessment.value.stages));
  expect(JSON.stringify(answer)).not.toMatch(/proven/i);
  return Object.fromEntries(
    Object.entries(answer.stages).map(([name, { action }]) => [name, action]),
  );
}

/** What a pass does about each stage, in the words of a plan. */
async function deedsOf(workspace: TestWorkspace): Promise<string[]> {
  const pass = await runPass(workspace);
  return pass.events
    .flatMap((event) => (event.kind === 'stage-started' ? [event.stage] : []))
    .sort();
}

describe.concurrent('a plan says what a pass will do', () => {
  it('where nothing has been run', async () => {
    const workspace = chain();
    expect(planOf(workspace)).toEqual({
      lint: 'run',
      synth: 'run',
      timing: 'run',
      review: 'judge',
    });
    expect(workspace.startsOf('lint.sh')).toBe(0);
    expect(await deedsOf(workspace)).toEqual(['lint', 'synth', 'timing']);
  });

  it('where everything holds', async () => {
    const workspace = chain();
    await runPass(workspace);
    expect(planOf(workspace)).toEqual({
      lint: 'reuse',
      synth: 'reuse',
      timing: 'reuse',
      review: 'judge',
    });
    expect(await deedsOf(workspace)).toEqual([]);
  });

  it('where a source changed: what comes after runs only if the bytes between change', async () => {
    const workspace = chain();
    await runPass(workspace);
    workspace.write('a.v', 'b\n');
    expect(planOf(workspace)).toMatchObject({
      lint: 'run',
      synth: 'run',
      timing: 'run-if-changed',
    });
    expect(await deedsOf(workspace)).toEqual(['lint', 'synth', 'timing']);
  });

  it('where a stage failed: it is reused, and what needs it is held', async () => {
    const workspace = chain();
    workspace.engine('synth.sh', { does: `cp a.v net.v; ${judges('a.v')}` });
    workspace.write('a.v', 'BUG\n');
    await runPass(workspace);
    expect(planOf(workspace)).toMatchObject({
      lint: 'reuse-failed',
      synth: 'reuse-failed',
      timing: 'held',
    });
    expect(await deedsOf(workspace)).toEqual([]);
  });

  it('where a run reached no conclusion: it is tried again', async () => {
    const workspace = chain();
    workspace.engine('lint.sh', { does: 'exit 1' });
    await runPass(workspace);
    expect(planOf(workspace)).toMatchObject({ lint: 'run', synth: 'reuse' });
    expect(await deedsOf(workspace)).toEqual(['lint']);
  });

  it('where nothing is bound to files', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: none }\n',
      engines: { 'lint.sh': { does: SAYS_CLEAN } },
    });
    await prove(workspace);
    expect(planOf(workspace)).toEqual({ lint: 'run' });
  });
});

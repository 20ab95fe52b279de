import { describe, expect, it } from 'vitest';
import { checkPass, prove, runPass, stageIn, statusesIn } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** An engine that does something to the workspace, or beside it, while it runs. */
function meddling(does: string): TestWorkspace {
  const workspace = makeWorkspace({
    files: { 'rtl/a.v': 'first\n', 'rtl/b.v': 'first\n' },
    engines: { 'tool.sh': { does: SAYS_CLEAN } },
  });
  workspace.write('../outside/cells.lib', 'cells\n');
  workspace.write(
    'signoff.yaml',
    `stages:
  synth:
    uses: ./synth.sh
    inputs: [rtl/**]
    outputs: [net.v]
    external: { cells: "${workspace.outside}/*.lib" }
  docs: { uses: ./tool.sh, inputs: [rtl/a.v], after: [synth] }
`,
  );
  workspace.engine('synth.sh', {
    does: `cat rtl/*.v > net.v\n${does.replaceAll('OUTSIDE', workspace.outside)}\n${SAYS_CLEAN}`,
  });
  return workspace;
}

describe.concurrent('what changed while an engine ran was not what it judged', () => {
  it.each([
    ['an input', 'echo second > rtl/a.v', 'rtl/a.v changed while synth ran'],
    ['the size of an input', ': > rtl/b.v', 'rtl/b.v changed while synth ran'],
    ['an input that is gone', 'rm rtl/b.v', 'rtl/b.v changed while synth ran'],
    ['an input that came', 'echo new > rtl/c.v', 'rtl/c.v changed while synth ran'],
    [
      'an input that was replaced by a link',
      'mv rtl/a.v x.v; ln -s ../x.v rtl/a.v',
      'rtl/a.v changed',
    ],
    ['an external', 'echo more >> OUTSIDE/cells.lib', 'cells/cells.lib changed while synth ran'],
    [
      'an external that came',
      'echo new > OUTSIDE/slow.lib',
      'cells/slow.lib changed while synth ran',
    ],
    ['an external that is gone', 'rm OUTSIDE/cells.lib', 'cells/cells.lib changed while synth ran'],
    ['the engine itself', 'echo : >> synth.sh', './synth.sh changed while synth ran'],
    ['the engine that removes itself', 'rm "$0"', './synth.sh changed while synth ran'],
    ['a FIFO under a selector', 'mkfifo rtl/pipe', 'changed while synth ran'],
    ['a folder that is no folder any more', 'rm -r rtl; echo x > rtl', 'changed while synth ran'],
  ])('%s', async (_, does, reason) => {
    const workspace = meddling(does);
    const pass = await runPass(workspace);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(stageIn(pass, 'synth')).toMatchObject({ status: 'blocked', verdict: 'unknown' });
    expect(stageIn(pass, 'synth').reason).toContain(reason);
    expect(workspace.outcome('synth')).toMatchObject({
      verdict: 'blocked',
      reason: 'changed_during_run',
    });
    expect(workspace.has('net.v')).toBe(false);
    expect(statusesIn(checkPass(workspace))).toMatchObject({ synth: 'blocked' });
  });

  it('but an input that was only touched is the same', async () => {
    const workspace = meddling('sleep 0.02; touch rtl/a.v; cp rtl/b.v x; mv x rtl/b.v');
    await prove(workspace);
  });

  it('nor is a file that no selector matches anybody\u2019s input', async () => {
    await prove(meddling('echo notes > notes.txt'));
  });

  it('and the stage is run again when nothing meddles any more', async () => {
    const workspace = meddling('echo second > rtl/a.v');
    await runPass(workspace);
    workspace.engine('synth.sh', { does: `cat rtl/*.v > net.v\n${SAYS_CLEAN}` });
    await prove(workspace);
    expect(workspace.startsOf('synth.sh')).toBe(2);
  });
});

describe.concurrent('a source that is edited while the pass goes on', () => {
  it('ends what was concluded before, although nothing of it ran meanwhile', async () => {
    const workspace = meddling(':');
    const pass = await runPass(workspace, {
      concurrency: 1,
      onEvent: (event) => {
        if (event.kind === 'stage-finished' && event.stage === 'docs') {
          workspace.write('rtl/b.v', 'edited\n');
        }
      },
    });
    expect(statusesIn(pass)).toEqual({ synth: 'stale', docs: 'valid' });
    expect(pass.answer.verdict).toBe('not-proven');
  });
});

import { describe, expect, it } from 'vitest';
import { gate, pictureOf } from '../support/cli.ts';
import { prove, runPass } from '../support/gate.ts';
import { judges, makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

const QUESTIONS = [['check'], ['status'], ['plan'], ['explain', 'lint'], ['check', '--json']];

function workspaceOf(): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  lint: { uses: ./lint.sh, inputs: [a.v], outputs: [lint.rpt] }
  free: { uses: ./free.sh, inputs: none }
  late: { uses: ./lint.sh, inputs: [lint.rpt] }
`,
    files: { 'a.v': 'a\n' },
    engines: {
      'lint.sh': { does: `cp a.v lint.rpt\n${judges('a.v')}` },
      'free.sh': { does: SAYS_CLEAN },
    },
  });
}

const SITUATIONS: Readonly<Record<string, (workspace: TestWorkspace) => Promise<void> | void>> = {
  'nothing was run': () => {},
  'all was run': async (workspace) => void (await runPass(workspace)),
  'a source changed': async (workspace) => {
    await runPass(workspace);
    workspace.write('a.v', 'b\n');
  },
  'an output and an envelope are gone': async (workspace) => {
    await runPass(workspace);
    workspace.remove('lint.rpt');
    workspace.remove('.signoff/runs/free/1/envelope.json');
  },
  'a run was abandoned and the log is cut': async (workspace) => {
    await runPass(workspace);
    workspace.write('.signoff/runs/lint/2/aside/lint.rpt', 'old');
    workspace.appendToLog(
      '{"ts":"2026-01-01T10:00:00Z","type":"dispatch","rule":"lint","run":2,"workdir":"x","params":{}}\n{"ts',
    );
  },
};

describe.concurrent('a question changes nothing and starts nothing', () => {
  it.each(Object.keys(SITUATIONS))('when %s', async (situation) => {
    const workspace = workspaceOf();
    await SITUATIONS[situation]?.(workspace);
    const starts = workspace.noted('starts').length;
    const before = pictureOf(workspace.root);
    for (const question of QUESTIONS) {
      const { status, stdout } = await gate(workspace, ...question);
      expect(status).toBe(question[0] === 'check' ? 1 : 0);
      expect(stdout).not.toBe('');
      expect(pictureOf(workspace.root)).toEqual(before);
    }
    expect(workspace.noted('starts')).toHaveLength(starts);
  });
});

it('a judgement that is proven is asked for without leaving a trace too', async () => {
  const workspace = makeWorkspace({
    flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
    files: { 'a.v': 'a\n' },
    engines: { 'lint.sh': { does: SAYS_CLEAN } },
  });
  await prove(workspace);
  const before = pictureOf(workspace.root);
  expect((await gate(workspace, 'check')).status).toBe(0);
  expect(pictureOf(workspace.root)).toEqual(before);
  expect(workspace.startsOf('lint.sh')).toBe(1);
});

it('an engine that is not here is told, and what it once proved can be judged all the same', async () => {
  const workspace = makeWorkspace({
    flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
    files: { 'a.v': 'a\n' },
    engines: { 'lint.sh': { does: SAYS_CLEAN } },
  });
  await prove(workspace);
  workspace.remove('lint.sh');
  for (const question of [['check'], ['status'], ['plan'], ['explain', 'lint']]) {
    const { status, stderr } = await gate(workspace, ...question);
    expect(status).toBe(0);
    expect(stderr).toContain('stage lint could not be run here: there is no program `./lint.sh`');
  }
});

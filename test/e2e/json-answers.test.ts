import { beforeAll, describe, expect, it } from 'vitest';
import {
  validateAnswerEngines,
  validateAnswerExplain,
  validateAnswerJudgement,
  validateAnswerPlan,
  validateAnswerStatus,
  validateLoomResult,
  validateToolDescriptor,
} from '../../src/generated/validators.js';
import { documentIn, gate, judged } from '../support/cli.ts';
import { runPass } from '../support/gate.ts';
import { judges, makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

const FLOW = `name: answers
stages:
  lint:
    uses: ./lint.sh
    with: { file: a.v }
    inputs: [a.v]
    floors: { checked: { min: 1 } }
  synth: { run: cp a.v net.v, inputs: [a.v], outputs: [net.v], evidence: exit-code }
  timing: { uses: ./timing.sh, inputs: [net.v] }
  later: { uses: ./timing.sh, inputs: [timing.rpt, { glob: none.v, optional: true }] }
  review: { by: person, inputs: [a.v] }
`;

function workspaceOf(): TestWorkspace {
  return makeWorkspace({
    flow: FLOW,
    files: { 'a.v': 'a\n' },
    engines: {
      'lint.sh': { does: judges('a.v') },
      'timing.sh': { does: 'exit 1' },
    },
  });
}

/** What may lie in a workspace when a question is asked. */
const SITUATIONS: Readonly<Record<string, (workspace: TestWorkspace) => Promise<void> | void>> = {
  'nothing was run': () => {},
  'some passed and some are blocked': async (workspace) => {
    await runPass(workspace);
  },
  'one failed and its inputs changed': async (workspace) => {
    workspace.write('a.v', 'BUG\n');
    await runPass(workspace);
    workspace.write('a.v', 'fine\n');
  },
  'evidence is gone and inputs are strange': async (workspace) => {
    await runPass(workspace);
    workspace.remove('.signoff/runs/lint/1/envelope.json');
    workspace.remove('a.v');
    workspace.write('a.v/b', 'a folder');
  },
  'the log has anomalies': async (workspace) => {
    await runPass(workspace);
    workspace.rewriteLog((event) => [event, event]);
    workspace.appendToLog('{"ts"');
  },
};

describe.each(Object.keys(SITUATIONS))('when %s', (situation) => {
  let workspace: TestWorkspace;
  beforeAll(async () => {
    workspace = workspaceOf();
    await SITUATIONS[situation]?.(workspace);
  });

  it.concurrent('check prints one judgement', async () => {
    const { status, answer } = await judged(workspace, 'check');
    expect([1, 2]).toContain(status);
    expect(answer).toMatchObject({ flow: 'answers', verdict: 'not-proven' });
    expect(Object.keys(answer.stages).sort()).toEqual([
      'later',
      'lint',
      'review',
      'synth',
      'timing',
    ]);
  });

  it.concurrent('status prints one status', async () => {
    const { status, stdout } = await gate(workspace, 'status', '--json');
    expect(status).toBe(0);
    const answer = documentIn(stdout, validateAnswerStatus);
    expect(answer.signed_off).toBe(false);
    expect(Object.keys(answer.stages)).toHaveLength(5);
  });

  it.concurrent('plan prints one plan, which never says proven', async () => {
    const { status, stdout } = await gate(workspace, 'plan', '--json');
    expect(status).toBe(0);
    expect(Object.keys(documentIn(stdout, validateAnswerPlan).stages)).toHaveLength(5);
    expect(stdout).not.toMatch(/proven/i);
    expect((await gate(workspace, 'plan')).stdout).not.toMatch(/proven/i);
  });

  it.concurrent.each(['lint', 'synth', 'timing', 'later', 'review'])(
    'explain %s prints one',
    async (stage) => {
      const { status, stdout } = await gate(workspace, 'explain', stage, '--json');
      expect(status).toBe(0);
      expect(documentIn(stdout, validateAnswerExplain)).toMatchObject({ stage });
    },
  );
});

describe.concurrent('run', () => {
  it('prints one judgement, whatever it is', async () => {
    const workspace = workspaceOf();
    const first = await judged(workspace, 'run');
    expect(first.status).toBe(2);
    expect(first.answer.problems).toMatchObject([{ code: 'flow/dead-selector', line: 10 }]);
    workspace.write('timing.rpt', 'x');
    const second = await judged(workspace, 'run');
    expect(second.status).toBe(1);
    expect(second.answer.counts).toMatchObject({ stages: 5, proven: 2, reused: 2 });
  });

  it('prints one judgement that says proven, and exits 0', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
      files: { 'a.v': 'a\n' },
      engines: { 'lint.sh': { does: SAYS_CLEAN } },
    });
    const { status, stdout } = await gate(workspace, 'run', '--json');
    expect(status).toBe(0);
    const answer = documentIn(stdout, validateAnswerJudgement);
    expect(answer).toMatchObject({
      workspace: '.',
      verdict: 'proven',
      counts: { ran: 1, proven: 1 },
    });
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });

  it('says the same to people', async () => {
    const workspace = makeWorkspace({
      flow: 'name: uart\nstages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
      files: { 'a.v': 'BUG\n' },
      engines: { 'lint.sh': { does: judges('a.v') } },
    });
    const red = await gate(workspace, 'run');
    expect(red.status).toBe(1);
    expect(red.stdout).toMatch(/^NOT PROVEN: uart, 0 of 1 stages valid$/m);
    workspace.write('a.v', 'fine\n');
    const green = await gate(workspace, 'run');
    expect(green.status).toBe(0);
    expect(green.stdout).toMatch(/^PROVEN: uart, 1 of 1 stages valid$/m);
  });
});

describe.concurrent('engine', () => {
  it('list prints one list of the engines of the flow', async () => {
    const { status, stdout } = await gate(workspaceOf(), 'engine', 'list', '--json');
    expect(status).toBe(0);
    const { engines } = documentIn(stdout, validateAnswerEngines);
    expect(engines).toMatchObject([
      {
        uses: './lint.sh',
        name: 'tiny',
        version: '1.0.0',
        maturity: 'structured',
        assertion: 'clean',
      },
      { uses: './timing.sh' },
    ]);
  });

  it('list tells of one that is not there or says nothing', async () => {
    const workspace = workspaceOf();
    workspace.write('silent.sh', '#!/bin/sh\nexit 1\n');
    const names = ['no-such-engine', './silent.sh', './a.v'];
    const { status, stdout } = await gate(workspace, 'engine', 'list', ...names, '--json');
    expect(status).toBe(0);
    for (const engine of documentIn(stdout, validateAnswerEngines).engines) {
      expect(engine).toMatchObject({
        contract: 'none',
        assertion: null,
        problem: expect.any(String),
      });
    }
  });

  it('describe prints the descriptor', async () => {
    const { status, stdout } = await gate(
      workspaceOf(),
      'engine',
      'describe',
      './lint.sh',
      '--json',
    );
    expect(status).toBe(0);
    expect(documentIn(stdout, validateToolDescriptor)).toMatchObject({ name: 'tiny' });
  });

  it.each([
    ['a pass', 'fine\n', 0, { status: 'ok', engineering: { status: 'pass' } }],
    ['a fail', 'BUG\n', 1, { status: 'ok', engineering: { status: 'fail' } }],
  ])('run prints one envelope: %s', async (_, source, exitCode, expected) => {
    const workspace = workspaceOf();
    workspace.write('a.v', source);
    const { status, stdout } = await gate(
      workspace,
      'engine',
      'run',
      './lint.sh',
      '-i',
      'file=a.v',
    );
    expect(status).toBe(exitCode);
    expect(documentIn(stdout, validateLoomResult)).toMatchObject(expected);
    expect(workspace.has('events.jsonl')).toBe(false);
  });

  it.each([
    ['is not there', ['no-such-engine'], 'engine_not_found'],
    ['is not executable', ['./a.v'], 'engine_not_executable'],
    ['exits with an error', ['./timing.sh'], 'engine_nonzero'],
    ['takes no such argument', ['./lint.sh', '-i', 'colour=red'], 'invalid_arguments'],
    ['does not end', ['./slow.sh', '--timeout-minutes', '0.005'], 'engine_timeout'],
  ])('run prints one envelope of an engine that %s', async (_, args, code) => {
    const workspace = workspaceOf();
    workspace.engine('slow.sh', { does: 'exec sleep 60' });
    const { status, stdout } = await gate(workspace, 'engine', 'run', ...args, '--json');
    expect(status).toBe(1);
    expect(documentIn(stdout, validateLoomResult)).toMatchObject({
      status: 'error',
      engineering: { status: 'unknown', assertion: null },
      error: { code },
    });
  });
});

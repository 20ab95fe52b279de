import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isAlive, onLinux } from '../process/helpers.ts';
import { checkPass, prove, runPass, stageIn, statusesIn } from '../support/gate.ts';
import {
  type LogLine,
  makeWorkspace,
  SAYS_CLEAN,
  type TestWorkspace,
} from '../support/workspace.ts';

const FLOW = 'stages:\n  synth: { uses: ./synth.sh, inputs: [a.v], outputs: [net.v] }\n';
const MARKER = '0b8d2c6e-6b0d-4b6e-9d0a-5a1f0e8c7d11';

function dispatch(run: number): LogLine {
  const workdir = `.signoff/runs/synth/${run}`;
  return {
    ts: '2026-01-01T10:00:00.000Z',
    type: 'dispatch',
    rule: 'synth',
    run,
    workdir,
    params: {},
  };
}

/** A workspace as a gate leaves it that is killed while an engine writes. */
async function abandoned(): Promise<TestWorkspace> {
  const workspace = makeWorkspace({
    flow: FLOW,
    files: { 'a.v': 'a\n' },
    engines: { 'synth.sh': { does: `cp a.v net.v; ${SAYS_CLEAN}` } },
  });
  await prove(workspace);
  workspace.appendToLog(`${JSON.stringify(dispatch(2))}\n`);
  workspace.write('.signoff/runs/synth/2/marker', MARKER);
  workspace.write('.signoff/runs/synth/2/aside/net.v', workspace.read('net.v'));
  workspace.write('net.v', 'half');
  return workspace;
}

describe.concurrent('a run that a killed gate left open', () => {
  it('is not proven for a reader, and left alone by it', async () => {
    const workspace = await abandoned();
    const log = workspace.read('events.jsonl');
    const pass = checkPass(workspace);
    expect(statusesIn(pass)).toEqual({ synth: 'in-flight' });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(workspace.read('net.v')).toBe('half');
    expect(workspace.read('events.jsonl')).toBe(log);
  });

  it('is closed by the next gate, and the old outputs come back before anything runs', async () => {
    const workspace = await abandoned();
    const seen: string[] = [];
    const pass = await runPass(workspace, {
      onEvent: (event) => event.kind === 'notice' && seen.push(workspace.read('net.v')),
    });
    expect(seen).toEqual(['a\n']);
    expect(workspace.log()[3]).toMatchObject({
      type: 'outcome',
      run: 2,
      verdict: 'blocked',
      reason: 'abandoned',
    });
    expect(stageIn(pass, 'synth')).toMatchObject({ status: 'valid', how: 'ran', run: 3 });
    expect(pass.answer).toMatchObject({ verdict: 'proven', problems: [] });
  });

  it('is closed also when its stage is not asked for', async () => {
    const workspace = await abandoned();
    workspace.write('signoff.yaml', `${FLOW}  lint: { uses: ./synth.sh, inputs: [a.v] }\n`);
    const pass = await runPass(workspace, { only: ['lint'] });
    expect(statusesIn(pass)).toMatchObject({ synth: 'blocked' });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(workspace.read('net.v')).toBe('a\n');
  });

  it.runIf(onLinux)('ends its processes, which could write for a long time to come', async () => {
    const workspace = await abandoned();
    const stray = spawn('sleep', ['60'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, SIGNOFF_GATE_RUN: MARKER },
    });
    await once(stray, 'spawn');
    const ended = once(stray, 'exit');
    expect((await runPass(workspace)).answer.verdict).toBe('proven');
    const [, signal] = await ended;
    expect(signal).toBe('SIGKILL');
    expect(stray.pid !== undefined && isAlive(stray.pid)).toBe(false);
  });

  it('whose folder was never made is closed all the same', async () => {
    const workspace = await abandoned();
    workspace.remove('.signoff/runs/synth/2');
    workspace.write('net.v', 'a\n');
    const pass = await runPass(workspace);
    expect(pass.answer.verdict).toBe('proven');
    expect(stageIn(pass, 'synth').run).toBe(3);
  });

  it('whose number stands in the folder and not in the log is not used again', async () => {
    const workspace = await abandoned();
    workspace.rewriteLog((event, index) => (index < 2 ? [event] : []));
    workspace.write('a.v', 'b\n');
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'synth')).toMatchObject({ status: 'valid', run: 3 });
  });

  it('by a person is not closed: that is not the gate\u2019s to do', async () => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  synth: { by: person, inputs: [a.v] }\n',
      files: { 'a.v': 'a\n' },
    });
    workspace.appendToLog(`${JSON.stringify(dispatch(1))}\n`);
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ synth: 'in-flight' });
    expect(workspace.log()).toHaveLength(1);
  });
});

describe.concurrent('a gate that was killed after the record and before the old outputs were dropped', () => {
  it('leaves nothing that could come back later', async () => {
    const workspace = makeWorkspace({
      flow: FLOW,
      files: { 'a.v': 'a\n' },
      engines: { 'synth.sh': { does: `cp a.v net.v; ${SAYS_CLEAN}` } },
    });
    await prove(workspace);
    workspace.write('.signoff/runs/synth/1/aside/net.v', 'older\n');
    expect((await runPass(workspace)).answer.verdict).toBe('proven');
    expect(workspace.has('.signoff/runs/synth/1/aside')).toBe(false);
    expect(workspace.read('net.v')).toBe('a\n');
  });
});

describe.concurrent('a last line that was cut short', () => {
  it('is set aside by the next gate, with a record, and its stage runs again', async () => {
    const workspace = makeWorkspace({
      flow: FLOW,
      files: { 'a.v': 'a\n' },
      engines: { 'synth.sh': { does: `cp a.v net.v; ${SAYS_CLEAN}` } },
    });
    await prove(workspace);
    const log = workspace.read('events.jsonl');
    workspace.write('events.jsonl', log.slice(0, -40));
    const check = checkPass(workspace);
    expect(check.answer.verdict).toBe('not-proven');
    expect(check.problems).toMatchObject([{ code: 'log/torn-tail', at: { line: 2 } }]);

    const pass = await runPass(workspace);
    expect(pass.answer).toMatchObject({ verdict: 'proven', problems: [] });
    expect(stageIn(pass, 'synth')).toMatchObject({ how: 'ran', run: 2 });
    const torn = workspace.log().find(({ type }) => type === 'torn-tail');
    expect(workspace.read(String(torn?.['kept']))).toBe(log.split('\n')[1]?.slice(0, -39));
  });
});

import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkPass, codesIn, runPass, stageIn, statusesIn } from '../support/gate.ts';
import { scratchFolder } from '../support/scratch.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** Two stages, of which the second does something to what is the gate's own. */
function meddling(does: string): TestWorkspace {
  return makeWorkspace({
    flow: `stages:
  first: { uses: ./first.sh, inputs: [a.v], outputs: [first.rpt] }
  second: { uses: ./second.sh, inputs: [a.v], outputs: [second.rpt], after: [first] }
`,
    files: { 'a.v': 'a\n', 'second.rpt': 'old\n' },
    engines: {
      'first.sh': { does: `echo new > first.rpt; ${SAYS_CLEAN}` },
      'second.sh': { does: `echo new > second.rpt\n${does}\n${SAYS_CLEAN}` },
    },
  });
}

const NOTE = `echo '{"ts":"2026-01-01T10:00:00Z","type":"note"}'`;

it('an engine that edits the flow proves nothing: what was judged is not what is there', async () => {
  const pass = await runPass(meddling('echo "# edited" >> signoff.yaml'));
  expect(pass.answer.verdict).toBe('not-proven');
  expect(codesIn(pass)).toContain('file/changed-while-read');
});

it('evidence is not kept behind a link that leads out of the workspace', async () => {
  const workspace = meddling('');
  const outside = scratchFolder();
  mkdirSync(workspace.at('.signoff'));
  symlinkSync(outside, workspace.at('.signoff/runs'));
  const pass = await runPass(workspace);
  expect(pass.answer.verdict).toBe('not-proven');
  expect(codesIn(pass)).toContain('file/link-outside');
  expect(readdirSync(outside)).toEqual([]);
});

describe.concurrent('an engine that lays hands on what is the gate\u2019s own proves nothing', () => {
  it.each([
    ['adds a line to the log', `${NOTE} >> events.jsonl`, 'log/write-failed'],
    ['adds half a line to the log', 'printf half >> events.jsonl', 'log/write-failed'],
    ['empties the log', ': > events.jsonl', 'log/write-failed'],
    ['puts another log in its place', `${NOTE} > x; mv x events.jsonl`, 'log/write-failed'],
    ['removes the log', 'rm events.jsonl', 'log/write-failed'],
    ['removes the lock', 'rm .signoff/lock', 'log/write-failed'],
    ['removes the folder of the gate', 'rm -r .signoff', 'file/write-failed'],
    ['removes its own run', 'rm -r .signoff/runs/second', 'file/write-failed'],
    [
      'writes its own envelope first',
      'cp .signoff/runs/first/1/envelope.json .signoff/runs/second/1/envelope.json.part',
      'file/write-failed',
    ],
  ])('one that %s', async (_, does, code) => {
    const workspace = meddling(does);
    const pass = await runPass(workspace).catch((cause: unknown) => String(cause));
    // A log that cannot be read any more gives no judgement at all.
    if (typeof pass === 'string') {
      expect(pass).toContain('log/');
      return;
    }
    expect(pass.answer.verdict).toBe('not-proven');
    expect(codesIn(pass)).toContain(code);
    expect(stageIn(pass, 'second').status).not.toBe('valid');
    // The old outputs wait in the folder of the run: who removes that removes them.
    if (workspace.has('.signoff/runs/second')) expect(workspace.read('second.rpt')).toBe('old\n');
  });

  it('one that rewrites the evidence of another', async () => {
    const workspace = meddling('echo "{}" > .signoff/runs/first/1/envelope.json');
    const pass = await runPass(workspace);
    expect(statusesIn(pass)).toEqual({ first: 'stale', second: 'valid' });
    expect(checkPass(workspace).answer.verdict).toBe('not-proven');
  });

  it('one that brings its old outputs back itself', async () => {
    const workspace = meddling('mv .signoff/runs/second/1/aside/second.rpt second.rpt');
    const pass = await runPass(workspace);
    // It says that it wrote them: then they count with the bytes that they have.
    expect(workspace.read('second.rpt')).toBe('old\n');
    workspace.write('second.rpt', 'new\n');
    expect(statusesIn(checkPass(workspace)).second).toBe('stale');
    expect(pass.problems).toEqual([]);
  });

  it('one that changes the flow', async () => {
    const workspace = meddling(
      "printf 'stages:\\n  first: { uses: ./first.sh, inputs: [a.v], outputs: [first.rpt] }\\n' > signoff.yaml",
    );
    await runPass(workspace);
    const pass = checkPass(workspace);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(codesIn(pass)).toEqual(['flow/unretired-stage']);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gate, judged, pictureOf, refused } from '../support/cli.ts';
import { prove } from '../support/gate.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

async function proven(): Promise<TestWorkspace> {
  const workspace = makeWorkspace({
    flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
    files: { 'a.v': 'a\n' },
    engines: { 'lint.sh': { does: SAYS_CLEAN } },
  });
  await prove(workspace);
  return workspace;
}

/** Puts something between the two lines of the log. */
function between(workspace: TestWorkspace, bytes: string | Uint8Array): void {
  const [first = '', second = ''] = workspace.read('events.jsonl').split('\n');
  workspace.write(
    'events.jsonl',
    Buffer.concat([Buffer.from(`${first}\n`), Buffer.from(bytes), Buffer.from(`\n${second}\n`)]),
  );
}

describe.concurrent('a log with a line that is wrong ends every command with 2, and is not touched', () => {
  it.each([
    ['half an event', '{"ts":"2026-01-01T10:00:00Z","type":"disp', 'log/corrupt-line'],
    ['words', 'gate was here', 'log/corrupt-line'],
    ['two events', '{"type":"a"}{"type":"b"}', 'log/corrupt-line'],
    ['a key twice', '{"type":"a","type":"b"}', 'log/corrupt-line'],
    ['a number', '7', 'log/corrupt-line'],
    ['a list', '[]', 'log/corrupt-line'],
    ['null', 'null', 'log/corrupt-line'],
    ['an object without a type', '{"ts":"2026-01-01T10:00:00Z"}', 'log/invalid-record'],
    [
      'an outcome without its fields',
      '{"ts":"2026-01-01T10:00:00Z","type":"outcome"}',
      'log/invalid-record',
    ],
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'log/not-utf8'],
    ['a mark of a merge conflict', '<<<<<<< HEAD', 'log/corrupt-line'],
    ['NUL bytes, as a crash leaves them', Buffer.alloc(64), 'log/corrupt-line'],
  ])('%s', async (_, line, code) => {
    const workspace = await proven();
    between(workspace, line);
    const before = pictureOf(workspace.root);
    for (const command of ['check', 'run', 'status']) {
      const { status, answer } = await refused(workspace, command);
      expect(status).toBe(2);
      expect(answer.problems).toMatchObject([{ code, line: 2 }]);
      expect(answer.problems[0]?.file).toMatch(/events\.jsonl$/);
      expect(answer.problems[0]?.remedy).toBeTruthy();
    }
    expect(pictureOf(workspace.root)).toEqual(before);
  });

  it('a line of 100 megabytes', async () => {
    const workspace = await proven();
    between(workspace, Buffer.alloc(100 * 1024 * 1024, 'x'));
    const { status, answer } = await refused(workspace, 'check');
    expect(status).toBe(2);
    expect(answer.problems).toMatchObject([{ code: 'log/line-too-long', line: 2 }]);
  });
});

describe.concurrent('a last line that was cut short', () => {
  it('is not proven for `check`, which leaves it there', async () => {
    const workspace = await proven();
    workspace.appendToLog('{"ts":"2026-01-01T10:00:00Z","ty');
    const before = pictureOf(workspace.root);
    const { status, answer } = await judged(workspace, 'check');
    expect(status).toBe(1);
    expect(answer.verdict).toBe('not-proven');
    expect(answer.problems).toMatchObject([{ code: 'log/torn-tail', line: 3 }]);
    expect(pictureOf(workspace.root)).toEqual(before);
  });

  it('is set aside by `run`, with a record of it', async () => {
    const workspace = await proven();
    workspace.appendToLog('{"ts":"2026-01-01T10:00:00Z","ty');
    const { status, answer } = await judged(workspace, 'run');
    expect(status).toBe(0);
    expect(answer).toMatchObject({ verdict: 'proven', counts: { proven: 1, reused: 1 } });
    const torn = workspace.log().find(({ type }) => type === 'torn-tail');
    expect(workspace.read(String(torn?.['kept']))).toBe('{"ts":"2026-01-01T10:00:00Z","ty');
  });

  it('may end in the middle of a character', async () => {
    const workspace = await proven();
    const bytes = readFileSync(workspace.at('events.jsonl'));
    writeFileSync(
      workspace.at('events.jsonl'),
      Buffer.concat([bytes, Buffer.from([0x7b, 0x22, 0xc3])]),
    );
    expect((await judged(workspace, 'check')).status).toBe(1);
    expect((await judged(workspace, 'run')).status).toBe(0);
  });
});

describe.concurrent('something else in the place of the log', () => {
  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
    ['a link to itself', (path: string) => symlinkSync('events.jsonl', path)],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ])('%s is told at once, and nothing is run', async (_, make) => {
    const workspace = await proven();
    renameSync(workspace.at('events.jsonl'), workspace.at('log.old'));
    make(workspace.at('events.jsonl'));
    for (const command of ['check', 'run', 'plan']) {
      const { status, answer } = await refused(workspace, command);
      expect(status).toBe(2);
      expect(answer.problems).toMatchObject([{ code: 'log/unreadable' }]);
    }
    expect(workspace.startsOf('lint.sh')).toBe(1);
  });

  it('a link that leads outside the workspace is not written through', async () => {
    const workspace = await proven();
    const outside = join(workspace.outside, 'log');
    renameSync(workspace.at('events.jsonl'), outside);
    symlinkSync(outside, workspace.at('events.jsonl'));
    workspace.write('a.v', 'b\n');
    const before = readFileSync(outside);
    const { status, answer } = await refused(workspace, 'run');
    expect(status).toBe(1);
    expect(answer.problems).toMatchObject([{ code: 'log/write-failed' }]);
    expect(answer.reason).toContain('leads outside the workspace');
    expect(readFileSync(outside)).toEqual(before);
    expect(workspace.startsOf('lint.sh')).toBe(1);
    expect((await judged(workspace, 'check')).status).toBe(1);
  });
});

describe.concurrent('a folder of the gate that cannot be one', () => {
  it.each([
    ['a file', (workspace: TestWorkspace) => workspace.write('.signoff', 'words')],
    [
      'a link to elsewhere',
      (workspace: TestWorkspace) => symlinkSync(workspace.outside, workspace.at('.signoff')),
    ],
  ])('%s in its place is told, and nothing is run', async (_, make) => {
    const workspace = makeWorkspace({
      flow: 'stages:\n  lint: { uses: ./lint.sh, inputs: [a.v] }\n',
      files: { 'a.v': 'a\n' },
      engines: { 'lint.sh': { does: SAYS_CLEAN } },
    });
    make(workspace);
    const { status, stderr } = await gate(workspace, 'run');
    expect(status).toBe(2);
    expect(stderr).toContain('.signoff is not a folder');
    expect(workspace.startsOf('lint.sh')).toBe(0);
  });
});

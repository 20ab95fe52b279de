import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findArtifacts } from '../../src/engine/artifacts.ts';
import { type Descriptor, readDescriptor } from '../../src/engine/descriptor.ts';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import type { WithValue } from '../../src/flow/stage.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { callEngine, descriptor, engineRoom, writeEngine } from '../support/engine-room.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';

function producing(...artifacts: object[]): Descriptor {
  const read = readDescriptor(descriptor({ artifacts }));
  if (!read.ok || typeof read.value === 'string') throw new Error('it is no descriptor');
  return read.value;
}

const REPORT = { role: 'report', field: 'report_path' };

function find(
  workspace: string,
  payload: JsonObject | null,
  values: Readonly<Record<string, WithValue>> = {},
  ...artifacts: object[]
): ReturnType<typeof findArtifacts> {
  return findArtifacts(
    producing(...(artifacts.length > 0 ? artifacts : [REPORT])),
    payload,
    values,
    workspace,
  );
}

function hashOf(text: string): string {
  return digestBytes(Buffer.from(text));
}

describe('an artifact', () => {
  test('named in the payload is listed with the digest of its bytes', () => {
    const root = scratchFolder();
    writeFiles(root, { 'build/r.json': '{}' });
    expect(find(root, { report_path: 'build/r.json' })).toEqual({
      artifacts: [{ role: 'report', path: 'build/r.json', hash: hashOf('{}') }],
      absent: [],
    });
  });

  test('named by an argument is listed as the flow names it', () => {
    const root = scratchFolder();
    writeFiles(root, { 'out.sdf': 'x', 'a.svg': '1', 'b.svg': '2' });
    const sources = [
      { role: 'sdf', from_arg: 'sdf' },
      { role: 'view', from_arg: 'views' },
    ];
    const found = find(root, {}, { sdf: 'out.sdf', views: ['a.svg', 'b.svg'] }, ...sources);
    expect(found.artifacts.map(({ role, path }) => [role, path])).toEqual([
      ['sdf', 'out.sdf'],
      ['view', 'a.svg'],
      ['view', 'b.svg'],
    ]);
  });

  test('may be several, in a list', () => {
    const root = scratchFolder();
    writeFiles(root, { 'views/0.png': 'a', 'views/1.png': 'b' });
    const found = find(root, { report_path: ['views/1.png', 'views/0.png', 7, null, ''] });
    expect(found).toEqual({
      artifacts: [
        { role: 'report', path: 'views/1.png', hash: hashOf('b') },
        { role: 'report', path: 'views/0.png', hash: hashOf('a') },
      ],
      absent: [],
    });
  });

  test.each<[string, JsonObject | null]>([
    ['the field is absent', {}],
    ['there is no payload', null],
    ['the field is null', { report_path: null }],
    ['the field is empty', { report_path: '' }],
    ['the field is a number', { report_path: 7 }],
    ['the field is an object', { report_path: { path: 'r' } }],
  ])('is none, and no error, when %s', (_, payload) => {
    expect(find(scratchFolder(), payload)).toEqual({ artifacts: [], absent: [] });
  });

  test('is none when the argument was not given, also under a name that every object has', () => {
    const sources = [
      { role: 'a', from_arg: 'out' },
      { role: 'b', from_arg: 'constructor' },
      { role: 'c', field: 'toString' },
    ];
    expect(find(scratchFolder(), {}, { out: false }, ...sources).artifacts).toEqual([]);
  });

  test('that is not there is told and not listed', () => {
    const found = find(scratchFolder(), { report_path: 'none.json' });
    expect(found.artifacts).toEqual([]);
    expect(found.absent).toEqual([expect.stringMatching(/report \(none\.json\) is not listed/)]);
  });

  test('that is a folder is listed with the digest of all that it holds', () => {
    const root = scratchFolder();
    writeFiles(root, { 'views/a.png': 'a' });
    const [before] = find(root, { report_path: 'views' }).artifacts;
    expect(before).toMatchObject({
      path: 'views',
      hash: expect.stringMatching(/^merkle:[0-9a-f]{64}$/),
    });
    writeFiles(root, { 'views/sub/b.png': 'b' });
    const [after] = find(root, { report_path: 'views/' }).artifacts;
    expect(after?.path).toBe('views');
    expect(after?.hash).not.toBe(before?.hash);
  });

  test('that is a link, or a folder that holds one, is told and not listed', () => {
    const root = scratchFolder();
    writeFiles(root, { 'real.json': '{}' });
    symlinkSync('real.json', join(root, 'link.json'));
    writeFiles(root, { 'views/a.png': '' });
    symlinkSync('../real.json', join(root, 'views/b.png'));
    const found = find(root, { report_path: ['link.json', 'views'] });
    expect(found.artifacts).toEqual([]);
    expect(found.absent).toHaveLength(2);
  });

  test.skipIf(process.platform === 'win32')('that is a pipe is told, and not waited for', () => {
    const root = scratchFolder();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    mkdirSync(join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'folder/pipe')]);
    const found = find(root, { report_path: ['pipe', 'folder', '/dev/zero', '/dev/stdin'] });
    expect(found.artifacts).toEqual([]);
    expect(found.absent).toHaveLength(4);
  });

  test('with a NUL in its name, or a name of any length, is told', () => {
    const found = find(scratchFolder(), { report_path: ['a\0b', 'x'.repeat(100_000)] });
    expect(found.artifacts).toEqual([]);
    expect(found.absent).toHaveLength(2);
  });
});

describe('the path of an artifact', () => {
  const text = 'r';

  test.each([
    ['build/r.json', 'build/r.json'],
    ['./build/r.json', 'build/r.json'],
    ['build/../build//r.json', 'build/r.json'],
    ['ABSOLUTE/build/r.json', 'build/r.json'],
    ['..r.json', '..r.json'],
    ['ABSOLUTE/..r.json', '..r.json'],
  ])('%s is shown as %s', (given, shown) => {
    const root = scratchFolder();
    writeFiles(root, { 'build/r.json': text, '..r.json': text });
    const found = find(root, { report_path: given.replace('ABSOLUTE', root) });
    expect(found.artifacts).toEqual([{ role: 'report', path: shown, hash: hashOf(text) }]);
  });

  test('outside the workspace stays as it was given', () => {
    const folder = scratchFolder();
    writeFiles(folder, { 'ws/a': '', 'outside.json': text });
    const root = join(folder, 'ws');
    const absolute = join(folder, 'outside.json');
    expect(find(root, { report_path: ['../outside.json', absolute] }).artifacts).toEqual([
      { role: 'report', path: '../outside.json', hash: hashOf(text) },
      { role: 'report', path: absolute, hash: hashOf(text) },
    ]);
  });

  test('is relative also when the engine reports where a link to the workspace leads', () => {
    const folder = scratchFolder();
    writeFiles(folder, { 'real/r.json': text });
    symlinkSync('real', join(folder, 'link'));
    const found = find(join(folder, 'link'), { report_path: join(folder, 'real/r.json') });
    expect(found.artifacts).toEqual([{ role: 'report', path: 'r.json', hash: hashOf(text) }]);
  });
});

describe.concurrent('the artifacts of a run', () => {
  const raw = descriptor({ artifacts: [REPORT] });

  test('stand in its envelope, and an absent one in its logs', async () => {
    const room = engineRoom();
    writeEngine(room, 'probe', {
      describe: raw,
      stdout: '{"clean":true,"report_path":["r.json","none.json"]}',
      run: 'printf bytes > r.json',
    });
    const { envelope, events } = await callEngine(room);
    expect(envelope.artifacts).toEqual([
      {
        role: 'report',
        path: 'r.json',
        hash: digestBytes(readFileSync(join(room.root, 'r.json'))),
      },
    ]);
    expect(envelope.logs).toMatchObject({
      count: 1,
      summary: { warn_count: 1, codes: ['ARTIFACT-ABSENT'] },
    });
    expect(events).toMatchObject([{ code: 'ARTIFACT-ABSENT', tool: 'signoff-gate' }]);
    expect(envelope.engineering.status).toBe('pass');
  });

  test('are hashed after the last process of the engine has ended', async () => {
    const room = engineRoom();
    const late = '(sleep 0.1; printf late > r.json) &';
    writeEngine(room, 'probe', {
      describe: raw,
      stdout: '{"clean":true,"report_path":"r.json"}',
      run: `printf early > r.json; ${late}`,
    });
    const { envelope } = await callEngine(room);
    const now = readFileSync(join(room.root, 'r.json'));
    expect(envelope.artifacts).toEqual([
      { role: 'report', path: 'r.json', hash: digestBytes(now) },
    ]);
  });

  test('are none of a failed execution, of raw arguments, or of a multi-step descriptor', async () => {
    const room = engineRoom({ 'r.json': '{}' });
    const script = { stdout: '{"clean":true,"report_path":"r.json"}' };
    writeEngine(room, 'probe', { ...script, describe: raw });
    writeEngine(room, 'nonzero', { ...script, describe: raw, run: 'exit 3' });
    const { invocation: _, ...steps } = raw;
    writeEngine(room, 'steps', { ...script, describe: steps });
    const args = { args: ['check'] };
    for (const call of [{ uses: 'nonzero' }, { with: args }, { uses: 'steps', with: args }]) {
      expect((await callEngine(room, call)).envelope.artifacts).toEqual([]);
    }
    expect((await callEngine(room)).envelope.artifacts).toHaveLength(1);
  });
});

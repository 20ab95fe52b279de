import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Walk, walkWorkspace } from '../../src/fingerprint/walk.ts';
import { compareBytes } from '../../src/values/order.ts';
import { asOrdinaryUser, fifo, linkTo, listenAt, makeFolder } from './folder.ts';

function paths(walk: Walk): string[] {
  return walk.entries.map(({ path }) => path);
}

test('a walk lists files in the byte order of their whole paths', () => {
  const names = [
    'a/b',
    'a-b',
    'a.b',
    'a/z/y',
    'a0',
    'B',
    'ä',
    'z',
    '\u{ffff}',
    '\u{10000}',
    '.dot',
  ];
  const root = makeFolder(Object.fromEntries(names.map((name) => [name, ''])));
  const listed = paths(walkWorkspace(root));
  expect(listed).toEqual([...names].sort(compareBytes));
  expect(listed.map((path) => Buffer.from(path))).toEqual(
    names.map((name) => Buffer.from(name)).sort(Buffer.compare),
  );
});

test('what belongs to the gate and to git is left out at the root, and only there', () => {
  const root = makeFolder({
    'events.jsonl': '',
    '.signoff/runs/x': '',
    '.git/HEAD': '',
    'sub/events.jsonl': '',
    'sub/.signoff/x': '',
    'events.jsonl2': '',
  });
  expect(paths(walkWorkspace(root))).toEqual([
    'events.jsonl2',
    'sub/.signoff/x',
    'sub/events.jsonl',
  ]);
});

test('links are told apart by what they lead to, and never followed', async () => {
  const root = makeFolder({
    'lib/cell': '',
    'to-file': linkTo('lib/cell'),
    'to-folder': linkTo('lib'),
    'to-link': linkTo('to-folder'),
    'to-nothing': linkTo('none'),
    'to-self': linkTo('to-self'),
    'lib/up': linkTo('..'),
    fifo,
  });
  await listenAt(join(root, 'socket'));
  expect(walkWorkspace(root)).toEqual({
    entries: [
      { path: 'fifo', kind: 'other' },
      { path: 'lib/cell', kind: 'file' },
      { path: 'lib/up', kind: 'directory-link' },
      { path: 'socket', kind: 'other' },
      { path: 'to-file', kind: 'link' },
      { path: 'to-folder', kind: 'directory-link' },
      { path: 'to-link', kind: 'directory-link' },
      { path: 'to-nothing', kind: 'link' },
      { path: 'to-self', kind: 'link' },
    ],
    problems: [],
  });
});

test('a link to where one may not look could lead to a folder', () => {
  const hidden = makeFolder({ 'in/file': '' });
  const root = makeFolder({ link: linkTo(join(hidden, 'in')) });
  chmodSync(root, 0o755);
  chmodSync(hidden, 0o000);
  const walk = asOrdinaryUser(() => walkWorkspace(root));
  chmodSync(hidden, 0o755);
  expect(walk.entries).toEqual([{ path: 'link', kind: 'directory-link' }]);
});

describe('a folder', () => {
  test('that is pruned is not read', () => {
    const root = makeFolder({ 'node_modules/a/b': '', 'rtl/node_modules/c': '', 'rtl/a.v': '' });
    chmodSync(join(root, 'node_modules'), 0o000);
    const asked: string[] = [];
    const walk = walkWorkspace(root, {
      prune(folder) {
        asked.push(folder);
        return folder.endsWith('node_modules');
      },
    });
    chmodSync(join(root, 'node_modules'), 0o755);
    expect(walk.problems).toEqual([]);
    expect(paths(walk)).toEqual(['rtl/a.v']);
    expect(asked.sort()).toEqual(['node_modules', 'rtl', 'rtl/node_modules']);
  });

  test('that may not be read is a problem of its path; the others are listed', () => {
    const root = makeFolder({ 'a/x': '', 'b/secret/y': '', 'c/z': '' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'b/secret'), 0o000);
    const walk = asOrdinaryUser(() => walkWorkspace(root));
    chmodSync(join(root, 'b/secret'), 0o755);
    expect(paths(walk)).toEqual(['a/x', 'c/z']);
    expect(walk.problems).toMatchObject([
      { path: 'b/secret', isFile: false, problem: { code: 'file/unreadable' } },
    ]);
  });

  test('deeper than a path can be long is a problem, not the end of the walk', () => {
    const root = makeFolder({ 'z.v': '' });
    const before = process.cwd();
    try {
      process.chdir(root);
      for (let depth = 0; depth < 25; depth++) {
        mkdirSync('d'.repeat(200));
        process.chdir('d'.repeat(200));
      }
    } finally {
      process.chdir(before);
    }
    const walk = walkWorkspace(root);
    execFileSync('rm', ['-rf', join(root, 'd'.repeat(200))]); // node:fs cannot remove it either
    expect(paths(walk)).toEqual(['z.v']);
    expect(walk.problems).toMatchObject([{ problem: { code: 'file/unreadable' } }]);
  });
});

test('a root that is not there is a problem of everything', () => {
  const walk = walkWorkspace(join(makeFolder(), 'none'));
  expect(walk).toMatchObject({
    entries: [],
    problems: [{ path: '', problem: { code: 'file/missing' } }],
  });
});

describe.runIf(process.platform === 'linux')('a name that is not UTF-8', () => {
  test('is a problem, and its neighbours are listed', () => {
    const root = makeFolder({ 'rtl/a.v': '' });
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/rtl/x`), Buffer.of(0xff), Buffer.from('.v')]),
      '',
    );
    const walk = walkWorkspace(root);
    expect(paths(walk)).toEqual(['rtl/a.v']);
    expect(walk.problems).toMatchObject([
      { path: 'rtl/x\ufffd.v', isFile: true, problem: { code: 'file/bad-name' } },
    ]);
  });

  test('of a folder hides what is in it, and is told', () => {
    const root = makeFolder();
    const folder = Buffer.concat([Buffer.from(`${root}/x`), Buffer.of(0xff)]);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/a.v')]), '');
    expect(walkWorkspace(root)).toMatchObject({
      entries: [],
      problems: [{ path: 'x\ufffd', isFile: false, problem: { code: 'file/bad-name' } }],
    });
  });

  test('is not confused with one that holds U+FFFD in its own right', () => {
    const root = makeFolder({ 'x\ufffd.v': '' });
    expect(walkWorkspace(root)).toMatchObject({ entries: [{ path: 'x\ufffd.v' }], problems: [] });
  });
});

import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprintTree } from '../../src/fingerprint/tree.ts';
import { disturb, putBigFile } from './disturb.ts';
import { asOrdinaryUser, fifo, linkTo, listenAt, makeFolder, put } from './folder.ts';

function fingerprint(root: string, links: 'refuse' | 'follow' = 'refuse', path = 'out'): string {
  const result = fingerprintTree(join(root, path), root, { links });
  return result.ok ? result.value : result.error.code;
}

const items = { 'out/a': '1', 'out/b/c': '2', 'out/b/d': '3', 'out/.hidden': '4' };

test('a tree has one fingerprint, wherever it lies', () => {
  const fingerprints = [makeFolder(items), makeFolder(items)].map((root) => fingerprint(root));
  expect(fingerprints[0]).toMatch(/^merkle:[0-9a-f]{64}$/);
  expect(fingerprints[1]).toBe(fingerprints[0]);
});

describe('a tree changes when', () => {
  test.each([
    ['a content changes', (root: string) => put(root, { 'out/b/c': 'x' })],
    ['a hidden content changes', (root: string) => put(root, { 'out/.hidden': 'x' })],
    ['a file comes', (root: string) => put(root, { 'out/b/new': '' })],
    ['a file goes', (root: string) => rmSync(join(root, 'out/a'))],
    ['a file is renamed', (root: string) => renameSync(join(root, 'out/a'), join(root, 'out/z'))],
    [
      'a file is renamed in its place',
      (root: string) => renameSync(join(root, 'out/b/d'), join(root, 'out/b/e')),
    ],
    ['a file moves', (root: string) => renameSync(join(root, 'out/b/c'), join(root, 'out/c'))],
    ['two contents are swapped', (root: string) => put(root, { 'out/b/c': '3', 'out/b/d': '2' })],
  ])('%s', (_, change) => {
    const root = makeFolder(items);
    const before = fingerprint(root);
    change(root);
    expect(fingerprint(root)).toMatch(/^merkle:/);
    expect(fingerprint(root)).not.toBe(before);
  });
});

test('an empty folder adds nothing', () => {
  const root = makeFolder(items);
  const before = fingerprint(root);
  put(root, { 'out/empty/deep/': '' });
  expect(fingerprint(root)).toBe(before);
});

describe('links', () => {
  test('are refused among outputs, to whatever they lead', () => {
    for (const target of ['a', 'b', 'nowhere', '/dev/null']) {
      const root = makeFolder({ ...items, 'out/link': linkTo(target) });
      expect([target, fingerprint(root)]).toEqual([target, 'file/not-regular']);
    }
  });

  test('are followed where that is asked for', () => {
    const root = makeFolder({ ...items, 'out/link': linkTo('../far'), far: 'x' });
    const before = fingerprint(root, 'follow');
    put(root, { far: 'y' });
    expect(before).toMatch(/^merkle:/);
    expect(fingerprint(root, 'follow')).not.toBe(before);
  });

  test('that lead back into the tree are a loop', () => {
    const root = makeFolder({ ...items, 'out/b/up': linkTo('..') });
    expect(fingerprint(root, 'follow')).toBe('file/link-loop');
  });

  test('are not the same as a file with their content', () => {
    const linked = makeFolder({ 'out/a': '1', 'out/link': linkTo('a') });
    const copied = makeFolder({ 'out/a': '1', 'out/link': '1' });
    expect(fingerprint(linked, 'follow')).not.toBe(fingerprint(copied, 'follow'));
  });

  test('do not stand for the tree itself', () => {
    const root = makeFolder({ ...items, link: linkTo('out') });
    expect(fingerprint(root, 'refuse', 'link')).toBe('file/not-regular');
    expect(fingerprint(root, 'follow', 'link')).toBe('file/not-regular');
  });
});

test('a tree that changes while it is read has no fingerprint', () => {
  const root = makeFolder({ ...items, 'out/z': putBigFile });
  disturb(join(root, 'out/b'), "fs.writeFileSync(path + '/new' + n, '')");
  expect(fingerprint(root)).toBe('file/changed-while-read');
});

describe('a tree has no fingerprint with', () => {
  test('a FIFO in it', () => {
    expect(fingerprint(makeFolder({ ...items, 'out/b/fifo': fifo }))).toBe('file/not-regular');
  });

  test('a socket in it', async () => {
    const root = makeFolder(items);
    await listenAt(join(root, 'out/socket'));
    expect(fingerprint(root)).toBe('file/not-regular');
  });

  test('a folder in it that may not be read', () => {
    const root = makeFolder(items);
    chmodSync(root, 0o755);
    chmodSync(join(root, 'out/b'), 0o000);
    const result = asOrdinaryUser(() => fingerprint(root));
    chmodSync(join(root, 'out/b'), 0o755);
    expect(result).toBe('file/unreadable');
  });

  test('a file in it that may not be read', () => {
    const root = makeFolder(items);
    chmodSync(root, 0o755);
    chmodSync(join(root, 'out/b/c'), 0o000);
    expect(asOrdinaryUser(() => fingerprint(root))).toBe('file/unreadable');
  });

  test('nothing there, or a file in its place', () => {
    const root = makeFolder({ file: '' });
    expect(fingerprint(root)).toBe('file/missing');
    expect(fingerprint(root, 'refuse', 'file')).toBe('file/not-regular');
  });
});

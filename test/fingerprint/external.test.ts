import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestText } from '../../src/fingerprint/blake3.ts';
import { fingerprintExternal } from '../../src/fingerprint/external.ts';
import { asOrdinaryUser, fifo, linkTo, makeFolder, put } from './folder.ts';

function external(pattern: string): Record<string, string> | string {
  const result = fingerprintExternal('pdk', pattern);
  return result.ok ? { ...result.value } : result.error.code;
}

const items = { 'libs/tt.lib': 'tt', 'libs/corners/ss.lib': 'ss', 'libs/readme': 'text' };

test('one file has one entry, under the name alone', () => {
  const root = makeFolder(items);
  expect(external(join(root, 'libs/tt.lib'))).toEqual({ pdk: digestText('tt') });
});

test('a glob has one entry for each match, named by its path beneath the literal folders', () => {
  const root = makeFolder(items);
  expect(external(`${root}/libs/**/*.lib`)).toEqual({
    'pdk/corners/ss.lib': digestText('ss'),
    'pdk/tt.lib': digestText('tt'),
  });
  expect(external(`${root}/*/tt.lib`)).toEqual({ 'pdk/libs/tt.lib': digestText('tt') });
});

test('doubled slashes, as variables bring them, are one', () => {
  const root = makeFolder(items);
  expect(external(`${root}//libs//*.lib`)).toEqual({ 'pdk/tt.lib': digestText('tt') });
});

test('files of git and of a gate count here', () => {
  const root = makeFolder({ 'lib/.git/HEAD': 'x', 'lib/events.jsonl': 'y' });
  expect(external(`${root}/lib/.git/*`)).toEqual({ 'pdk/HEAD': digestText('x') });
  expect(external(`${root}/lib/*`)).toEqual({ 'pdk/events.jsonl': digestText('y') });
});

describe('nothing is', () => {
  test('a match', () => {
    const root = makeFolder(items);
    expect(external(`${root}/libs/*.gds`)).toBe('file/missing');
    expect(external(`${root}/none/**`)).toBe('file/missing');
    expect(external(`${root}/none`)).toBe('file/missing');
  });
});

test('a folder is not read without being asked for, and the remedy is told', () => {
  const root = makeFolder(items);
  const result = fingerprintExternal('pdk', `${root}/libs`);
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'file/not-regular', remedy: expect.stringContaining('libs/**') },
  });
});

test.each(['libs/**', '', './x', '/**', '/*/x', '/a/../b', '/a/**/', '/a\\b', '/a{b'])(
  'the pattern %j is refused',
  (pattern) => {
    expect(external(pattern)).toBe('flow/bad-selector');
  },
);

describe('links', () => {
  test('in the folders of the pattern are followed', () => {
    const root = makeFolder({ 'versions/7/tt.lib': 'tt', current: linkTo('versions/7') });
    expect(external(`${root}/current/*.lib`)).toEqual({ 'pdk/tt.lib': digestText('tt') });
    expect(external(`${root}/current/tt.lib`)).toEqual({ pdk: digestText('tt') });
  });

  test('to files count with their content', () => {
    const root = makeFolder({ 'far/tt.lib': 'tt', 'libs/tt.lib': linkTo('../far/tt.lib') });
    for (const pattern of [`${root}/libs/*`, `${root}/libs/tt.lib`]) {
      const before = external(pattern);
      expect(before).toBeTypeOf('object');
      put(root, { 'far/tt.lib': `changed for ${pattern}` });
      expect(external(pattern)).not.toEqual(before);
    }
  });

  test('to folders within count, and to folders beside are refused', () => {
    const root = makeFolder({ ...items, other: '', 'libs/near': linkTo('corners') });
    expect(Object.keys(external(`${root}/libs/**`))).toContain('pdk/near');
    put(root, { 'libs/far': linkTo('..') });
    expect(external(`${root}/libs/**`)).toBe('file/link-outside');
  });
});

test('what cannot be read or is no file is a problem, not left out', () => {
  const root = makeFolder({ ...items, 'fifos/fifo': fifo });
  expect(external(`${root}/fifos/*`)).toBe('file/not-regular');
  chmodSync(root, 0o755);
  chmodSync(join(root, 'libs/corners'), 0o000);
  const found = asOrdinaryUser(() => [external(`${root}/libs/**`), external(`${root}/libs/*.lib`)]);
  chmodSync(join(root, 'libs/corners'), 0o755);
  expect(found).toEqual(['file/unreadable', { 'pdk/tt.lib': digestText('tt') }]);
});

test('names that differ only in case are no matter outside the workspace', () => {
  const root = makeFolder({ 'libs/A': '', 'libs/a': '' });
  expect(Object.keys(external(`${root}/libs/*`))).toEqual(['pdk/A', 'pdk/a']);
});

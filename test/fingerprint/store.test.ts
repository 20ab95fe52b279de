import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestText } from '../../src/fingerprint/blake3.ts';
import { createFingerprintStore } from '../../src/fingerprint/store.ts';
import type { Fingerprint, WorkspacePath } from '../../src/values/brands.ts';
import type { Result } from '../../src/values/result.ts';
import { checkWorkspacePath } from '../../src/values/workspace-path.ts';
import { linkTo, makeFolder, put } from './folder.ts';

function path(text: string): WorkspacePath {
  const checked = checkWorkspacePath(text);
  if (!checked.ok) throw new Error(checked.why);
  return checked.path;
}

function short(result: Result<Fingerprint>): string {
  return result.ok ? result.value : result.error.code;
}

test('what was read is remembered until it is forgotten', () => {
  const root = makeFolder({ 'a.v': 'old', 'out/x': 'old', tool: 'old', 'pdk/lib': 'old' });
  const store = createFingerprintStore(root);
  const read = () => [
    store.input(path('a.v')),
    store.output(path('out/x'), false),
    store.executable(join(root, 'tool')),
    store.external('pdk', join(root, 'pdk/*')),
    store.input(path('later.v')),
  ];
  const before = read();
  put(root, { 'a.v': 'new', 'out/x': 'new', tool: 'new', 'pdk/lib': 'new', 'later.v': 'new' });
  expect(read()).toEqual(before);
  store.forget();
  const value = digestText('new');
  expect(read()).toEqual([
    { ok: true, value },
    { ok: true, value },
    { ok: true, value },
    { ok: true, value: { 'pdk/lib': value } },
    { ok: true, value },
  ]);
});

test('problems name paths of the workspace', () => {
  const store = createFingerprintStore(makeFolder({ 'rtl/a.v/': '' }));
  expect(store.input(path('rtl/a.v'))).toMatchObject({
    ok: false,
    error: { message: 'rtl/a.v is a folder, not a regular file' },
  });
  expect(store.output(path('none/b.v'), false)).toMatchObject({
    ok: false,
    error: { code: 'file/missing', message: 'none/b.v does not exist' },
  });
});

test('a workspace that is not there gives a problem for everything', () => {
  const store = createFingerprintStore(join(makeFolder(), 'none'));
  expect(short(store.input(path('a')))).toBe('file/missing');
  expect(short(store.output(path('a'), true))).toBe('file/missing');
  expect(short(store.executable('/bin/sh'))).toBe('file/missing');
  expect(store.external('pdk', '/etc/*').ok).toBe(false);
});

describe('an input', () => {
  test('may be a link', () => {
    const root = makeFolder({ 'rtl/ip': linkTo('../ip'), 'ip/a.v': 'a', 'b.v': linkTo('ip/a.v') });
    const store = createFingerprintStore(root);
    expect(short(store.input(path('rtl/ip')))).toMatch(/^blake3:/);
    expect(short(store.input(path('b.v')))).toMatch(/^blake3:/);
  });

  test('does not lie behind a link that leads out of the workspace', () => {
    const elsewhere = makeFolder({ 'a.v': '' });
    const store = createFingerprintStore(makeFolder({ ip: linkTo(elsewhere) }));
    expect(short(store.input(path('ip/a.v')))).toBe('file/link-outside');
  });
});

describe('an output', () => {
  const items = { 'build/net.v': 'net', 'build/sub/log': 'log' };

  test('is a file by its content or a folder by its tree', () => {
    const store = createFingerprintStore(makeFolder(items));
    expect(short(store.output(path('build/net.v'), false))).toBe(digestText('net'));
    expect(short(store.output(path('build'), true))).toMatch(/^merkle:/);
  });

  test('is not the one where the other is declared', () => {
    const store = createFingerprintStore(makeFolder(items));
    expect(short(store.output(path('build'), false))).toBe('file/not-regular');
    expect(short(store.output(path('build/net.v'), true))).toBe('file/not-regular');
  });

  test('is no link, whatever it leads to', () => {
    const root = makeFolder({ ...items, file: linkTo('build/net.v'), folder: linkTo('build') });
    const store = createFingerprintStore(root);
    expect(short(store.output(path('file'), false))).toBe('file/not-regular');
    expect(short(store.output(path('folder'), true))).toBe('file/not-regular');
    put(root, { 'build/sub/link': linkTo('log') });
    expect(short(store.output(path('build'), true))).toBe('file/not-regular');
  });

  test('does not lie behind a link that leads out of the workspace', () => {
    const elsewhere = makeFolder({ 'net.v': 'net', 'tree/x': '' });
    const store = createFingerprintStore(makeFolder({ build: linkTo(elsewhere) }));
    expect(short(store.output(path('build/net.v'), false))).toBe('file/link-outside');
    expect(short(store.output(path('build/tree'), true))).toBe('file/link-outside');
  });

  test('that is a folder without a file is missing', () => {
    const store = createFingerprintStore(makeFolder({ 'build/logs/': '' }));
    expect(short(store.output(path('build'), true))).toBe('file/missing');
  });

  test('that is gone is missing', () => {
    const root = makeFolder(items);
    const store = createFingerprintStore(root);
    rmSync(join(root, 'build'), { recursive: true });
    expect(short(store.output(path('build/net.v'), false))).toBe('file/missing');
    expect(short(store.output(path('build'), true))).toBe('file/missing');
  });
});

test('an executable is the program behind the links', () => {
  const root = makeFolder({ 'bin/yosys': linkTo('../opt/yosys'), 'opt/yosys': '#!/bin/sh' });
  chmodSync(join(root, 'opt/yosys'), 0o755);
  const store = createFingerprintStore(root);
  expect(short(store.executable(join(root, 'bin/yosys')))).toBe(digestText('#!/bin/sh'));
  expect(short(store.executable(join(root, 'bin/none')))).toBe('file/missing');
  expect(short(store.executable(join(root, 'bin')))).toBe('file/not-regular');
});

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCommand, findEngine } from '../../src/engine/find-engine.ts';
import { engineRoom, writeProgram } from '../support/engine-room.ts';
import { writeFiles } from '../support/scratch.ts';

function rooms() {
  const room = engineRoom();
  return { ...room, places: { workspace: room.root, searchPath: `${room.bin}:/usr/bin:/bin` } };
}

describe('an engine that a flow names', () => {
  test('is NAME on PATH, else vyges-NAME', () => {
    const { bin, places } = rooms();
    const prefixed = writeProgram(join(bin, 'vyges-probe'), '#!/bin/sh\n');
    expect(findEngine('probe', places)).toEqual({ ok: true, value: prefixed });
    expect(findEngine('vyges-probe', places)).toEqual({ ok: true, value: prefixed });
    const plain = writeProgram(join(bin, 'probe'), '#!/bin/sh\n');
    expect(findEngine('probe', places)).toEqual({ ok: true, value: plain });
  });

  test('with a slash is a path that starts at the workspace', () => {
    const { root, bin, places } = rooms();
    const inside = writeProgram(join(root, 'tools/probe'), '#!/bin/sh\n');
    const absolute = writeProgram(join(bin, 'other'), '#!/bin/sh\n');
    expect(findEngine('./tools/probe', places)).toEqual({ ok: true, value: inside });
    expect(findEngine('tools/probe', places)).toEqual({ ok: true, value: inside });
    expect(findEngine(absolute, places)).toEqual({ ok: true, value: absolute });
  });

  test('is never one of the workspace when it is named without a slash', () => {
    const { root, places } = rooms();
    writeProgram(join(root, 'probe'), '#!/bin/sh\n');
    const here = { ...places, searchPath: `:.:${places.searchPath}` };
    expect(findEngine('probe', here)).toMatchObject({ error: { code: 'engine/not-found' } });
  });

  test.each([
    ['nothing there', './none', 'engine/not-found'],
    ['a file without the right', './plain', 'engine/not-executable'],
    ['a folder', './folder', 'engine/not-executable'],
    ['a link to nowhere', './dangling', 'engine/not-found'],
    ['a name that is on no PATH', 'no-such-engine', 'engine/not-found'],
    ['an empty name', '', 'engine/not-found'],
  ])('and is %s: %s is %s, with a remedy', (_, uses, code) => {
    const { root, places } = rooms();
    writeFiles(root, { plain: '#!/bin/sh\n' });
    mkdirSync(join(root, 'folder'));
    symlinkSync('nowhere', join(root, 'dangling'));
    expect(findEngine(uses, places)).toMatchObject({
      ok: false,
      error: { code, remedy: expect.any(String) },
    });
  });
});

test('a command is found by its own name alone', () => {
  const { bin, places } = rooms();
  writeProgram(join(bin, 'vyges-probe'), '#!/bin/sh\n');
  expect(findCommand('probe', places)).toMatchObject({ error: { code: 'engine/not-found' } });
  expect(findCommand('vyges-probe', places)).toMatchObject({ ok: true });
});

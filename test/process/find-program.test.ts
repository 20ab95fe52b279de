import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOnPath, isExecutableFile } from '../../src/process/find-program.ts';
import { temporaryFolder, writeProgram } from './helpers.ts';

describe('looking up a program on PATH', () => {
  it('gives the first executable regular file of that name', () => {
    const root = temporaryFolder();
    for (const folder of ['folder', 'plain', 'first', 'second']) mkdirSync(join(root, folder));
    mkdirSync(join(root, 'folder', 'tool'));
    writeProgram(join(root, 'plain', 'tool'), '', 0o644);
    writeProgram(join(root, 'first', 'tool'), '#!/bin/sh\n');
    writeProgram(join(root, 'second', 'tool'), '#!/bin/sh\n');
    const path = ['absent', 'folder', 'plain', 'first', 'second']
      .map((f) => join(root, f))
      .join(':');
    expect(findOnPath('tool', path)).toBe(join(root, 'first', 'tool'));
    expect(findOnPath('other', path)).toBeUndefined();
  });

  it('never searches the current folder', () => {
    const here = process.cwd();
    const root = temporaryFolder();
    writeProgram(join(root, 'tool'), '#!/bin/sh\n');
    mkdirSync(join(root, 'bin'));
    writeProgram(join(root, 'bin', 'tool'), '#!/bin/sh\n');
    process.chdir(root);
    try {
      for (const path of [
        '',
        ':',
        ':/nowhere',
        '/nowhere:',
        '/nowhere::/none',
        '.',
        './bin',
        'bin',
      ]) {
        expect(findOnPath('tool', path)).toBeUndefined();
      }
    } finally {
      process.chdir(here);
    }
  });

  it('looks up plain names only', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'bin'));
    writeProgram(join(root, 'tool'), '#!/bin/sh\n');
    for (const name of ['', '.', '..', '../tool', `${root}/tool`]) {
      expect(findOnPath(name, join(root, 'bin'))).toBeUndefined();
    }
  });

  it('accepts a folder with a trailing slash', () => {
    const root = temporaryFolder();
    writeProgram(join(root, 'tool'), '#!/bin/sh\n');
    expect(findOnPath('tool', `${root}/`)).toBe(join(root, 'tool'));
  });
});

describe('an executable file', () => {
  it('is a regular file with a right to execute, or a link to one', () => {
    const root = temporaryFolder();
    const tool = writeProgram(join(root, 'tool'), '#!/bin/sh\n');
    symlinkSync(tool, join(root, 'link'));
    expect(isExecutableFile(tool)).toBe('yes');
    expect(isExecutableFile(join(root, 'link'))).toBe('yes');
  });

  it('is not a folder, a file without that right, a pipe or a link to itself', () => {
    const root = temporaryFolder();
    const plain = writeProgram(join(root, 'plain'), '#!/bin/sh\n', 0o644);
    symlinkSync('loop', join(root, 'loop'));
    execFileSync('mkfifo', ['-m', '755', join(root, 'pipe')]);
    for (const path of [root, plain, join(root, 'pipe'), join(root, 'loop')]) {
      expect(isExecutableFile(path)).toBe('not-executable');
    }
  });

  it('is absent where nothing is, where a link dangles, below a file, and at no possible path', () => {
    const root = temporaryFolder();
    const tool = writeProgram(join(root, 'tool'), '#!/bin/sh\n');
    symlinkSync('nowhere', join(root, 'dangling'));
    for (const path of [join(root, 'none'), join(root, 'dangling'), `${tool}/x`, `${tool}\0`]) {
      expect(isExecutableFile(path)).toBe('absent');
    }
  });
});

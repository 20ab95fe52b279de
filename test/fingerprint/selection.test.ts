import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Selection,
  type StageSelectors,
  selectEntries,
} from '../../src/fingerprint/selection.ts';
import { compileSelector, type Selector } from '../../src/fingerprint/selector.ts';
import { walkWorkspace } from '../../src/fingerprint/walk.ts';
import { asOrdinaryUser, fifo, type Item, linkTo, makeFolder } from './folder.ts';

function selector(glob: string): Selector {
  const compiled = compileSelector(glob);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
}

/** Selectors as a flow writes them: `!` excludes; here, a leading `?:` marks an optional one. */
function selectors(globs: readonly string[]): StageSelectors {
  const include = globs
    .filter((glob) => !glob.startsWith('!'))
    .map((glob) => ({
      selector: selector(glob.replace(/^\?:/, '')),
      optional: glob.startsWith('?:'),
    }));
  const exclude = globs
    .filter((glob) => glob.startsWith('!'))
    .map((glob) => selector(glob.slice(1)));
  return { include, exclude };
}

function select(root: string, globs: readonly string[], own: readonly string[] = []): Selection {
  return selectEntries(walkWorkspace(root), selectors(globs), (path) => own.includes(path));
}

function names(selection: Selection): string[] {
  return selection.paths.map(({ path }) => path);
}

function codes(selection: Selection): string[] {
  return selection.problems.map(({ code }) => code);
}

const files: Record<string, Item> = {
  'rtl/b.v': '',
  'rtl/a.v': '',
  'rtl/a.vh': '',
  'sim/t.py': '',
};

test('each selected file is listed once, in byte order, whatever the order of the selectors', () => {
  const root = makeFolder(files);
  expect(names(select(root, ['sim/*', 'rtl/*.v', 'rtl/a*', '**/*.v']))).toEqual([
    'rtl/a.v',
    'rtl/a.vh',
    'rtl/b.v',
    'sim/t.py',
  ]);
});

test('an exclusion wins over every selector', () => {
  const root = makeFolder(files);
  expect(names(select(root, ['!rtl/a.v', 'rtl/*.v', 'rtl/a.v']))).toEqual(['rtl/b.v']);
});

test('what the stage itself writes is left out', () => {
  const root = makeFolder(files);
  expect(names(select(root, ['rtl/*.v'], ['rtl/a.v']))).toEqual(['rtl/b.v']);
});

describe('a selector is dead', () => {
  test('when it matches nothing, unless it is optional', () => {
    const root = makeFolder(files);
    expect(select(root, ['rtl/*.v', 'rtl/*.sv', '?:rtl/*.svh']).dead).toEqual(['rtl/*.sv']);
  });

  test('when all that it matches is excluded or written by the stage itself', () => {
    const root = makeFolder(files);
    expect(select(root, ['sim/*', 'rtl/a.v', '!sim/t.py'], ['rtl/a.v']).dead).toEqual([
      'sim/*',
      'rtl/a.v',
    ]);
  });

  test('but not when another one selected the same file before it', () => {
    const root = makeFolder(files);
    expect(select(root, ['rtl/**', 'rtl/a.v']).dead).toEqual([]);
  });

  test('also when all there is of it is a folder of that name', () => {
    expect(select(makeFolder({ 'rtl/a.v/': '' }), ['rtl/*.v']).dead).toEqual(['rtl/*.v']);
  });
});

describe('a link to a folder', () => {
  const linked = { ...files, 'rtl/ip': linkTo('../sim') };

  test('is one input of every selector that matches it or reaches beneath it', () => {
    const root = makeFolder(linked);
    for (const glob of ['rtl/ip', 'rtl/*', 'rtl/**', 'rtl/ip/**/*.v', '**/*.py', 'rtl/*/t.py']) {
      expect([glob, select(root, [glob]).paths]).toEqual([
        glob,
        expect.arrayContaining([{ path: 'rtl/ip', kind: 'directory-link' }]),
      ]);
    }
  });

  test('is no input of others', () => {
    const root = makeFolder(linked);
    for (const glob of ['rtl/*.v', 'rtl/ip2/**', 'sim/**', 'rtl/.ip/**']) {
      expect([glob, names(select(root, [glob])).includes('rtl/ip')]).toEqual([glob, false]);
    }
  });

  test('is excluded by its own path and by all that is in it, not by a part', () => {
    const root = makeFolder(linked);
    for (const glob of ['!rtl/ip', '!rtl/ip/**', '!rtl/**/ip/**']) {
      expect(names(select(root, ['rtl/**', glob]))).toEqual(['rtl/a.v', 'rtl/a.vh', 'rtl/b.v']);
    }
    expect(names(select(root, ['rtl/**', '!rtl/ip/*.py']))).toContain('rtl/ip');
  });
});

test('a link that leads nowhere is selected, so that its problem is found', () => {
  const root = makeFolder({ link: linkTo('none') });
  expect(select(root, ['*']).paths).toEqual([{ path: 'link', kind: 'link' }]);
});

describe('problems', () => {
  test('a FIFO that is selected is one, and one that is not selected is none', () => {
    const root = makeFolder({ ...files, 'rtl/fifo': fifo });
    expect(codes(select(root, ['rtl/**']))).toEqual(['file/not-regular']);
    expect(names(select(root, ['rtl/**']))).not.toContain('rtl/fifo');
    expect(codes(select(root, ['rtl/**', '!rtl/fifo']))).toEqual([]);
    expect(codes(select(root, ['sim/**']))).toEqual([]);
  });

  test('two selected names that differ in case or Unicode form are one', () => {
    const root = makeFolder({ 'rtl/A.v': '', 'rtl/a.v': '', 'sim/\u00e9': '', 'sim/e\u0301': '' });
    expect(codes(select(root, ['rtl/*']))).toEqual(['file/ambiguous-name']);
    expect(codes(select(root, ['sim/*']))).toEqual(['file/ambiguous-name']);
    expect(codes(select(root, ['rtl/a*']))).toEqual([]);
  });

  test('a folder that may not be read is one for those whose selectors reach into it', () => {
    const root = makeFolder({ ...files, 'sim/secret/x.py': '' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'sim/secret'), 0o000);
    const walk = asOrdinaryUser(() => walkWorkspace(root));
    chmodSync(join(root, 'sim/secret'), 0o755);
    const found = (globs: string[], own: (path: string) => boolean = () => false): string[] =>
      codes(selectEntries(walk, selectors(globs), own));

    expect(found(['sim/**'])).toEqual(['file/unreadable']);
    expect(found(['**/*.py'])).toEqual(['file/unreadable']);
    expect(found(['?:sim/*/x.py', 'rtl/**'])).toEqual(['file/unreadable']);
    expect(found(['sim/*.py'])).toEqual([]);
    expect(found(['rtl/**'])).toEqual([]);
    expect(found(['sim/**', '!sim/secret/**'])).toEqual([]);
    expect(found(['sim/**', '!**/secret/**'])).toEqual([]);
    // neither of them says a word about all that is in it
    expect(found(['sim/**', '!sim/secret'])).toEqual(['file/unreadable']);
    expect(found(['sim/**', '!sim/secret/*.py'])).toEqual(['file/unreadable']);
    expect(found(['sim/**/.x', '!sim/secret/**'])).toEqual(['file/unreadable']);
    expect(found(['sim/**'], (path) => path.startsWith('sim/secret'))).toEqual([]);
  });

  test('a workspace that is not there is one for every stage', () => {
    expect(codes(select(join(makeFolder(), 'none'), ['rtl/**']))).toEqual(['file/missing']);
  });

  test.runIf(process.platform === 'linux')(
    'a name that is not UTF-8 is one where it could be meant',
    () => {
      const root = makeFolder({ 'rtl/a.v': '', 'sim/t.py': '' });
      const bad = (path: string): Buffer =>
        Buffer.concat([Buffer.from(`${root}/${path}`), Buffer.of(0xff), Buffer.from('.v')]);
      writeFileSync(bad('rtl/x'), '');
      mkdirSync(bad('sim/y'));
      expect(codes(select(root, ['rtl/*.v']))).toEqual(['file/bad-name']);
      expect(codes(select(root, ['rtl/a.v', 'rtl/?.v']))).toEqual([]);
      expect(codes(select(root, ['rtl/*.v', '!rtl/x*']))).toEqual([]);
      expect(codes(select(root, ['sim/**/*.py']))).toEqual(['file/bad-name']);
      expect(codes(select(root, ['sim/*.py']))).toEqual([]);
    },
  );
});

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { directoryCache } from '../../src/cache/directory-cache.ts';
import { keyText } from '../../src/cache/run-cache.ts';
import { isFingerprint } from '../../src/values/brands.ts';
import { cachedDesign, freshCopy, passWithCache, startsIn } from '../support/cached-design.ts';
import { deedsIn } from '../support/gate.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';

const runKey = `blake3:${'3'.repeat(64)}`;
if (!isFingerprint(runKey)) throw new Error(runKey);
const KEY = { stage: 'synth', runKey };
const NEVER = new AbortController().signal;

let program: string;

beforeAll(async () => {
  program = join(scratchFolder(), 'use-directory.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('children/use-directory.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
});

function entryFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = scratchFolder();
  writeFiles(folder, files);
  return folder;
}

/** One call in a process of its own. */
function start(
  args: readonly string[],
  options: { env?: Record<string, string>; uid?: number; limit?: string } = {},
): ChildProcess {
  const { env = {}, uid, limit } = options;
  // The text of the program comes on stdin: another user may not be able to read the file.
  const child = spawn(
    'sh',
    ['-c', `${limit ?? ':'} && exec "$0" - "$@"`, process.execPath, ...args],
    {
      env: { PATH: process.env['PATH'], ...env },
      cwd: '/',
      ...(uid === undefined ? {} : { uid, gid: uid }),
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin?.on('error', () => undefined).end(readFileSync(program));
  return child;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const ended = new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
  const signal = await ended;
  return signal ?? (JSON.parse(text) as unknown);
}

describe('a directory cache', () => {
  it('gives back what was saved, byte for byte, and nothing under another key', async () => {
    const cache = directoryCache(join(scratchFolder(), 'made/when/needed'));
    const from = entryFolder({ 'a.txt': 'one', 'deep/er/b.bin': Buffer.alloc(70_000, 7) });
    expect(await cache.restore(KEY, scratchFolder(), NEVER)).toEqual({ kind: 'miss' });
    expect(await cache.save(KEY, from, NEVER)).toEqual({ kind: 'saved' });
    const to = scratchFolder();
    expect(await cache.restore(KEY, to, NEVER)).toEqual({ kind: 'hit' });
    expect(readFileSync(join(to, 'a.txt'), 'utf8')).toBe('one');
    expect(readFileSync(join(to, 'deep/er/b.bin')).equals(Buffer.alloc(70_000, 7))).toBe(true);
    const other = { ...KEY, stage: 'lint' };
    expect(await cache.restore(other, scratchFolder(), NEVER)).toEqual({ kind: 'miss' });
  });

  it('does not change with the folder that was saved or restored', async () => {
    const cache = directoryCache(scratchFolder());
    const from = entryFolder({ file: 'as saved' });
    await cache.save(KEY, from, NEVER);
    writeFileSync(join(from, 'file'), 'changed');
    const first = scratchFolder();
    await cache.restore(KEY, first, NEVER);
    writeFileSync(join(first, 'file'), 'changed');
    const second = scratchFolder();
    await cache.restore(KEY, second, NEVER);
    expect(readFileSync(join(second, 'file'), 'utf8')).toBe('as saved');
  });

  it('keeps what was saved first, silently', async () => {
    const cache = directoryCache(scratchFolder());
    await cache.save(KEY, entryFolder({ file: 'first' }), NEVER);
    expect(await cache.save(KEY, entryFolder({ file: 'second' }), NEVER)).toEqual({
      kind: 'taken',
    });
    const to = scratchFolder();
    await cache.restore(KEY, to, NEVER);
    expect(readFileSync(join(to, 'file'), 'utf8')).toBe('first');
  });

  it('can be read by its owner only', async () => {
    const folder = join(scratchFolder(), 'cache');
    await directoryCache(folder).save(KEY, entryFolder({ file: '' }), NEVER);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('restores no file through a link in the place of an entry', async () => {
    const folder = scratchFolder();
    symlinkSync(entryFolder({ file: 'elsewhere' }), join(folder, keyText(KEY)));
    const to = scratchFolder();
    expect(await directoryCache(folder).restore(KEY, to, NEVER)).toMatchObject({ kind: 'failed' });
    expect(readdirSync(to)).toEqual([]);
  });
});

describe('savers', () => {
  const files = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`files/${n}`, Buffer.alloc(20_000, n)]),
  );

  it('of one key at one time leave one whole entry, and none of them fails', async () => {
    const folder = join(scratchFolder(), 'cache');
    const contents = ['a', 'b', 'c', 'd'];
    const savers = contents.map((who) =>
      start(['save', folder, runKey, entryFolder({ ...files, who })]),
    );
    const answers = await Promise.all(savers.map(answerOf));
    const kinds = answers.map((answer) => (answer as { kind: string }).kind).sort();
    expect(kinds).toEqual(['saved', 'taken', 'taken', 'taken']);
    expect(readdirSync(folder)).toEqual([keyText(KEY)]);
    const entry = join(folder, keyText(KEY));
    expect(readdirSync(entry).sort()).toEqual(['files', 'who']);
    expect(readdirSync(join(entry, 'files'))).toHaveLength(200);
    const winner =
      contents[answers.findIndex((answer) => (answer as { kind: string }).kind === 'saved')];
    expect(readFileSync(join(entry, 'who'), 'utf8')).toBe(winner);
  });

  it('of different keys do not disturb one another', async () => {
    const folder = join(scratchFolder(), 'cache');
    const keys = ['4', '5', '6'].map((digit) => `blake3:${digit.repeat(64)}`);
    const savers = keys.map((key) => start(['save', folder, key, entryFolder({ ...files, key })]));
    expect(await Promise.all(savers.map(answerOf))).toEqual(keys.map(() => ({ kind: 'saved' })));
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it.each(['renameSync', 'copyFileSync', 'mkdtempSync'])(
    'that are killed before %s leave no entry, and the next one saves',
    async (step) => {
      const folder = join(scratchFolder(), 'cache');
      const from = entryFolder({ file: 'content' });
      const killed = start(['save', folder, runKey, from], { env: { DIE_BEFORE: step } });
      expect(await answerOf(killed)).toBe('SIGKILL');
      const cache = directoryCache(folder);
      expect(await cache.restore(KEY, scratchFolder(), NEVER)).toEqual({ kind: 'miss' });
      expect(await cache.save(KEY, from, NEVER)).toEqual({ kind: 'saved' });
    },
  );

  it('that are killed while they copy leave no entry', async () => {
    const many = entryFolder(
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, n) => [`${n % 50}/${n}`, 'x'.repeat(99)]),
      ),
    );
    // Now and then one is through before it can be killed.
    for (let attempt = 0; attempt < 10; attempt++) {
      const folder = join(scratchFolder(), 'cache');
      const child = start(['save', folder, runKey, many]);
      const answer = answerOf(child);
      while (child.exitCode === null && !hasBegun(folder)) await sleep(1);
      child.kill('SIGKILL');
      if ((await answer) !== 'SIGKILL') continue;
      expect(existsSync(join(folder, keyText(KEY)))).toBe(false);
      return;
    }
    throw new Error('no saver could be killed in time');
  });

  function hasBegun(folder: string): boolean {
    const [draft] = existsSync(folder) ? readdirSync(folder) : [];
    return draft !== undefined && existsSync(join(folder, draft, 'entry/0'));
  }

  it('whose disk is full leave no entry and no draft, and say so', async () => {
    const folder = join(scratchFolder(), 'cache');
    const from = entryFolder({ small: 'x', large: Buffer.alloc(5 * 1024 * 1024, 1) });
    const saver = start(['save', folder, runKey, from], { limit: 'ulimit -f 64' });
    expect(await answerOf(saver)).toEqual({ kind: 'failed', reason: 'EFBIG', isOutage: true });
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Who may do less than the one that runs the tests, if that is root. */
const NOBODY = process.getuid?.() === 0 ? 65_534 : undefined;

/** A folder that this user may use, below folders that it may pass. */
function folderOfNobody(): string {
  const folder = scratchFolder();
  if (NOBODY !== undefined) {
    chmodSync(join(folder, '..'), 0o711);
    chownSync(folder, NOBODY, NOBODY);
  }
  return folder;
}

describe('a folder that is closed', () => {
  function asNobody(args: readonly string[]): Promise<unknown> {
    return answerOf(start(args, NOBODY === undefined ? {} : { uid: NOBODY }));
  }

  it('is an outage for who saves into it', async () => {
    const place = folderOfNobody();
    const folder = join(place, 'cache');
    mkdirSync(folder);
    chmodSync(folder, 0o000);
    writeFiles(place, { 'from/file': 'x' });
    expect(await asNobody(['save', folder, runKey, join(place, 'from')])).toEqual({
      kind: 'failed',
      reason: 'EACCES',
      isOutage: true,
    });
  });

  it('is a failure of one entry when it is that entry', async () => {
    const place = folderOfNobody();
    const folder = join(place, 'cache');
    writeFiles(folder, { [`${keyText(KEY)}/file`]: 'x' });
    chmodSync(join(folder, keyText(KEY)), 0o000);
    const to = join(place, 'to');
    mkdirSync(to);
    if (NOBODY !== undefined) chownSync(to, NOBODY, NOBODY);
    expect(await asNobody(['restore', folder, runKey, to])).toEqual({
      kind: 'failed',
      reason: 'EACCES',
      isOutage: false,
    });
  });

  it('is opened to be removed', async () => {
    const place = folderOfNobody();
    const folder = join(place, 'staging');
    writeFiles(folder, { 'deep/er/file': 'x', 'deep/other': 'y' });
    for (const path of ['deep/er/file', 'deep/er', 'deep/other', 'deep', '.']) {
      if (NOBODY !== undefined) chownSync(join(folder, path), NOBODY, NOBODY);
      chmodSync(join(folder, path), 0o000);
    }
    expect(await asNobody(['discard', folder])).toEqual({ left: false });
  });

  it.skipIf(NOBODY === undefined)(
    'that belongs to another is left, and nothing is thrown',
    async () => {
      const place = scratchFolder();
      chmodSync(join(place, '..'), 0o711);
      chmodSync(place, 0o755);
      writeFiles(place, { 'staging/file': 'x' });
      expect(await asNobody(['discard', join(place, 'staging')])).toEqual({ left: true });
    },
  );
});

describe('a gate with a directory cache', () => {
  it('restores every stage in another workspace, and runs none', async () => {
    const choice = { kind: 'directory', directory: join(scratchFolder(), 'cache') } as const;
    const design = cachedDesign();
    const first = await passWithCache(design, choice);
    expect(first.calls.map(({ answer }) => answer)).toEqual(['miss', 'miss', 'saved', 'saved']);
    const copy = freshCopy(design);
    const pass = await passWithCache(copy, choice);
    expect(pass.answer.verdict).toBe('proven');
    expect(deedsIn(pass)).toEqual({ first: 'restored', second: 'restored' });
    expect(startsIn(copy)).toEqual([]);
    expect(pass.notices).toEqual([]);
    expect(copy.outcome('first')['restored_from']).toMatch(
      /^the directory .*signoff-gate-1-first-/,
    );
  });

  it.each<[string, (folder: string) => void, RegExp]>([
    ['is a file', (folder) => writeFileSync(folder, 'x'), /so results are not kept: EEXIST/],
    [
      'is a link that leads nowhere',
      (folder) => symlinkSync('nowhere', folder),
      /so results are not kept: E/,
    ],
    [
      'lies below a file',
      (folder) => {
        rmSync(join(folder, '..'), { recursive: true });
        writeFileSync(join(folder, '..'), 'x');
      },
      /so results are not kept: E/,
    ],
  ])('that %s runs its stages and says so once', async (_, spoil, says) => {
    const directory = join(scratchFolder(), 'parent/cache');
    mkdirSync(join(directory, '..'));
    spoil(directory);
    const pass = await passWithCache(cachedDesign(), { kind: 'directory', directory });
    expect(pass.answer.verdict).toBe('proven');
    expect(pass.notices).toEqual([expect.stringMatching(says)]);
  });

  it.each<[string, (entry: string) => void]>([
    [
      'is a file',
      (entry) => {
        rmSync(entry, { recursive: true });
        writeFileSync(entry, 'x');
      },
    ],
    [
      'is a link to an entry',
      (entry) => {
        renameSync(entry, `${entry}-elsewhere`);
        symlinkSync(`${entry}-elsewhere`, entry);
      },
    ],
    ['lost its manifest', (entry) => rmSync(join(entry, 'manifest.json'))],
    ['is empty', (entry) => cpSync(join(entry, 'outputs/build/more'), entry, { recursive: true })],
  ])('whose entry %s runs that stage and says so once', async (_, spoil) => {
    const directory = join(scratchFolder(), 'cache');
    const choice = { kind: 'directory', directory } as const;
    const design = cachedDesign();
    await passWithCache(design, choice);
    const [entry = ''] = readdirSync(directory).filter((key) => key.includes('-first-'));
    spoil(join(directory, entry));
    const copy = freshCopy(design);
    const pass = await passWithCache(copy, choice);
    expect(pass.answer.verdict).toBe('proven');
    expect(deedsIn(pass)).toEqual({ first: 'ran', second: 'restored' });
    expect(pass.notices).toHaveLength(1);
    expect(startsIn(copy)).toEqual(['first']);
  });
});

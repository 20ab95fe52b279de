import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { githubCache } from '../../src/cache/github-cache.ts';
import type { EntryKey, RunCache } from '../../src/cache/run-cache.ts';
import { isFingerprint } from '../../src/values/brands.ts';
import { startCacheServer } from '../support/cache-server.ts';
import {
  cachedDesign,
  freshCopy,
  onGithub,
  passWithCache,
  startsIn,
} from '../support/cached-design.ts';
import { checkPass, deedsIn, statusesIn } from '../support/gate.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';

/** The Actions cache by its real client, against a real server. */

vi.setConfig({ maxConcurrency: 4, testTimeout: 180_000 });

const NEVER = new AbortController().signal;
const RESTORED = { first: 'restored', second: 'restored' };

describe.concurrent('a workspace whose log is empty, with a warm cache', () => {
  it('restores every stage and runs none', async () => {
    const server = await startCacheServer();
    const design = cachedDesign();
    const warmed = await passWithCache(design, onGithub(server));
    expect(deedsIn(warmed)).toEqual({ first: 'ran', second: 'ran' });
    expect(warmed.notices).toEqual([]);

    const copy = freshCopy(design);
    const pass = await passWithCache(copy, onGithub(server));
    expect(pass.answer.verdict).toBe('proven');
    expect(deedsIn(pass)).toEqual(RESTORED);
    expect(startsIn(copy)).toEqual([]);
    expect(pass.notices).toEqual([]);
    for (const path of ['build/a.txt', 'build/more/one.txt', 'build/more/deep/two.txt']) {
      expect(copy.read(path)).toBe(design.read(path));
    }
    const last = copy.log().at(-1);
    expect(last).toMatchObject({ type: 'outcome', rule: 'second', verdict: 'pass' });
    expect(last?.['restored_from']).toMatch(
      /^the Actions cache, signoff-gate-1-second-[0-9a-f]{64}$/,
    );
    // What was restored holds like what was run, without any cache.
    expect(checkPass(copy).answer.verdict).toBe('proven');
    // A hit is not saved again.
    expect(server.requests.create).toBe(2);
  });

  it('runs again only what a changed file reaches', async () => {
    const server = await startCacheServer();
    const design = cachedDesign();
    await passWithCache(design, onGithub(server));

    const copy = freshCopy(design);
    copy.write('b.v', 'module b; wire w; endmodule\n');
    const pass = await passWithCache(copy, onGithub(server));
    expect(pass.answer.verdict).toBe('proven');
    expect(deedsIn(pass)).toEqual({ first: 'restored', second: 'ran' });
    expect(startsIn(copy)).toEqual(['second']);
    expect(deedsIn(await passWithCache(freshCopy(copy), onGithub(server)))).toEqual(RESTORED);
  });

  it('does not take a result when it may not restore, and keeps its own', async () => {
    const server = await startCacheServer();
    const design = cachedDesign();
    const pass = await passWithCache(design, onGithub(server), { mayRestore: false });
    expect(server.requests).toMatchObject({ lookup: 0, create: 2 });
    expect(pass.answer.verdict).toBe('proven');
    const again = freshCopy(design);
    await passWithCache(again, onGithub(server), { mayRestore: false });
    expect(startsIn(again)).toEqual(['first', 'second']);
  });
});

describe.concurrent('an entry that is saved and restored', () => {
  it('has the same bytes, whatever its size and its names', async () => {
    const cache = await opened();
    const from = folder();
    writeFiles(from, {
      'manifest.json': '{}',
      empty: '',
      'outputs/large.bin': randomBytes(5 * 1024 * 1024),
      'outputs/zeroes.bin': Buffer.alloc(1024 * 1024),
      'outputs/with space and ü.txt': 'one\n',
      'outputs/-P': 'a name like an option',
      'outputs/.hidden/deep/er/file': 'two\n',
      'outputs/quote \' and "': 'three',
    });
    chmodSync(join(from, 'empty'), 0o755);
    expect(await cache.save(KEY, from, NEVER)).toEqual({ kind: 'saved' });
    const to = folder();
    expect(await cache.restore(KEY, to, NEVER)).toEqual({ kind: 'hit' });
    expect(filesIn(to)).toEqual(filesIn(from));
    for (const path of filesIn(from)) {
      expect(readFileSync(join(to, path)).equals(readFileSync(join(from, path))), path).toBe(true);
    }
    expect(statSync(join(to, 'empty')).mode & 0o111).toBe(0o111);
  });

  it('may be larger than what is sent at once', async () => {
    const server = await startCacheServer();
    const cache = await opened(server.environment());
    const from = folder();
    const large = randomBytes(129 * 1024 * 1024);
    writeFiles(from, { large });
    expect(await cache.save(KEY, from, NEVER)).toEqual({ kind: 'saved' });
    // Three blocks and their list.
    expect(server.requests.upload).toBe(4);
    const to = folder();
    expect(await cache.restore(KEY, to, NEVER)).toEqual({ kind: 'hit' });
    expect(readFileSync(join(to, 'large')).equals(large)).toBe(true);
  });

  it('is not found under another key', async () => {
    const cache = await opened();
    const from = folder();
    writeFiles(from, { file: 'content' });
    await cache.save(KEY, from, NEVER);
    expect(await cache.restore(OTHER_KEY, folder(), NEVER)).toEqual({ kind: 'miss' });
  });

  it.each([
    ['a space', 'a b'],
    ['a colon, at which a PATH is split', 'a:b'],
    ['a quote', 'a"b'],
  ])('may come from and go to a folder whose path holds %s', async (_, name) => {
    const cache = await opened();
    const from = folder(name);
    writeFiles(from, { file: 'content' });
    expect(await cache.save(KEY, from, NEVER)).toEqual({ kind: 'saved' });
    const to = folder(name);
    expect(await cache.restore(KEY, to, NEVER)).toEqual({ kind: 'hit' });
    expect(readFileSync(join(to, 'file'), 'utf8')).toBe('content');
    // Nothing is left beside it.
    expect(readdirSync(join(to, '..'))).toEqual(['entry']);
  });
});

describe.concurrent('a gate that is stopped', () => {
  it('does not wait for a look-up', async () => {
    const server = await startCacheServer();
    server.order('lookup', { kind: 'silence' });
    const stop = new AbortController();
    const design = cachedDesign();
    const passing = passWithCache(design, onGithub(server), { signal: stop.signal });
    await vi.waitFor(() => expect(server.requests.lookup).toBe(1), 30_000);
    const stopped = performance.now();
    stop.abort();
    const pass = await passing;
    expect(performance.now() - stopped).toBeLessThan(10_000);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(startsIn(design)).toEqual([]);
    expect(pass.notices).toEqual([]);
  });

  it('does not wait for a save, and keeps the verdict that it had reached', async () => {
    const server = await startCacheServer();
    server.order('upload', { kind: 'silence' });
    const stop = new AbortController();
    const options = { signal: stop.signal, mayRestore: false };
    const passing = passWithCache(cachedDesign(), onGithub(server), options);
    await vi.waitFor(() => expect(server.requests.upload).toBe(1), 30_000);
    const stopped = performance.now();
    stop.abort();
    const pass = await passing;
    expect(performance.now() - stopped).toBeLessThan(10_000);
    expect(pass.answer.verdict).toBe('proven');
    expect(pass.notices).toEqual([]);
    expect(statusesIn(pass)).toEqual({ first: 'valid', second: 'valid' });
  });
});

const KEY = keyOf('0');
const OTHER_KEY = keyOf('1');

function keyOf(digit: string): EntryKey {
  const runKey = `blake3:${digit.repeat(64)}`;
  if (!isFingerprint(runKey)) throw new Error(runKey);
  return { stage: 'stage', runKey };
}

/** With nothing in its environment but what it cannot do without. */
async function opened(service?: Readonly<Record<string, string>>): Promise<RunCache> {
  const environment = service ?? (await startCacheServer()).environment();
  const cache = githubCache(
    { PATH: process.env['PATH'], ...environment },
    { lookupMs: 60_000, transferMs: 120_000 },
  );
  if (typeof cache === 'string') throw new Error(cache);
  return cache;
}

/** An empty folder `entry` in a new one. */
function folder(name = 'plain'): string {
  const path = join(scratchFolder(), name, 'entry');
  mkdirSync(path, { recursive: true });
  return path;
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGNATURE, startCacheServer, TOKEN } from '../support/cache-server.ts';
import { cachedDesign, freshCopy, startsIn } from '../support/cached-design.ts';
import { type CliRun, startCli } from './built-cli.ts';

/** `run --cache …` as it is shipped, on a terminal and in a step of a job. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signoff-run-cache-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What says that this is a job, and where its cache is: not what these tests themselves run in. */
const NO_JOB = {
  GITHUB_ACTIONS: '',
  ACTIONS_RUNTIME_TOKEN: '',
  ACTIONS_RESULTS_URL: '',
  ACTIONS_CACHE_URL: '',
  ACTIONS_CACHE_SERVICE_V2: '',
  GITHUB_SERVER_URL: '',
};
const JOB = { ...NO_JOB, GITHUB_ACTIONS: 'true' };

interface Run extends CliRun {
  readonly how: Readonly<Record<string, string>>;
  readonly verdict: string;
}

async function run(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  const ended = await startCli(['run', '--json', ...args], { cwd, env: { ...env } }).ended;
  if (ended.stdout === '') return { ...ended, how: {}, verdict: 'none' };
  const answer = JSON.parse(ended.stdout) as {
    verdict?: string;
    stages?: Record<string, { how: string }>;
  };
  const stages = Object.entries(answer.stages ?? {}).map(([name, { how }]) => [name, how]);
  return {
    ...ended,
    how: Object.fromEntries(stages) as Record<string, string>,
    verdict: answer.verdict ?? 'none',
  };
}

const RAN = { first: 'ran', second: 'ran' };
const RESTORED = { first: 'restored', second: 'restored' };

/** A home and a cache folder of a user. */
function user(): { readonly env: Readonly<Record<string, string>>; readonly caches: string } {
  const home = mkdtempSync(join(folder, 'home-'));
  const caches = join(home, 'caches');
  mkdirSync(caches);
  return { env: { ...NO_JOB, HOME: home, XDG_CACHE_HOME: caches }, caches };
}

describe.concurrent('on a terminal', () => {
  it('the cache is signoff-gate in XDG_CACHE_HOME', async () => {
    const { env, caches } = user();
    const design = cachedDesign();
    expect(await run(design.root, ['--cache', 'auto'], env)).toMatchObject({ status: 0, how: RAN });
    expect(readdirSync(join(caches, 'signoff-gate'))).toHaveLength(2);
    const copy = freshCopy(design);
    const again = await run(copy.root, ['--cache', 'auto'], env);
    expect(again).toMatchObject({ status: 0, verdict: 'proven', how: RESTORED });
    expect(startsIn(copy)).toEqual([]);
    expect(again.stderr).toContain('first: run 1 is restored from the directory');
  });

  it.each([
    ['none is named', ''],
    ['a relative one is named', 'relative/caches'],
  ])('the cache is in ~/.cache when %s', async (_, XDG_CACHE_HOME) => {
    const { env } = user();
    const design = cachedDesign();
    const names = { ...env, XDG_CACHE_HOME };
    expect(await run(design.root, ['--cache', 'auto'], names)).toMatchObject({ status: 0 });
    expect(readdirSync(join(env['HOME'] ?? '', '.cache/signoff-gate'))).toHaveLength(2);
    expect(existsSync(join(design.root, 'relative'))).toBe(false);
  });

  it('the cache is where --cache-dir says, from the current folder on', async () => {
    const { env, caches } = user();
    const design = cachedDesign();
    const args = ['--cache', 'directory', '--cache-dir', '../outside/kept'];
    expect(await run(design.root, args, env)).toMatchObject({ status: 0 });
    expect(readdirSync(join(design.outside, 'kept'))).toHaveLength(2);
    expect(readdirSync(caches)).toEqual([]);
  });

  it('--cache off keeps and restores nothing', async () => {
    const { env, caches } = user();
    const result = await run(cachedDesign().root, ['--cache', 'off'], env);
    expect(result).toMatchObject({ status: 0, how: RAN });
    expect(readdirSync(caches)).toEqual([]);
    expect(result.stderr).not.toContain('cache');
  });

  it('--cache with another word is the mistake of the caller, and nothing is run', async () => {
    const { env } = user();
    const design = cachedDesign();
    const result = await run(design.root, ['--cache', 'gtihub'], env);
    expect(result.status).toBe(2);
    expect(result.stderr).toContain('auto, github, directory, off');
    expect(startsIn(design)).toEqual([]);
  });
});

describe.concurrent('in a step of a job', () => {
  it('`auto` is the Actions cache: every stage is restored in another checkout', async () => {
    const server = await startCacheServer();
    const { caches } = user();
    const env = { ...JOB, ...server.environment(), XDG_CACHE_HOME: caches };
    const design = cachedDesign();
    const first = await run(design.root, ['--cache', 'auto'], env);
    expect(first).toMatchObject({ status: 0, how: RAN });
    const copy = freshCopy(design);
    const again = await run(copy.root, ['--cache', 'auto'], env);
    expect(again).toMatchObject({ status: 0, verdict: 'proven', how: RESTORED });
    expect(startsIn(copy)).toEqual([]);
    expect(readdirSync(caches)).toEqual([]);
    for (const { stdout, stderr } of [first, again]) {
      for (const secret of [TOKEN, SIGNATURE, 'devstoreaccount1']) {
        expect(stdout + stderr).not.toContain(secret);
      }
      expect(stdout + stderr).not.toMatch(/^::|##\[/m);
    }
  });

  it('`auto` is never a directory: without a service there is one notice and no cache', async () => {
    const { caches } = user();
    const env = { ...JOB, XDG_CACHE_HOME: caches };
    const args = ['--cache', 'auto', '--cache-dir', join(caches, 'named')];
    const result = await run(cachedDesign().root, args, env);
    expect(result).toMatchObject({ status: 0, how: RAN });
    expect(readdirSync(caches)).toEqual([]);
    expect(result.stderr.match(/no cache is used/g)).toHaveLength(1);
  });

  it('words of the service are no commands, and no secret is told', async () => {
    const server = await startCacheServer();
    const message = `no\n::error::stop\n::set-output name=verdict::proven\r\n##[add-mask]x ${server.origin}/x?sig=${SIGNATURE}`;
    server.order('create', { kind: 'not-ok', message });
    const result = await run(cachedDesign().root, ['--cache', 'github'], {
      ...JOB,
      ...server.environment(),
    });
    expect(result).toMatchObject({ status: 0, verdict: 'proven', how: RAN });
    const notices = result.stderr.split('\n').filter((line) => line.includes('the Actions cache'));
    expect(notices).toEqual([expect.stringContaining('Cache reservation failed: no')]);
    const told = result.stdout + result.stderr;
    expect(told).not.toMatch(/^\s*::|##\[/m);
    for (const secret of [TOKEN, SIGNATURE]) expect(told).not.toContain(secret);
  });
});

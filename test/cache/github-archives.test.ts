import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkEntry, packEntry } from '../../src/cache/entry.ts';
import { githubCache } from '../../src/cache/github-cache.ts';
import type { EntryKey } from '../../src/cache/run-cache.ts';
import { isFingerprint } from '../../src/values/brands.ts';
import { type StoredEntry, startCacheServer } from '../support/cache-server.ts';
import { cachedDesign, freshCopy, onGithub, passWithCache } from '../support/cached-design.ts';
import { deedsIn } from '../support/gate.ts';
import { type TarMember, tarArchive } from '../support/tar-archive.ts';

/**
 * Archives that try to reach out of the folder that they are unpacked in, under the right key.
 * Whatever comes of it, nothing outside appears, and no check lets it through.
 */

vi.setConfig({ maxConcurrency: 4, testTimeout: 180_000 });

const runKey = `blake3:${'0'.repeat(64)}`;
if (!isFingerprint(runKey)) throw new Error(runKey);
const KEY: EntryKey = { stage: 'first', runKey };
const SUBJECT = { ...KEY, outputs: [] };

/** Short paths, since a header holds a hundred bytes. */
let root: string;
/** An honest entry, as the client sends it: its key, its version and its compression. */
let honest: StoredEntry;
/** The same as members of an archive. */
let members: readonly TarMember[];

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sg-')));
  const folder = newFolder();
  const runFolder = newFolder();
  writeFileSync(join(runFolder, 'envelope.json'), '{}');
  const source = { ...SUBJECT, root, recorded: {}, runFolder };
  expect(packEntry(source, folder)).toEqual({ ok: true, value: undefined });
  members = readdirSync(folder).map((name) => ({
    name: `entry/${name}`,
    type: '0',
    content: readFileSync(join(folder, name)),
  }));
  const server = await startCacheServer();
  const cache = githubCache(
    { PATH: process.env['PATH'], ...server.environment() },
    { lookupMs: 60_000, transferMs: 60_000 },
  );
  if (typeof cache === 'string') throw new Error(cache);
  expect(await cache.save(KEY, folder, new AbortController().signal)).toEqual({ kind: 'saved' });
  const [entry] = server.entries();
  if (!entry) throw new Error('nothing was saved');
  honest = entry;
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

function newFolder(): string {
  return mkdtempSync(join(root, 'f-'));
}

/** Compressed as the client compressed the honest one. */
function compressed(archive: Buffer, like = honest.bytes): Buffer {
  if (like.readUInt16BE(0) === 0x1f8b) return gzipSync(archive);
  const { stdout, status } = spawnSync('zstd', ['-q', '-c'], { input: archive });
  if (status !== 0) throw new Error('zstd failed');
  return stdout;
}

/** What the restoring child is given; the entry goes to `entry` in a new folder. */
async function restored(archive: readonly TarMember[], place = newFolder()): Promise<string> {
  const server = await startCacheServer();
  server.put({ ...honest, bytes: compressed(tarArchive(archive)) });
  const cache = githubCache(
    { PATH: process.env['PATH'], ...server.environment() },
    { lookupMs: 60_000, transferMs: 60_000 },
  );
  if (typeof cache === 'string') throw new Error(cache);
  const entry = join(place, 'entry');
  mkdirSync(entry);
  const answer = await cache.restore(KEY, entry, new AbortController().signal);
  if (answer.kind === 'failed') return answer.reason;
  if (answer.kind === 'miss') return 'a miss';
  const checked = checkEntry(entry, SUBJECT);
  return checked.ok ? 'accepted' : checked.error;
}

/** What `tar` does with it as the client would call it: proof that the archive is dangerous. */
function unpackedTrustfully(archive: readonly TarMember[]): void {
  const folder = newFolder();
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'archive'), tarArchive(archive));
  spawnSync('tar', ['-xf', join(folder, 'archive'), '-P', '-C', join(folder, 'a/b')]);
}

it('an honest archive is accepted', async () => {
  expect(await restored(members)).toBe('accepted');
});

describe.concurrent('an archive', () => {
  it('with a member above its folder writes nothing there', async () => {
    const place = newFolder();
    const archive: TarMember[] = [
      ...members,
      { name: '../probe', type: '0', content: 'x' },
      { name: '../../probe', type: '0', content: 'x' },
      { name: 'entry/../../../../probe', type: '0', content: 'x' },
    ];
    expect(await restored(archive, place)).toMatch(/probe, which is no part of an entry|exit code/);
    expect(existsSync(join(place, 'probe'))).toBe(false);
    expect(existsSync(join(root, 'probe'))).toBe(false);
    expect(readdirSync(place)).toEqual(['entry']);
  });

  it('with an absolute member writes nothing there', async () => {
    const probe = join(newFolder(), 'probe');
    const archive: TarMember[] = [...members, { name: probe, type: '0', content: 'x' }];
    expect(await restored(archive)).toMatch(/which is no part of an entry|exit code/);
    expect(existsSync(probe)).toBe(false);
    unpackedTrustfully(archive);
    expect(existsSync(probe)).toBe(true);
  });

  it.each([
    ['an absolute one', (outside: string) => outside],
    ['a relative one', (outside: string) => `../../../../${outside.slice(root.length + 1)}`],
  ])('with a link and a member behind it writes nothing there (%s)', async (_, target) => {
    const outside = newFolder();
    const archive: TarMember[] = [
      ...members,
      { name: 'entry/link', type: '2', target: target(outside) },
      { name: 'entry/link/probe', type: '0', content: 'x' },
    ];
    expect(await restored(archive)).toMatch(/is no plain file|exit code|not in its manifest/);
    expect(readdirSync(outside)).toEqual([]);
    if (target(outside) !== outside) return;
    unpackedTrustfully(archive);
    expect(readdirSync(outside)).toEqual(['probe']);
  });

  it('with a hard link to a file outside is refused, and the file stays as it is', async () => {
    const secret = join(newFolder(), 'secret');
    writeFileSync(secret, 'as it was');
    const archive: TarMember[] = [
      ...members,
      { name: 'entry/stdout', type: '1', target: secret },
      { name: 'entry/stdout', type: '0', content: 'overwritten' },
    ];
    expect(await restored(archive)).toMatch(/is no plain file|exit code|not in its manifest/);
    expect(readFileSync(secret, 'utf8')).toBe('as it was');
  });

  it('with two names for one file is refused', async () => {
    const archive: TarMember[] = [
      ...members,
      { name: 'entry/stdout', type: '1', target: 'entry/envelope.json' },
    ];
    expect(await restored(archive)).toMatch(/is no plain file/);
  });

  it.each([
    ['a link', { type: '2', target: 'envelope.json' }],
    ['a link that leads nowhere', { type: '2', target: 'nowhere' }],
    ['a FIFO', { type: '6' }],
    ['a device', { type: '3' }],
  ] as const)('with %s among its members is refused', async (_, member) => {
    const archive: TarMember[] = [...members, { name: 'entry/stdout', ...member }];
    expect(await restored(archive)).toMatch(/stdout is no plain file|exit code/);
  });

  it('that is nothing but a link to an entry elsewhere is refused', async () => {
    const elsewhere = newFolder();
    for (const { name, content = '' } of members) {
      writeFileSync(join(elsewhere, name.slice('entry/'.length)), content);
    }
    expect(checkEntry(elsewhere, SUBJECT).ok).toBe(true);
    const archive: TarMember[] = [{ name: 'entry', type: '2', target: elsewhere }];
    expect(await restored(archive)).toMatch(/holds no folder/);
    expect(readdirSync(elsewhere)).toHaveLength(members.length);
  });

  it('that is one file is refused', async () => {
    expect(await restored([{ name: 'entry', type: '0', content: 'x' }])).toMatch(/holds no folder/);
  });

  it('with a member beside the entry is refused', async () => {
    const archive: TarMember[] = [...members, { name: 'zstd', type: '0', content: 'x' }];
    expect(await restored(archive)).toMatch(/holds zstd, which is no part of an entry/);
  });

  it('without members is refused', async () => {
    expect(await restored([])).toMatch(/empty/);
  });

  it('whose members stand twice in it is what the last ones make of it', async () => {
    const twice = members.map((member) => ({ ...member, content: 'first' }));
    expect(await restored([...twice, ...members])).toBe('accepted');
    expect(await restored([...members, ...twice])).not.toBe('accepted');
  });
});

it('with such an archive under each key the gate runs its stages, and nothing outside changes', async () => {
  const server = await startCacheServer();
  const design = cachedDesign();
  await passWithCache(design, onGithub(server));
  const outside = newFolder();
  const archive: TarMember[] = [
    { name: 'entry', type: '5' },
    { name: 'entry/outputs', type: '2', target: outside },
    { name: 'entry/outputs/probe', type: '0', content: 'x' },
    { name: join(outside, 'absolute'), type: '0', content: 'x' },
  ];
  for (const entry of server.entries()) {
    server.put({ ...entry, bytes: compressed(tarArchive(archive), entry.bytes) });
  }
  const pass = await passWithCache(freshCopy(design), onGithub(server));
  expect(pass.answer.verdict).toBe('proven');
  expect(deedsIn(pass)).toEqual({ first: 'ran', second: 'ran' });
  expect(pass.notices).toHaveLength(2);
  expect(readdirSync(outside)).toEqual([]);
});

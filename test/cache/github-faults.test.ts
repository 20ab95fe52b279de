import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { findOnPath } from '../../src/process/find-program.ts';
import {
  type Api,
  type CacheServer,
  type Fault,
  SIGNATURE,
  type StoredEntry,
  startCacheServer,
  TOKEN,
} from '../support/cache-server.ts';
import {
  type CachedPass,
  cachedDesign,
  freshCopy,
  onGithub,
  passWithCache,
  startsIn,
} from '../support/cached-design.ts';
import { deedsIn } from '../support/gate.ts';
import { scratchFolder } from '../support/scratch.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/**
 * The fault table of spec/08 §3.3, each row as a pass of the gate over a real server by the real
 * client: whatever the cache does, the stages are run, the design is proven, and one notice says
 * why. A server that answers at all is waited for as long as its client tries; with the limits of
 * the slow rows, no longer than those.
 */

// Each of them starts some processes; the limits of a call start to count with the call.
vi.setConfig({ maxConcurrency: 6, testTimeout: 180_000 });

const RAN = { first: 'ran', second: 'ran' };
/** More than the client's first attempt takes, less than its attempts together. */
const SLOW_MS = 6000;
const SILENT_MS = 2500;
/** By which a call may outlast its limit. */
const GRACE_MS = 2000;

let design: TestWorkspace;
let kept: readonly StoredEntry[];

beforeAll(async () => {
  const server = await startCacheServer();
  design = cachedDesign();
  const pass = await passWithCache(design, onGithub(server));
  expect(pass.answer.verdict).toBe('proven');
  expect(pass.notices).toEqual([]);
  kept = server.entries();
  expect(kept).toHaveLength(2);
}, 120_000);

async function warmServer(): Promise<CacheServer> {
  const server = await startCacheServer();
  for (const entry of kept) server.put(entry);
  return server;
}

interface Faulty {
  readonly server: CacheServer;
  readonly limitMs?: number | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly mayRestore?: boolean;
}

/** A pass over a copy that has neither log nor outputs; checks what holds whatever goes wrong. */
async function faultyPass(
  { server, limitMs = 30_000, environment = {}, mayRestore = true }: Faulty,
  copy = freshCopy(design),
): Promise<CachedPass> {
  const deadlines = { lookupMs: limitMs, transferMs: limitMs };
  const choice = { ...onGithub(server, environment), deadlines };
  const pass = await passWithCache(copy, choice, { mayRestore });
  expect(pass.answer.verdict).toBe('proven');
  expect(Math.max(0, ...pass.calls.map(({ ms }) => ms))).toBeLessThan(limitMs + GRACE_MS);
  const told = JSON.stringify(pass.events);
  for (const unwanted of [TOKEN, SIGNATURE, 'devstoreaccount1', '##[']) {
    expect(told).not.toContain(unwanted);
  }
  for (const notice of pass.notices) expect(notice).not.toMatch(/^::|[\r\n]/);
  expect(readdirSync(copy.at('.signoff')).filter((name) => name.startsWith('staging'))).toEqual([]);
  // Every process that spoke to the server has ended with the call that it was started for.
  await vi.waitFor(() => expect(server.connections).toBe(0));
  return pass;
}

function status(code: number, headers: Record<string, string> = {}): Fault {
  return { kind: 'status', status: code, headers, message: 'these words' };
}

const PAGE: Fault = { kind: 'html', status: 200 };
const RATE_LIMIT = /rate limit will reset in 7 seconds/;

interface Row {
  readonly api: Api;
  readonly fault: Fault;
  /** The one notice. */
  readonly says: RegExp;
  /** How often this API was asked; `again and again`: until the limit of time ends it. */
  readonly asked: number | 'again and again';
}

function limitFor(asked: Row['asked']): number | undefined {
  return typeof asked === 'number' ? undefined : SLOW_MS;
}

function expectAsked(requests: number, asked: Row['asked']): void {
  if (typeof asked === 'number') expect(requests).toBe(asked);
  else expect(requests).toBeGreaterThanOrEqual(1);
}

const PART_DOWN: Readonly<Record<string, Row>> = {
  'a look-up that is forbidden': {
    api: 'lookup',
    fault: status(403),
    says: /\(403\) Forbidden: these words/,
    asked: 1,
  },
  'a look-up that is rate limited': {
    api: 'lookup',
    fault: status(429),
    says: /\(429\) Too Many Requests: these words/,
    asked: 1,
  },
  'a look-up that is rate limited for a time': {
    api: 'lookup',
    fault: status(429, { 'retry-after': '7' }),
    says: RATE_LIMIT,
    asked: 1,
  },
  'a look-up that fails': {
    api: 'lookup',
    fault: status(500),
    says: /no answer within 6 s: .*\(500\) Internal Server Error/,
    asked: 'again and again',
  },
  'a look-up that is unavailable': {
    api: 'lookup',
    fault: status(503),
    says: /no answer within 6 s: .*\(503\) Service Unavailable/,
    asked: 'again and again',
  },
  'a look-up that is answered with a page': {
    api: 'lookup',
    fault: PAGE,
    says: /no answer within 6 s: .*not valid JSON/,
    asked: 'again and again',
  },
  'a look-up whose answer is cut off': {
    api: 'lookup',
    fault: { kind: 'reset' },
    says: /the connection ended before the answer/,
    asked: 1,
  },
  'a download that fails': {
    api: 'download',
    fault: status(500),
    says: /responded with 500/,
    asked: 1,
  },
  'a download that is unavailable': {
    api: 'download',
    fault: status(503),
    says: /the transfer did not end within 6 s/,
    asked: 'again and again',
  },
  'a download that is cut off': {
    api: 'download',
    fault: { kind: 'reset' },
    says: /aborted/,
    asked: 1,
  },
  'a download that comes to a halt': {
    api: 'download',
    fault: { kind: 'stall' },
    says: /Premature close|did not end within/,
    asked: 1,
  },
};

describe.concurrent('when restoring shows that the service is down', () => {
  it.each(Object.entries(PART_DOWN))(
    '(%s) every stage is run and it is asked no more',
    async (_, { api, fault, says, asked }) => {
      const server = await warmServer();
      server.order(api, fault);
      const copy = freshCopy(design);
      const pass = await faultyPass({ server, limitMs: limitFor(asked) }, copy);
      expect(deedsIn(pass)).toEqual(RAN);
      expect(startsIn(copy)).toEqual(['first', 'second']);
      expect(pass.notices).toEqual([expect.stringMatching(says)]);
      expect(pass.notices[0]).toMatch(/^the Actions cache .* so stages are run instead: /);
      expectAsked(server.requests[api], asked);
      expect(server.requests.create).toBe(0);
      const [, ...later] = pass.calls;
      expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(100);
    },
  );
});

const ONE_BAD: Readonly<Record<string, Omit<Row, 'asked'>>> = {
  'whose archive is gone': { api: 'download', fault: status(404), says: /tar.* exit code 2/ },
  'whose download is rate limited': {
    api: 'download',
    fault: status(429),
    says: /tar.* exit code 2/,
  },
  'whose download is a page': { api: 'download', fault: PAGE, says: /tar.* exit code 2/ },
  'whose archive is cut short': {
    api: 'download',
    fault: { kind: 'bytes', change: (bytes) => bytes.subarray(0, bytes.length >> 1) },
    says: /tar.* exit code 2/,
  },
  'whose archive is damaged': {
    api: 'download',
    fault: { kind: 'bytes', change: damaged },
    says: /tar.* exit code 2/,
  },
  'whose archive is that of another result': {
    api: 'download',
    fault: { kind: 'bytes', change: (bytes) => otherThan(bytes) },
    says: /its manifest is that of another run/,
  },
  'that is answered with a key that only begins alike': {
    api: 'lookup',
    // Where words of the service are repeated, they must not be commands to a runner.
    fault: { kind: 'other-key', key: 'signoff-gate-1-first-##[warning]x\n::error::y' },
    says: /another key, signoff-gate-1-first-## \[warning\]/,
  },
};

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const middle = bytes.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}

function otherThan(bytes: Buffer): Buffer {
  const other = kept.find((entry) => !entry.bytes.equals(bytes));
  if (!other) throw new Error('there is no other entry');
  return other.bytes;
}

describe.concurrent('an entry', () => {
  it.each(Object.entries(ONE_BAD))(
    '%s is refused: its stage is run, the other one restored',
    async (_, { api, fault, says }) => {
      const server = await warmServer();
      server.order(api, fault, '-first-');
      const pass = await faultyPass({ server });
      expect(deedsIn(pass)).toEqual({ first: 'ran', second: 'restored' });
      expect(pass.notices).toEqual([expect.stringMatching(says)]);
      expect(pass.notices[0]).toMatch(
        /^its result in the Actions cache is not used, so it is run: /,
      );
      expect(pass.events).toContainEqual(
        expect.objectContaining({ kind: 'notice', stage: 'first' }),
      );
    },
  );
});

const NOT_KEPT: Readonly<Record<string, Row>> = {
  'a reservation that is refused': {
    api: 'create',
    fault: { kind: 'not-ok', message: 'cache write denied: ##[warning]\n::error::' },
    says: /cache write denied/,
    asked: 1,
  },
  'a reservation that is rate limited': {
    api: 'create',
    fault: status(429),
    says: /\(429\) Too Many Requests: these words/,
    asked: 1,
  },
  'a reservation that is rate limited for a time': {
    api: 'create',
    fault: status(429, { 'retry-after': '7' }),
    says: RATE_LIMIT,
    asked: 1,
  },
  'a reservation that is forbidden': {
    api: 'create',
    fault: status(403),
    says: /\(403\) Forbidden: these words/,
    asked: 1,
  },
  'a reservation that fails': {
    api: 'create',
    fault: status(500),
    says: /did not end within 6 s: .*\(500\) Internal Server Error/,
    asked: 'again and again',
  },
  'a reservation that is unavailable': {
    api: 'create',
    fault: status(503),
    says: /did not end within 6 s: .*\(503\) Service Unavailable/,
    asked: 'again and again',
  },
  'a reservation that is answered with a page': {
    api: 'create',
    fault: { kind: 'html', status: 500 },
    says: /did not end within 6 s: .*not valid JSON/,
    asked: 'again and again',
  },
  'a reservation whose answer is cut off': {
    api: 'create',
    fault: { kind: 'reset' },
    says: /the connection ended before the answer/,
    asked: 1,
  },
  'an upload that is forbidden': {
    api: 'upload',
    fault: status(403),
    says: /error uploading cache archive: .*these words/,
    asked: 1,
  },
  'an upload that is rate limited': {
    api: 'upload',
    fault: status(429),
    says: /error uploading cache archive: .*these words/,
    asked: 1,
  },
  'an upload that fails': {
    api: 'upload',
    fault: status(500),
    says: /the transfer did not end within 6 s/,
    asked: 'again and again',
  },
  'an upload that is unavailable': {
    api: 'upload',
    fault: status(503),
    says: /the transfer did not end within 6 s/,
    asked: 'again and again',
  },
  'an upload that is cut off': {
    api: 'upload',
    fault: { kind: 'reset' },
    says: /error uploading cache archive: .*aborted/,
    asked: 1,
  },
  'an upload that another one overtook': {
    api: 'finalize',
    fault: status(409),
    says: /\(409\) Conflict: these words/,
    asked: 1,
  },
  'an upload that is not accepted': {
    api: 'finalize',
    fault: { kind: 'not-ok', message: 'too large for these words' },
    says: /too large for these words/,
    asked: 1,
  },
  'an upload that cannot be completed': {
    api: 'finalize',
    fault: status(500),
    says: /did not end within 6 s: .*\(500\) Internal Server Error/,
    asked: 'again and again',
  },
};

describe.concurrent('when saving shows that the service is down', () => {
  it.each(Object.entries(NOT_KEPT))(
    '(%s) the verdict stands and it is asked no more',
    async (_, { api, fault, says, asked }) => {
      const server = await startCacheServer();
      server.order(api, fault);
      const pass = await faultyPass({ server, limitMs: limitFor(asked), mayRestore: false });
      expect(deedsIn(pass)).toEqual(RAN);
      expect(pass.notices).toEqual([expect.stringMatching(says)]);
      expect(pass.notices[0]).toMatch(/^the Actions cache .* so results are not kept: /);
      expectAsked(server.requests[api], asked);
      expect(server.entries()).toEqual([]);
      expect(pass.calls).toHaveLength(1);
    },
  );
});

describe.concurrent('a key that is taken', () => {
  it('is no failure: nothing is told and the next result is saved', async () => {
    const server = await startCacheServer();
    for (const entry of kept) if (entry.key.includes('-first-')) server.put(entry);
    const pass = await faultyPass({ server, mayRestore: false });
    expect(pass.notices).toEqual([]);
    expect(pass.calls.map(({ stage, answer }) => [stage, answer])).toEqual([
      ['first', 'taken'],
      ['second', 'saved'],
    ]);
    expect(server.requests).toMatchObject({ create: 2, upload: 1 });
  });
});

// One after the other: nothing else is to take its time from the clock.
describe('a service that takes a request and never answers', () => {
  it.each([
    ['look-up', 'lookup', 'restore', /no answer within 2\.5 s$/],
    ['download', 'download', 'restore', /the transfer did not end within 2\.5 s$/],
    ['reservation', 'create', 'save', /the transfer did not end within 2\.5 s$/],
    ['upload', 'upload', 'save', /the transfer did not end within 2\.5 s$/],
    ['completion', 'finalize', 'save', /the transfer did not end within 2\.5 s$/],
  ] as const)('costs one limit of time (%s)', async (_, api, action, says) => {
    const server = action === 'restore' ? await warmServer() : await startCacheServer();
    server.order(api, { kind: 'silence' });
    const mayRestore = action === 'restore';
    const pass = await faultyPass({ server, limitMs: SILENT_MS, mayRestore });
    expect(deedsIn(pass)).toEqual(RAN);
    expect(pass.notices).toEqual([expect.stringMatching(says)]);
    const [first, ...later] = pass.calls;
    expect(first).toMatchObject({ action, answer: 'failed' });
    expect(first?.ms).toBeGreaterThanOrEqual(SILENT_MS);
    expect(Math.max(0, ...later.map(({ ms }) => ms))).toBeLessThan(100);
    expect(server.requests[api]).toBeLessThanOrEqual(1);
  });
});

describe.concurrent('surroundings that are not as they should be', () => {
  it('a service that is not there is one notice and no wait', async () => {
    const gone = await startCacheServer();
    const environment = { ACTIONS_RESULTS_URL: `${gone.origin}/` };
    await gone.close();
    const server = await startCacheServer();
    const pass = await faultyPass({ server, environment });
    expect(pass.notices).toEqual([expect.stringMatching(/ECONNREFUSED/)]);
    expect(deedsIn(pass)).toEqual(RAN);
  });

  it('a service whose name leads nowhere is one notice', async () => {
    const server = await startCacheServer();
    // RFC 6761: this name is never one.
    const environment = { ACTIONS_RESULTS_URL: 'http://cache.invalid/' };
    const pass = await faultyPass({ server, environment, limitMs: SLOW_MS });
    expect(pass.notices).toEqual([
      expect.stringMatching(/ENOTFOUND|EAI_AGAIN|no answer within|Failed to GetCacheEntry/),
    ]);
    expect(deedsIn(pass)).toEqual(RAN);
  });

  it('an address that is none is one notice', async () => {
    const server = await startCacheServer();
    const pass = await faultyPass({ server, environment: { ACTIONS_RESULTS_URL: 'nowhere' } });
    expect(pass.notices).toEqual([expect.stringMatching(/Invalid URL/)]);
    expect(deedsIn(pass)).toEqual(RAN);
  });

  it('a token that is not valid is one notice', async () => {
    const server = await warmServer();
    const pass = await faultyPass({ server, environment: { ACTIONS_RUNTIME_TOKEN: 'another' } });
    expect(pass.notices).toEqual([expect.stringMatching(/\(401\) Unauthorized/)]);
    expect(server.requests.lookup).toBe(1);
  });

  it.each([
    ['a token', { ACTIONS_RUNTIME_TOKEN: '' }, 'no token'],
    ['an address', { ACTIONS_RESULTS_URL: '' }, 'no address'],
    ['the second version of the service', { ACTIONS_CACHE_SERVICE_V2: '' }, 'no address'],
    [
      'GitHub, for whose own server there is no such address,',
      { GITHUB_SERVER_URL: 'https://git.example' },
      'no address',
    ],
  ])('a runner without %s is one notice, and nobody is asked', async (_, environment, why) => {
    const server = await startCacheServer();
    const pass = await faultyPass({ server, environment });
    expect(pass.notices).toEqual([`no cache is used: the runner offers no cache service (${why})`]);
    expect(pass.calls).toEqual([]);
    expect(deedsIn(pass)).toEqual(RAN);
  });

  it('without `tar` nothing is kept, which is told once', async () => {
    const server = await startCacheServer();
    const environment = { PATH: pathOf('zstd') };
    const pass = await faultyPass({ server, environment, mayRestore: false });
    expect(pass.notices).toEqual([expect.stringMatching(/unable to locate executable file: tar/i)]);
    expect(server.requests.create).toBe(0);
  });

  it('with a `tar` that fails nothing is kept, which is told once', async () => {
    const server = await startCacheServer();
    const bin = pathOf('zstd', 'sh');
    writeFileSync(join(bin, 'tar'), '#!/bin/sh\nexit 2\n', { mode: 0o755 });
    const pass = await faultyPass({ server, environment: { PATH: bin }, mayRestore: false });
    expect(pass.notices).toEqual([expect.stringMatching(/tar.* exit code 2/)]);
    expect(pass.calls).toHaveLength(1);
    expect(server.requests.create).toBe(0);
  });

  it('without `zstd` archives are made by another program, and restored by it', async () => {
    const server = await startCacheServer();
    const environment = { PATH: pathOf('tar', 'gzip', 'sh') };
    await faultyPass({ server, environment, mayRestore: false });
    const pass = await faultyPass({ server, environment });
    expect(deedsIn(pass)).toEqual({ first: 'restored', second: 'restored' });
    expect(pass.notices).toEqual([]);
  });
});

/** A folder that holds the programs named and no other. */
function pathOf(...names: readonly string[]): string {
  const bin = join(scratchFolder(), 'bin');
  mkdirSync(bin);
  for (const name of names) {
    const program = findOnPath(name, process.env['PATH'] ?? '');
    if (program !== undefined) symlinkSync(program, join(bin, name));
  }
  return bin;
}

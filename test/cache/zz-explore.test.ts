import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Api,
  type Fault,
  SIGNATURE,
  type StoredEntry,
  startCacheServer,
  TOKEN,
} from '../support/cache-server.ts';
import {
  cachedDesign,
  freshCopy,
  onGithub,
  passWithCache,
  startsIn,
} from '../support/cached-design.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const S = (status: number, headers = {}, message = 'some words'): Fault => ({
  kind: 'status',
  status,
  headers,
  message,
});
let warm: StoredEntry[];
let design: TestWorkspace;
beforeAll(async () => {
  design = cachedDesign();
  const server = await startCacheServer();
  const pass = await passWithCache(design, onGithub(server));
  console.log(JSON.stringify([pass.answer.verdict, pass.calls, pass.notices, server.requests]));
  warm = server.entries();
});
const rows: [Api, string, Fault, number][] = [];
for (const api of ['lookup', 'download', 'create', 'upload', 'finalize'] as const) {
  rows.push(
    [api, '403', S(403), 8],
    [api, '404', S(404), 8],
    [api, '409', S(409), 8],
    [api, '429', S(429), 8],
    [api, '429r', S(429, { 'retry-after': '7' }), 8],
    [api, '500', S(500), 8],
    [api, '503', S(503), 8],
    [api, 'html', { kind: 'html', status: 500 }, 8],
    [api, 'html200', { kind: 'html' }, 8],
    [api, 'notok', { kind: 'not-ok', message: 'no room left' }, 8],
    [api, 'notok-silent', { kind: 'not-ok' }, 8],
    [api, 'reset', { kind: 'reset' }, 8],
    [api, 'stall', { kind: 'stall' }, 8],
    [api, 'silence', { kind: 'silence' }, 4],
  );
}
rows.push(
  ['lookup', 'other', { kind: 'other-key', key: 'signoff-gate-1-first-abc-##[x]' }, 8],
  ['download', 'trunc', { kind: 'bytes', change: (b) => b.subarray(0, b.length >> 1) }, 8],
  [
    'download',
    'corrupt',
    {
      kind: 'bytes',
      change: (b) => {
        const c = Buffer.from(b);
        c[c.length >> 1] = (c[c.length >> 1] ?? 0) ^ 0xff;
        return c;
      },
    },
    8,
  ],
  ['download', 'other', { kind: 'bytes', change: () => warm[1]!.bytes }, 8],
);
describe.concurrent('x', () => {
  it.each(rows)('%s %s', async (api, name, fault, s) => {
    const server = await startCacheServer();
    const isRestore = api === 'lookup' || api === 'download';
    if (isRestore) for (const e of warm) server.put(e);
    server.order(api, fault, '-first-');
    const copy = freshCopy(design);
    const t = performance.now();
    const pass = await passWithCache(
      copy,
      { ...onGithub(server), deadlines: { lookupMs: s * 1000, transferMs: s * 1000 } },
      { mayRestore: isRestore },
    );
    console.log(
      [
        api,
        name,
        pass.answer.verdict,
        Math.round(performance.now() - t),
        startsIn(copy).join(),
        pass.calls.map((c) => `${c.action} ${c.stage} ${c.answer} ${c.ms}`).join('; '),
        JSON.stringify(pass.notices),
        JSON.stringify(server.requests),
      ].join(' | '),
    );
    const all = JSON.stringify(pass.events);
    expect(all).not.toContain(TOKEN);
    expect(all).not.toContain(SIGNATURE);
  });
});

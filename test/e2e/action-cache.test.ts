import { describe, expect, test } from 'vitest';
import { type ActionRun, commandsNamed, listIn, runAction } from '../support/action.ts';
import { type CacheServer, SIGNATURE, startCacheServer, TOKEN } from '../support/cache-server.ts';
import { cachedDesign, freshCopy, startsIn } from '../support/cached-design.ts';
import { GitRepository } from '../support/git.ts';
import type { EventName } from '../support/github-events.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** The action with the cache service of a runner: which events save, and which restore. */

const BOTH = ['first', 'second'];

function runWith(
  server: CacheServer,
  workspace: TestWorkspace,
  event: EventName,
  inputs: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  // The events of a change name a base, which is there: the change alters nothing.
  const repository = new GitRepository(workspace.root);
  const base = repository.commit();
  repository.commit();
  return runAction(workspace.root, { event, base, inputs, environment: server.environment() });
}

function expectNoSecret(run: ActionRun, workspace: TestWorkspace): void {
  for (const text of [run.log, run.summary, workspace.read('events.jsonl')]) {
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(SIGNATURE);
  }
}

describe('a result that a push has kept', () => {
  test('is restored in a fresh checkout, but not for a release or a tag unless asked for', async () => {
    const server = await startCacheServer();
    const design = cachedDesign();
    const first = await runWith(server, design, 'push');
    expect([first.status, listIn(first, 'reran')]).toEqual([0, BOTH]);
    expect(server.entries()).toHaveLength(2);
    expectNoSecret(first, design);

    const pulled = freshCopy(design);
    const second = await runWith(server, pulled, 'merge_group');
    expect([second.status, second.outputs['verdict']]).toEqual([0, 'proven']);
    expect([listIn(second, 'restored'), listIn(second, 'reran')]).toEqual([BOTH, []]);
    expect(startsIn(pulled)).toEqual([]);
    expect(pulled.read('build/b.txt')).toBe(design.read('build/b.txt'));
    expect(second.summary).toContain('2 of 2 proven · 0 ran · 2 restored from the cache');
    expect(commandsNamed(second, 'notice')).toEqual([]);
    expectNoSecret(second, pulled);

    const lookups = server.requests.lookup;
    for (const event of ['release', 'tag'] as const) {
      const released = freshCopy(design);
      const run = await runWith(server, released, event);
      expect([run.status, listIn(run, 'restored')]).toEqual([0, []]);
      expect(startsIn(released)).toEqual(BOTH);
    }
    expect(server.requests.lookup).toBe(lookups);

    const asked = await runWith(server, freshCopy(design), 'release', { restore: 'always' });
    expect([asked.status, listIn(asked, 'restored')]).toEqual([0, BOTH]);
  });
});

describe.concurrent('a cache service that is no help', () => {
  test('costs one notice when nothing listens there', async () => {
    const server = await startCacheServer();
    const environment = server.environment();
    await server.close();
    const design = cachedDesign();
    const run = await runAction(design.root, { environment });
    expect([run.status, listIn(run, 'reran')]).toEqual([0, BOTH]);
    const notices = commandsNamed(run, 'notice').map(({ data }) => data);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('is not asked again in this run');
    expect(commandsNamed(run, 'warning')).toEqual([]);
  });

  test('costs one notice and one deadline when it never answers', async () => {
    const server = await startCacheServer();
    server.order('lookup', { kind: 'silence' });
    const design = cachedDesign();
    const run = await runWith(server, design, 'push', { 'cache-lookup-seconds': '1' });
    expect([run.status, listIn(run, 'reran')]).toEqual([0, BOTH]);
    expect(commandsNamed(run, 'notice').map(({ data }) => data)).toEqual([
      expect.stringContaining('no answer within 1 s'),
    ]);
    expect(server.requests.lookup).toBe(1);
    expect(run.livedOnMs).toBeLessThan(2000);
  });
});

test('`cache: auto` never means a folder of the machine', async () => {
  const design = cachedDesign();
  const home = design.outside;
  const repository = new GitRepository(design.root);
  const base = repository.commit();
  repository.commit();
  const run = await runAction(design.root, { event: 'fork', base, environment: { HOME: home } });
  expect([run.status, listIn(run, 'reran')]).toEqual([0, BOTH]);
  expect(commandsNamed(run, 'notice').map(({ data }) => data)).toEqual([
    expect.stringContaining('no cache is used'),
  ]);
  expect(design.has('../outside/.cache')).toBe(false);
});

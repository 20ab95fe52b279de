import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CacheChoice } from '../../src/gate/open-cache.ts';
import { type CacheServer, startCacheServer } from '../support/cache-server.ts';
import {
  cachedDesign,
  engine,
  freshCopy,
  onGithub,
  passWithCache,
  startsIn,
} from '../support/cached-design.ts';
import { codesIn, deedsIn, statusesIn } from '../support/gate.ts';
import { scratchFolder } from '../support/scratch.ts';
import { makeWorkspace, SAYS_CLEAN, type TestWorkspace } from '../support/workspace.ts';

/** Which results are kept, and where. */

vi.setConfig({ maxConcurrency: 4, testTimeout: 120_000 });

interface Kept {
  readonly choice: Partial<CacheChoice>;
  /** The stages that something is kept of. */
  readonly stages: () => string[];
}

function inDirectory(): Kept {
  const directory = join(scratchFolder(), 'cache');
  return {
    choice: { kind: 'directory', directory },
    stages: () => (existsSync(directory) ? readdirSync(directory).map(stageOf).sort() : []),
  };
}

function onServer(server: CacheServer): Kept {
  return {
    choice: onGithub(server),
    stages: () =>
      server
        .entries()
        .map(({ key }) => stageOf(key))
        .sort(),
  };
}

function stageOf(key: string): string {
  return key.replace(/^signoff-gate-1-(.*)-[0-9a-f]{64}$/, '$1');
}

describe.concurrent('a result is kept', () => {
  it('when it is a pass', async () => {
    const { choice, stages } = inDirectory();
    await passWithCache(cachedDesign(), choice);
    expect(stages()).toEqual(['first', 'second']);
  });

  it('of a stage that passes although another one fails', async () => {
    const { choice, stages } = inDirectory();
    const design = cachedDesign();
    design.write('b.v', 'module b; // BUG\nendmodule\n');
    const pass = await passWithCache(design, choice);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(stages()).toEqual(['first']);
    // A failure is found anew elsewhere.
    const copy = freshCopy(design);
    const again = await passWithCache(copy, choice);
    expect(deedsIn(again)).toEqual({ first: 'restored', second: 'ran' });
    expect(statusesIn(again)).toMatchObject({ second: 'failed' });
  });
});

describe.concurrent('a result is not kept', () => {
  it.each([
    ['a fail', `echo '{"clean": false}'`, 'failed'],
    ['unknown', `echo '{}'`, 'blocked'],
    ['that of an engine that broke down', 'exit 3', 'blocked'],
    ['that of an engine whose output did not come', `rm -f build/a.txt; ${SAYS_CLEAN}`, 'blocked'],
  ])('when it is %s', async (_, does, status) => {
    const { choice, stages } = inDirectory();
    const design = cachedDesign();
    const writes = 'mkdir -p build/more; cp a.v build/a.txt; echo 1 > build/more/1';
    design.write('first.sh', engine(`${writes}\n${does}`, 'first'));
    const pass = await passWithCache(design, choice);
    expect(statusesIn(pass)).toMatchObject({ first: status });
    expect(stages()).toEqual([]);
    expect(pass.notices).toEqual([]);
  });

  it('when it makes no claim, unless the flow says `claims: none`', async () => {
    const noClaim = { assertion: { not_applicable: true } };
    const writes = 'mkdir -p build; cp a.v build/a.txt; echo "{}"';
    const makes = (claims: string): TestWorkspace =>
      makeWorkspace({
        flow: `stages:\n  convert: { uses: ./c.sh, inputs: [a.v], outputs: [build/a.txt]${claims} }\n`,
        files: { 'a.v': 'a', 'c.sh': engine(writes, 'convert', noClaim) },
      });
    const without = inDirectory();
    await passWithCache(makes(''), without.choice);
    expect(without.stages()).toEqual([]);
    const withNone = inDirectory();
    await passWithCache(makes(', claims: none'), withNone.choice);
    expect(withNone.stages()).toEqual(['convert']);
  });

  it('when nothing binds it to files', async () => {
    const { choice, stages } = inDirectory();
    const design = makeWorkspace({
      flow: 'stages:\n  free: { uses: ./free.sh, inputs: none }\n',
      files: { 'free.sh': engine(SAYS_CLEAN, 'free') },
    });
    const pass = await passWithCache(design, choice);
    expect(pass.answer.verdict).toBe('proven');
    expect(stages()).toEqual([]);
    expect(pass.calls).toEqual([]);
  });

  it('when its stage was not reproducible here, lest it be proven elsewhere', async () => {
    const { choice, stages } = inDirectory();
    const flag = join(scratchFolder(), 'flag');
    const design = cachedDesign();
    design.write(
      'first.sh',
      engine(
        `mkdir -p build/more; cp a.v build/a.txt; echo 1 > build/more/1
if [ -e ${flag} ]; then ${SAYS_CLEAN}; else echo '{"clean": false}'; fi`,
        'first',
      ),
    );
    await passWithCache(design, choice);
    writeFileSync(flag, '');
    const pass = await passWithCache(design, choice, { rerun: true });
    expect(statusesIn(pass)).toMatchObject({ first: 'valid' });
    expect(pass.answer.verdict).toBe('not-proven');
    expect(codesIn(pass)).toEqual(['log/anomaly']);
    expect(stages()).not.toContain('first');
  });

  it('when an earlier pass made it', async () => {
    const { choice, stages } = inDirectory();
    const design = cachedDesign();
    await passWithCache(design, { kind: 'off' });
    const pass = await passWithCache(design, choice);
    expect(deedsIn(pass)).toEqual({ first: 'reused', second: 'reused' });
    expect(stages()).toEqual([]);
  });
});

describe.concurrent('a command', () => {
  const flow = (tools: string): string => `stages:
  regress:
    run: echo regress >> starts; mkdir -p build; cp a.v build/a.txt
    inputs: [a.v]
    outputs: [build/a.txt]
    evidence: exit-code
${tools}`;
  const TOOLS = '    tools: [sh]\n';

  function command(tools: string): TestWorkspace {
    return makeWorkspace({ flow: flow(tools), files: { 'a.v': 'a' } });
  }

  it('without tools stays on this machine', async () => {
    const server = await startCacheServer();
    const shared = onServer(server);
    const pass = await passWithCache(command(''), shared.choice);
    expect(pass.answer.verdict).toBe('proven');
    expect(shared.stages()).toEqual([]);
    expect(pass.calls).toEqual([]);
    expect(server.requests).toMatchObject({ lookup: 0, create: 0 });

    const here = inDirectory();
    await passWithCache(command(''), here.choice);
    expect(here.stages()).toEqual(['regress']);
    const again = command('');
    expect(deedsIn(await passWithCache(again, here.choice))).toEqual({ regress: 'restored' });
    expect(startsIn(again)).toEqual([]);
  });

  it('that names its tools may leave it', async () => {
    const shared = onServer(await startCacheServer());
    await passWithCache(command(TOOLS), shared.choice);
    expect(shared.stages()).toEqual(['regress']);
    expect(deedsIn(await passWithCache(command(TOOLS), shared.choice))).toEqual({
      regress: 'restored',
    });
  });
});

describe.concurrent('which cache is used', () => {
  it('on GitHub `auto` is never a directory, whatever there is', async () => {
    const kept = inDirectory();
    const choice = { ...kept.choice, kind: 'auto', isOnGithub: true } as const;
    const pass = await passWithCache(cachedDesign(), choice);
    expect(pass.answer.verdict).toBe('proven');
    expect(kept.stages()).toEqual([]);
    expect(pass.calls).toEqual([]);
    expect(pass.notices).toEqual([
      'no cache is used: the runner offers no cache service (no token)',
    ]);
  });

  it('elsewhere `auto` is the directory', async () => {
    const kept = inDirectory();
    await passWithCache(cachedDesign(), { ...kept.choice, kind: 'auto', isOnGithub: false });
    expect(kept.stages()).toEqual(['first', 'second']);
  });

  it('`off` is none, and nothing is said about it', async () => {
    const kept = inDirectory();
    const pass = await passWithCache(cachedDesign(), { ...kept.choice, kind: 'off' });
    expect(kept.stages()).toEqual([]);
    expect(pass.notices).toEqual([]);
    expect(pass.calls).toEqual([]);
  });
});

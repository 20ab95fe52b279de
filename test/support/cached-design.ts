import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import type { RunCache } from '../../src/cache/run-cache.ts';
import type { CacheUse } from '../../src/gate/cache-use.ts';
import type { GateEvent } from '../../src/gate/events.ts';
import { type CacheChoice, openCache } from '../../src/gate/open-cache.ts';
import { runGate } from '../../src/gate/run.ts';
import { judgementAnswer } from '../../src/report/answers.ts';
import type { CacheServer } from './cache-server.ts';
import { opened, type Pass } from './gate.ts';
import {
  type Content,
  DESCRIPTOR,
  makeWorkspace,
  SAYS_CLEAN,
  SAYS_DIRTY,
  type TestWorkspace,
} from './workspace.ts';

/**
 * A design of two stages whose results can be cached: `first` reads a.v and writes a file and a
 * folder, `second` reads b.v and that file. Each copy of it has the same run keys; engines count
 * their starts in a file that no stage reads.
 */
export function cachedDesign(flow = FLOW): TestWorkspace {
  return makeWorkspace({
    flow,
    files: {
      'a.v': 'module a; endmodule\n',
      'b.v': 'module b; endmodule\n',
      'first.sh': engine(
        `mkdir -p build/more/deep
cp a.v build/a.txt
echo one > build/more/one.txt
echo two > build/more/deep/two.txt
${judges('a.v')}`,
        'first',
      ),
      'second.sh': engine(`cat b.v build/a.txt > build/b.txt\n${judges('b.v')}`, 'second'),
    },
  });
}

export const FLOW = `name: two
stages:
  first:
    uses: ./first.sh
    inputs: [a.v]
    outputs: [build/a.txt, build/more/]
  second:
    uses: ./second.sh
    inputs: [b.v, build/a.txt]
    outputs: [build/b.txt]
`;

/** An engine whose text does not name the workspace that it lies in. */
export function engine(does: string, name: string, descriptor: object = {}): Content {
  const described = JSON.stringify({ ...DESCRIPTOR, ...descriptor });
  return (absolute) => {
    writeFileSync(
      absolute,
      `#!/bin/sh
case "$1" in
  --describe) echo '${described}'; exit 0 ;;
  --version) echo 'tiny 1.0.0'; exit 0 ;;
esac
echo ${name} >> starts
${does}
`,
    );
    chmodSync(absolute, 0o755);
  };
}

function judges(path: string): string {
  return `if grep -q BUG ${path}; then ${SAYS_DIRTY}; else ${SAYS_CLEAN}; fi`;
}

/** The engines that were started in a workspace, in order. */
export function startsIn(workspace: TestWorkspace): string[] {
  return workspace.has('starts') ? workspace.read('starts').trim().split('\n') : [];
}

/** The same sources in another folder, without the log, the outputs and all that the gate left. */
export function freshCopy(of: TestWorkspace): TestWorkspace {
  const copy = makeWorkspace({});
  for (const name of ['signoff.yaml', 'a.v', 'b.v', 'first.sh', 'second.sh']) {
    cpSync(of.at(name), copy.at(name));
  }
  return copy;
}

/** One call of a cache. */
export interface CacheCall {
  readonly action: 'restore' | 'save';
  readonly stage: string;
  readonly answer: string;
  readonly ms: number;
}

/** A pass with a cache: what came of it, and what the cache had to do with it. */
export interface CachedPass extends Pass {
  readonly calls: readonly CacheCall[];
  readonly notices: readonly string[];
}

export interface CachedPassOptions {
  readonly only?: readonly string[];
  readonly rerun?: boolean;
  readonly mayRestore?: boolean;
  readonly signal?: AbortSignal;
}

/** A pass as `signoff-gate run --cache …` makes it, with the times that the cache took. */
export async function passWithCache(
  workspace: TestWorkspace,
  choice: Partial<CacheChoice>,
  options: CachedPassOptions = {},
): Promise<CachedPass> {
  const events: GateEvent[] = [];
  const calls: CacheCall[] = [];
  const emit = (event: GateEvent): void => {
    events.push(event);
  };
  const use = openCache(
    {
      kind: 'auto',
      isOnGithub: true,
      directory: '/nonexistent/a-directory-that-nobody-chose',
      mayRestore: options.mayRestore ?? true,
      environment: {},
      deadlines: { lookupMs: 20_000, transferMs: 20_000 },
      ...choice,
    },
    emit,
  );
  const result = await runGate({
    workspace: opened(workspace),
    only: options.only ?? [],
    rerun: options.rerun ?? false,
    concurrency: 1,
    lockWaitMs: 0,
    command: 'a test',
    cache: use && timed(use, calls),
    emit,
    signal: options.signal ?? new AbortController().signal,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return {
    answer: judgementAnswer(result.value),
    problems: result.value.problems,
    events,
    calls,
    notices: events.flatMap((event) => (event.kind === 'notice' ? [event.message] : [])),
  };
}

/** What a step of a job has, beside the address of the cache service. */
export function onGithub(
  server: CacheServer,
  more: Readonly<Record<string, string>> = {},
): Pick<CacheChoice, 'environment'> {
  return {
    environment: {
      PATH: process.env['PATH'],
      RUNNER_OS: 'Linux',
      ...server.environment(),
      ...more,
    },
  };
}

function timed({ cache, mayRestore }: CacheUse, calls: CacheCall[]): CacheUse {
  const time = async <T extends { readonly kind: string }>(
    action: CacheCall['action'],
    stage: string,
    call: () => Promise<T>,
  ): Promise<T> => {
    const started = performance.now();
    const answer = await call();
    const ms = Math.round(performance.now() - started);
    calls.push({ action, stage, answer: answer.kind, ms });
    return answer;
  };
  const watched: RunCache = {
    name: cache.name,
    isShared: cache.isShared,
    restore: (key, staging, signal) =>
      time('restore', key.stage, () => cache.restore(key, staging, signal)),
    save: (key, from, signal) => time('save', key.stage, () => cache.save(key, from, signal)),
  };
  return { cache: watched, mayRestore };
}

import { directoryCache } from '../cache/directory-cache.ts';
import { type CacheDeadlines, githubCache } from '../cache/github-cache.ts';
import { onceDown } from '../cache/once-down.ts';
import type { RunCache } from '../cache/run-cache.ts';
import type { CacheUse } from './cache-use.ts';
import type { Emit } from './events.ts';

export const CACHE_KINDS = ['auto', 'github', 'directory', 'off'] as const;
export type CacheKind = (typeof CACHE_KINDS)[number];

export function isCacheKind(text: string): text is CacheKind {
  return (CACHE_KINDS as readonly string[]).includes(text);
}

/** What an edge knows about the cache that its user asked for. */
export interface CacheChoice {
  readonly kind: CacheKind;
  readonly isOnGithub: boolean;
  /** Absolute path of the folder that a directory cache is in. */
  readonly directory: string;
  readonly mayRestore: boolean;
  readonly restoresTouched?: boolean | undefined;
  /** Of the gate: holds what the Actions cache is reached with. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly deadlines: CacheDeadlines;
}

/**
 * Opens the cache that was chosen; undefined when there is none, which is told where one was hoped
 * for. On GitHub `auto` never means a directory: a self-hosted runner shares its disk with jobs of
 * other branches.
 */
export function openCache(choice: CacheChoice, emit: Emit): CacheUse | undefined {
  const kind = choice.kind === 'auto' ? (choice.isOnGithub ? 'github' : 'directory') : choice.kind;
  if (kind === 'off') return undefined;
  const cache =
    kind === 'directory'
      ? directoryCache(choice.directory)
      : githubCache(choice.environment, choice.deadlines);
  if (typeof cache === 'string') {
    emit({ kind: 'notice', message: `no cache is used: ${cache}` });
    return undefined;
  }
  const { mayRestore, restoresTouched } = choice;
  return { cache: tellingOutage(cache, emit), mayRestore, restoresTouched };
}

function tellingOutage(cache: RunCache, emit: Emit): RunCache {
  return onceDown(cache, (reason, asked) => {
    const instead = asked === 'restore' ? 'stages are run instead' : 'results are not kept';
    emit({
      kind: 'notice',
      message: `${cache.name} cannot be used and is not asked again in this run, so ${instead}: ${reason}`,
    });
  });
}

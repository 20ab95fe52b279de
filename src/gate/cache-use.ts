import type { RunCache } from '../cache/run-cache.ts';
import type { Stage } from '../flow/stage.ts';

/** How a pass uses the run cache. */
export interface CacheUse {
  readonly cache: RunCache;
  readonly mayRestore: boolean;
  /**
   * Also the results of stages that the judged change touches. What a cache holds for them can only
   * come from an earlier job of the same change, whose code could keep anything.
   */
  readonly restoresTouched?: boolean | undefined;
}

/**
 * May a result of this stage be kept, and be taken instead of a run? Not if nothing binds it to
 * files; and a command that names no tools is bound to none of the programs that it calls, so its
 * result stays on the machine that they are on.
 */
export function isCacheable(stage: Stage, cache: RunCache): boolean {
  if (stage.inputs === 'none') return false;
  return !(cache.isShared && stage.work.kind === 'command' && stage.work.tools.length === 0);
}

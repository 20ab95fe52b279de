import type { Restored, RunCache, Saved } from './run-cache.ts';

/**
 * A cache that is not asked again after its first outage: a service that is down must cost one
 * deadline, not one for each stage.
 *
 * @param tell called once, with the reason and what the cache was asked for
 */
export function onceDown(
  cache: RunCache,
  tell: (reason: string, asked: 'restore' | 'save') => void,
): RunCache {
  let outage: string | undefined;
  const noted = <T extends Restored | Saved>(answer: T, asked: 'restore' | 'save'): T => {
    if (answer.kind === 'failed' && answer.isOutage && outage === undefined) {
      outage = answer.reason;
      tell(answer.reason, asked);
    }
    return answer;
  };
  return {
    name: cache.name,
    isShared: cache.isShared,
    restore: async (key, staging, signal) =>
      outage === undefined
        ? noted(await cache.restore(key, staging, signal), 'restore')
        : { kind: 'miss' },
    save: async (key, folder, signal) =>
      outage === undefined
        ? noted(await cache.save(key, folder, signal), 'save')
        : { kind: 'failed', reason: outage, isOutage: true },
  };
}

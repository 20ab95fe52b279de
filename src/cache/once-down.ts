import type { Restored, RunCache, Saved } from './run-cache.ts';

/**
 * A cache that is not asked again after its first outage: a service that is down must cost one
 * deadline, not one for each stage.
 */
export function onceDown(cache: RunCache, tell: (reason: string) => void): RunCache {
  let outage: string | undefined;
  const noted = <T extends Restored | Saved>(answer: T): T => {
    if (answer.kind === 'failed' && answer.isOutage && outage === undefined) {
      outage = answer.reason;
      tell(answer.reason);
    }
    return answer;
  };
  return {
    name: cache.name,
    isShared: cache.isShared,
    restore: async (key, staging) =>
      outage === undefined ? noted(await cache.restore(key, staging)) : { kind: 'miss' },
    save: async (key, folder) =>
      outage === undefined
        ? noted(await cache.save(key, folder))
        : { kind: 'failed', reason: outage, isOutage: true },
  };
}

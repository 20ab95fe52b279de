import { compileSelector, type Selector } from '../fingerprint/selector.ts';
import type { Work } from '../flow/stage.ts';

/** Does an item of a list stand for files rather than for itself? */
export function isGlob(item: string): boolean {
  return /[*?[{]/.test(item);
}

/**
 * The globs among the arguments of a stage's work. A walk has to reach all that they can match: a
 * glob that silently found fewer files would have an engine pass what it never saw.
 */
export function globsOf(work: Work): Selector[] {
  if (work.kind !== 'engine') return [];
  return Object.values(work.with).flatMap((value) => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((item) => {
      const selector = typeof item === 'string' && isGlob(item) ? compileSelector(item) : undefined;
      return selector?.ok ? [selector.value] : [];
    });
  });
}

import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';

/**
 * Why the payload's own word about its coverage keeps a pass from counting, or `undefined` when
 * nothing does (spec 05 "Verdicts that mislead", spec 03 `coverage`).
 *
 * @param minCoverage 0 to 1, from the flow; without it a payload that states a number must state 1
 */
export function incompleteCoverage(
  payload: JsonObject,
  minCoverage: number | undefined,
): string | undefined {
  const coverage = own(payload, 'coverage');
  const least = minCoverage ?? 1;
  if (coverage === undefined) {
    return minCoverage === undefined
      ? undefined
      : `no coverage is stated and it must be at least ${least}`;
  }
  if (typeof coverage === 'number') {
    if (!(coverage >= 0 && coverage <= 1))
      return `the stated coverage ${coverage} is not between 0 and 1`;
    return coverage >= least
      ? undefined
      : `the stated coverage is ${coverage} and must be at least ${least}`;
  }
  if (!isJsonObject(coverage)) return 'the stated coverage cannot be read';
  const complete = own(coverage, 'complete');
  if (complete === true) return undefined;
  if (complete === undefined) return 'the stated coverage says nothing of `complete`';
  return complete === false
    ? 'by its own word it did not look everywhere'
    : '`coverage.complete` cannot be read';
}

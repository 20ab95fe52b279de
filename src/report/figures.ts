import type { LoomResult } from '../generated/documents.ts';
import { isJsonObject } from '../values/strict-json.ts';

/** What a reader looks for first, in this order; then the payload's own order. */
const FIRST = [
  'worst_slack',
  'wns',
  'tns',
  'endpoints',
  'violations',
  'area',
  'cells',
  'coverage',
  'tests',
  'failures',
  'checks',
  'asserts',
  'compared',
  'equiv_cells',
  'unsynchronized',
];
const MOST = 4;

/** The key figures of a payload: a few of its own numbers, by name. */
export function keyFigures(envelope: LoomResult | undefined): [string, number][] {
  const payload = envelope?.result;
  if (!isJsonObject(payload)) return [];
  const numbers = Object.entries(payload).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
  const rank = ([name]: [string, number]): number => {
    const index = FIRST.indexOf(name);
    return index === -1 ? FIRST.length : index;
  };
  // Array.prototype.sort is stable: what has no rank keeps its place.
  return numbers.sort((a, b) => rank(a) - rank(b)).slice(0, MOST);
}

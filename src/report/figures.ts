import type { JsonObject } from '../values/strict-json.ts';

/** A number that a run reported, by the name that its payload has for it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** What it was in the run that it is compared with. */
  readonly before: number | undefined;
}

/** What a reader looks for first, in this order; then the payload's own order. */
const FIRST = [
  'worst_slack',
  'hold_worst_slack',
  'wns',
  'tns',
  'endpoints',
  'violations',
  'area',
  'cells',
  'flops',
  'line_coverage',
  'coverage',
  'tests',
  'failures',
  'checks',
  'asserts',
  'covers',
  'compared',
  'equiv_cells',
  'output_bits',
  'registers',
  'depth',
  'modules',
  'waiver_count',
  'unsynchronized',
];
const MOST = 4;

/** The numbers of a payload, by name, in its own order. */
export function numbersIn(payload: JsonObject | null): [string, number][] {
  return Object.entries(payload ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
}

/** The few that a summary has room for. */
export function keyFigures(figures: readonly Figure[]): Figure[] {
  const rank = ({ name }: Figure): number => {
    const index = FIRST.indexOf(name);
    return index === -1 ? FIRST.length : index;
  };
  // Sorting is stable: what has no rank keeps its place, and a count of nothing needs none.
  return figures
    .filter((figure) => FIRST.includes(figure.name) || figure.value !== 0)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, MOST);
}

/** `12.5`, or `12.5 (+0.5)` where it is another than before. */
export function figureText({ value, before }: Figure): string {
  if (before === undefined || before === value) return `${value}`;
  const change = value - before;
  // Enough digits to tell, and none that only the subtraction made.
  const shown = Number(change.toPrecision(6));
  return `${value} (${change > 0 ? '+' : '−'}${Math.abs(shown)})`;
}

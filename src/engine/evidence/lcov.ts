import { problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import type { JsonObject } from '../../values/strict-json.ts';
import { plural } from '../../values/text.ts';
import { type FileLines, TraceReader } from './lcov-trace.ts';
import { namesOf } from './names.ts';

export interface LcovDemands {
  /** 0 to 1. */
  readonly minLineCoverage: number;
  /** The files whose lines count, relative to the workspace. */
  readonly files: readonly string[];
  /** Absolute path of the workspace root. */
  readonly workspace: string;
}

/**
 * Counts the lines of an lcov trace file over the listed files, never its own totals (`LF`, `LH`),
 * which can only raise a doubt. A listed file that it says nothing of leaves the verdict open: its lines could be hit or not.
 * What was read decides only when nothing is missing. A damaged report is no evidence.
 *
 * No field of the payload is called `coverage`: that one is an engine's word on whether it looked
 * everywhere, must be 1 without `min-coverage`, and would overrule the threshold of the evidence.
 */
export function readLcov(text: string, demands: LcovDemands): Result<JsonObject> {
  const lines = new Map(
    demands.files.map((path): [string, FileLines] => [path, { found: new Set(), hit: new Set() }]),
  );
  const reader = new TraceReader(lines, demands.workspace);
  const fault = reader.read(text);
  if (fault !== undefined) {
    return err(problem('evidence/unreadable', `the lcov report cannot be used: ${fault}`));
  }
  const listed = [...lines.values()];
  const found = listed.reduce((sum, file) => sum + file.found.size, 0);
  const hit = listed.reduce((sum, file) => sum + file.hit.size, 0);
  const missing = [...lines].filter(([, file]) => file.found.size === 0).map(([path]) => path);
  // A quotient compares exactly with a threshold that is written in decimals; a product would not.
  const share = found === 0 ? null : hit / found;
  const figures = {
    lines: found,
    lines_hit: hit,
    line_coverage: share,
    files: listed.length - missing.length,
  };
  if (share === null || missing.length > 0) {
    return ok({ passed: null, summary: whyOpen(missing, [...reader.others]), ...figures });
  }
  const isReached = share >= demands.minLineCoverage;
  if (isReached && reader.contradiction !== undefined) {
    return ok({ passed: null, summary: reader.contradiction, ...figures });
  }
  const summary = `line coverage is ${rounded(hit, found)} (${hit} of ${plural(found, 'line')}), and at least ${demands.minLineCoverage} is needed`;
  return ok({ passed: isReached, summary, ...figures });
}

function whyOpen(missing: readonly string[], others: readonly string[]): string {
  const lack = `the report has no line of ${namesOf(missing)}`;
  // Tools write paths as they saw them from their own folder: seeing those tells what to mend.
  return others.length === 0 ? lack : `${lack}; it tells of ${namesOf(others)}`;
}

/** Down, so that a share under the threshold never reads as if it had reached it. */
function rounded(hit: number, found: number): number {
  return Math.floor((hit * 10_000) / found) / 10_000;
}

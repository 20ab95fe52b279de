import { err, ok, type Result } from '../../../values/result.ts';
import { plural, printable } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import { withinTime } from '../../within-time.ts';
import { badValue } from '../no-answer.ts';

/** A line in which a testbench states its result. */
export interface ResultLine {
  /** Its place among the lines of the output. */
  readonly index: number;
  readonly verdict: 'PASS' | 'FAIL';
  /** undefined: the line does not state it. */
  readonly checks: number | undefined;
  readonly errors: number | undefined;
}

/** All that a simulation printed about its result. */
export interface ResultLines {
  readonly lines: readonly ResultLine[];
  /** A line that looks like a result and is none of this run, with the reason. */
  readonly stray: string | undefined;
  /** Does every one of {@link lines} carry what was made up for this run? */
  readonly isBound: boolean;
}

/** Finds the result lines among the lines of an output. */
export type ResultReader = (output: readonly string[]) => Result<ResultLines, EnvelopeError>;

const WORD = 'SIGNOFF_RESULT';
const RESULT = new RegExp(
  `^${WORD} nonce=(\\S*) verdict=(PASS|FAIL) checks=(\\d{1,15}) errors=(\\d{1,15})$`,
);

/**
 * Reads the line of the convention (docs/testbench.md). A line that a design prints by itself, or
 * that was written beforehand, cannot know the nonce.
 */
export function conventionReader(nonce: string): ResultReader {
  return (output) => {
    const lines: ResultLine[] = [];
    let stray: string | undefined;
    for (const [index, text] of output.entries()) {
      if (!text.includes(WORD)) continue;
      const [, carried, verdict, checks, errors] = RESULT.exec(text) ?? [];
      if (carried === undefined) {
        stray ??= `a result line is malformed: ${printable(text, 200)}`;
      } else if (carried !== nonce) {
        stray ??= `a result line carries another nonce than this run's: ${printable(text, 200)}`;
      } else {
        lines.push({
          index,
          verdict: verdict === 'PASS' ? 'PASS' : 'FAIL',
          checks: Number(checks),
          errors: Number(errors),
        });
      }
    }
    return ok({ lines, stray, isBound: true });
  };
}

/** For all lines of an output together. */
const MOST_MS = 2000;
const COUNT = /^\d{1,15}$/;

/** Reads the lines that a pattern of the user's own finds; nothing binds them to the run. */
export function patternReader(pattern: string): Result<ResultReader, EnvelopeError> {
  const refuse = (why: string): EnvelopeError => badValue(`parameter \`result-pattern\`: ${why}`);
  let expression: RegExp;
  let groups: readonly string[];
  try {
    expression = new RegExp(pattern, 'u');
    // Fits anything, so that the names of its groups can be asked for.
    groups = Object.keys(new RegExp(`${pattern}|`, 'u').exec('')?.groups ?? {});
  } catch (cause) {
    return err(refuse(`it is no regular expression: ${String(cause)}`));
  }
  if (!groups.includes('verdict')) return err(refuse('it has no group `verdict`'));
  return ok((output) => {
    const read = withinTime(MOST_MS, () => matchLines(expression, output));
    return read.ok ? ok(read.value) : err(refuse('it backtracks without end'));
  });
}

function matchLines(expression: RegExp, output: readonly string[]): ResultLines {
  const lines: ResultLine[] = [];
  let stray: string | undefined;
  for (const [index, text] of output.entries()) {
    const match = expression.exec(text);
    if (!match) continue;
    const { verdict, checks, errors } = match.groups ?? {};
    const isWhole = [checks, errors].every((count) => count === undefined || COUNT.test(count));
    if ((verdict === 'PASS' || verdict === 'FAIL') && isWhole) {
      lines.push({
        index,
        verdict,
        checks: checks === undefined ? undefined : Number(checks),
        errors: errors === undefined ? undefined : Number(errors),
      });
    } else {
      stray ??= `a result line states no PASS or FAIL with whole numbers: ${printable(text, 200)}`;
    }
  }
  return { lines, stray, isBound: false };
}

/** Why lines of which none says FAIL are no evidence of a pass; undefined when they are. */
export function whyNoPass(found: ResultLines, minChecks: number): string | undefined {
  if (found.stray !== undefined) return found.stray;
  const [line, second] = found.lines;
  if (line === undefined) return 'the testbench printed no result line';
  if (second !== undefined) return `${found.lines.length} result lines where there must be one`;
  const { checks, errors = 0 } = line;
  if (errors > 0) return `the result line says PASS with ${plural(errors, 'error')}`;
  // A line without a count stands for one check.
  if ((checks ?? 1) >= minChecks) return undefined;
  const stated = checks === undefined ? 'no number of checks' : plural(checks, 'check');
  return `the result line states ${stated}, and at least ${minChecks} must be`;
}

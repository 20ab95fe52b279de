import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import { plural, printable } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Finding } from '../../evidence/finding.ts';
import type { StepOutput } from '../adapter.ts';
import { noAnswer } from '../no-answer.ts';
import { type ResultLines, whyNoPass } from './simulation-result.ts';

/** What a simulation said while it ran, its result apart. */
export interface RunMessages {
  /** Failed assertions and errors that the sources themselves raised. */
  readonly faults: number;
  /** The first of them, with its place. */
  readonly first: string | undefined;
  /** Why the run decides nothing, not even against the design. */
  readonly obstacle: string | undefined;
  /** Why the run is no evidence of a pass. */
  readonly doubt: string | undefined;
  readonly findings: readonly Finding[];
}

/** What a finished simulation comes to, before anything but its own words is looked at. */
export interface Judgement {
  readonly passed: boolean | null;
  readonly summary: string;
  /** Fields of the payload. */
  readonly figures: JsonObject;
}

/**
 * Judges a simulation by what it printed. Evidence against the design counts even from a run that is
 * no evidence for it; an exit code by itself counts neither way.
 */
export function judgeRun(
  program: string,
  output: StepOutput,
  messages: RunMessages,
  results: ResultLines,
  minChecks: number,
): Result<Judgement, EnvelopeError> {
  const [line] = results.lines;
  const checks = line === undefined ? 0 : (line.checks ?? 1);
  const figures = {
    checks,
    checks_stated: line?.checks !== undefined,
    errors: line?.errors ?? 0,
    error_messages: messages.faults,
    min_checks: minChecks,
    bound: results.isBound,
  };
  const judge = (passed: boolean | null, summary: string): Result<Judgement, EnvelopeError> =>
    ok({ passed, summary: printable(summary), figures });
  if (messages.obstacle !== undefined) return judge(null, messages.obstacle);
  if (messages.faults > 0) {
    return judge(false, `${plural(messages.faults, 'error')}: ${messages.first ?? ''}`);
  }
  const failed = results.lines.find(({ verdict }) => verdict === 'FAIL');
  if (failed) {
    const { errors } = failed;
    const count = errors === undefined ? '' : ` with ${plural(errors, 'error')}`;
    return judge(false, `the testbench reports FAIL${count}${unbound(results)}`);
  }
  if (output.exitCode !== 0) return err(noAnswer(program, output));
  const why = messages.doubt ?? whyNoPass(results, minChecks);
  if (why !== undefined) return judge(null, why);
  const stated = line?.checks === undefined ? 'PASS, no number of checks' : plural(checks, 'check');
  return judge(true, `the testbench reports ${stated} and no error${unbound(results)}`);
}

function unbound({ isBound }: ResultLines): string {
  return isBound ? '' : '; the result line is not bound to the run';
}

import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { WithValues } from '../adapter.ts';
import { badValue } from '../no-answer.ts';
import { numberIn, textIn, textsIn } from '../values.ts';
import { conventionReader, patternReader, type ResultReader } from './simulation-result.ts';

export function minChecksIn(values: WithValues): number {
  return numberIn(values, 'min-checks') ?? 1;
}

/** By which the testbench learns what its result line must carry. */
const NONCE_ARGUMENT = 'signoff_nonce';

/** What the simulation is started with: the nonce first, since the first that fits is found. */
export function plusargsOf(values: WithValues, nonce: string): Result<string[], EnvelopeError> {
  const names = textsIn(values, 'plusargs').map((text) => text.replace(/^\+/, ''));
  if (names.some((name) => name.startsWith(NONCE_ARGUMENT))) {
    return err(badValue(`parameter \`plusargs\`: +${NONCE_ARGUMENT} is the gate's own`));
  }
  // They switch off assertions and raise the number of errors that are let pass.
  if (names.some((name) => name.startsWith('verilator'))) {
    return err(badValue("parameter `plusargs`: +verilator options are not the testbench's"));
  }
  return ok([`+${NONCE_ARGUMENT}=${nonce}`, ...names.map((name) => `+${name}`)]);
}

/** By the convention, or by the pattern that is given in its place. */
export function readerFor(values: WithValues, nonce: string): Result<ResultReader, EnvelopeError> {
  const pattern = textIn(values, 'result-pattern');
  return pattern === undefined ? ok(conventionReader(nonce)) : patternReader(pattern);
}

import { printable } from '../../values/text.ts';
import type { EnvelopeError } from '../envelope.ts';
import type { StepOutput } from './adapter.ts';

/** A run whose exit code says that something went wrong, and whose evidence does not say what. */
export function noAnswer(program: string, { exitCode, stderr, stdout }: StepOutput): EnvelopeError {
  const tail = (stderr.trim() || stdout.trim()).slice(-4000);
  return {
    code: 'engine_nonzero',
    message: `${program} exited with code ${exitCode} and names no fault of the design`,
    exit_code: exitCode,
    ...(tail === '' ? {} : { stderr_tail: tail }),
  };
}

/** Arguments that fit the schema and that the tool cannot be started with. */
export function badValue(why: string): EnvelopeError {
  return { code: 'invalid_arguments', message: printable(why) };
}

/** The tool ended well and what it should have left behind is not there, or is not what it should be. */
export function unusable(why: string): EnvelopeError {
  return { code: 'output_unparsable', message: printable(why), exit_code: 0 };
}

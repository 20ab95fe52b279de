import type { ChildOutcome } from '../process/child.ts';
import type { Problem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import type { EnvelopeError } from './envelope.ts';

/** What kept a child from giving an answer; null when it ended by itself with exit code 0. */
export function faultOf(
  tool: string,
  outcome: ChildOutcome,
  timeoutMs: number,
): EnvelopeError | null {
  const tail = outcome.stderrTail === '' ? {} : { stderr_tail: outcome.stderrTail };
  switch (outcome.end) {
    case 'exited':
      return outcome.exitCode === 0
        ? null
        : {
            code: 'engine_nonzero',
            message: `${tool} exited with code ${outcome.exitCode}`,
            exit_code: outcome.exitCode,
            ...tail,
          };
    case 'signalled':
      return {
        code: 'engine_signal',
        message: `${tool} was ended by ${outcome.signal}`,
        exit_code: null,
        ...tail,
      };
    case 'timed-out':
      return {
        code: 'engine_timeout',
        message: `${tool} did not end within ${timeoutMs / 1000} s`,
        exit_code: null,
        ...tail,
      };
    case 'interrupted':
      return {
        code: 'engine_interrupted',
        message: `${tool} was stopped with the gate`,
        exit_code: null,
        ...tail,
      };
    case 'output-too-large':
      return {
        code: 'output_too_large',
        message: `${tool} printed more than ${outcome.limit} bytes on stdout`,
        exit_code: null,
        ...tail,
      };
    case 'not-found':
      return { code: 'engine_not_found', message: outcome.message, ...tail };
    case 'not-executable':
    case 'start-failed':
      return { code: 'engine_not_executable', message: outcome.message, ...tail };
    case 'not-ended':
      return { code: 'engine_not_ended', message: outcome.message, exit_code: null, ...tail };
    case 'not-written':
      return { ...notWritten(outcome.message), ...tail };
  }
}

export const NO_PROGRAM: EnvelopeError = {
  code: 'engine_not_found',
  message: 'no program could be resolved',
};

export function notWritten(message: string): EnvelopeError {
  return { code: 'output_not_written', message: printable(message), exit_code: null };
}

export function unparsable(why: string): EnvelopeError {
  return { code: 'output_unparsable', message: printable(why), exit_code: 0 };
}

/** What stands in the way of an invocation, as its envelope says it. */
export function errorOfProblem(found: Problem): EnvelopeError {
  const message = printable([found.message, found.remedy].filter(Boolean).join('. '));
  switch (found.code) {
    case 'engine/not-found':
      return { code: 'engine_not_found', message };
    case 'engine/not-executable':
      return { code: 'engine_not_executable', message };
    case 'engine/unsupported-descriptor':
    case 'engine/bad-descriptor':
      return { code: 'descriptor_unsupported', message };
    case 'engine/version-mismatch':
      return { code: 'version_mismatch', message };
    case 'file/link-outside':
    case 'file/write-failed':
      return { code: 'output_not_written', message };
    default:
      return { code: 'invalid_arguments', message };
  }
}

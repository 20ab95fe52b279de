import type { Problem } from '../../../values/problem.ts';
import { err, ok, type Result } from '../../../values/result.ts';

/**
 * Thrown where the reference engine ends in an exception (spec/06 §6.4): which records and files
 * do so depends on what a question looks at and in which order, down to the last field. Inside the
 * preset this is how it ends as well; {@link answering} turns it into a problem, so that nobody
 * outside meets an exception.
 */
export class Unanswerable extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The answer, or the one problem for which the reference engine gives none. */
export function answering<T>(question: () => T): Result<T> {
  try {
    return ok(question());
  } catch (cause) {
    if (cause instanceof Unanswerable) return err(cause.problem);
    throw cause;
  }
}

import { expect } from 'vitest';
import type { Problem, ProblemCode } from '../../../src/values/problem.ts';
import { renderProblem } from '../../../src/values/problem.ts';
import type { Result } from '../../../src/values/result.ts';

/** The value of a result; the test fails, saying why, when it is an error. */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) expect.fail(renderProblem(result.error));
  return result.value;
}

/** The problem of a result; the test fails when it is none, or one of another code. */
export function problemOf(result: Result<unknown>, code: ProblemCode): Problem {
  if (result.ok) expect.fail(`expected ${code}, but it went well`);
  expect(result.error.code).toBe(code);
  return result.error;
}

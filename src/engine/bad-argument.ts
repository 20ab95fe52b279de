import { type Problem, problem } from '../values/problem.ts';

/** One message for every argument that cannot be passed; it names the parameter. */
export function badArgument(
  parameter: string,
  why: string,
  more: { remedy?: string } = {},
): Problem {
  return problem('engine/bad-arguments', `parameter \`${parameter}\`: ${why}`, more);
}

import { type Problem, problem } from '../../../values/problem.ts';
import { EVENTS_FILE } from './event.ts';

/**
 * What the gate knows better than the reference engine's answers is a problem, and a workspace with
 * one is not proven. These are its kinds; each has the code of the table in values/problem.ts that
 * comes nearest to it.
 */

/** A record that no correct sequence of runs leaves, or two that contradict each other. */
export function doubtfulRecord(
  message: string,
  stage: string | undefined,
  line: number | undefined,
  remedy = 'Run the stage again: what its new run records counts.',
): Problem {
  return problem('log/anomaly', message, { at: { file: EVENTS_FILE, line }, stage, remedy });
}

/** Something that a conclusion would have to cover, and nothing that was recorded does. */
export function missingEvidence(
  message: string,
  stage: string,
  file: string,
  remedy: string,
): Problem {
  return problem('evidence/missing', message, { at: { file }, stage, remedy });
}

/** A problem of a file, for the stage that needs it. */
export function ofStage(found: Problem, stage: string): Problem {
  return { ...found, stage };
}

/** So many problems of one kind are listed one by one; the rest is a number. */
const MOST_LISTED = 20;

/** The first problems of one kind, and how many more there are. */
export function listed(problems: readonly Problem[], what: string): Problem[] {
  const [first] = problems;
  const rest = problems.length - MOST_LISTED;
  if (!first || rest <= 0) return [...problems];
  return [
    ...problems.slice(0, MOST_LISTED),
    { ...first, message: `there are ${rest} more ${what}` },
  ];
}

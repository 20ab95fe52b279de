import type { Judging } from '../../report/result.ts';
import { type Problem, problem } from '../../values/problem.ts';

const MOST_SHOWN = 50;

/**
 * What stands in the way of proven until somebody accepts it.
 *
 * @param file the flow file, as the user names it
 */
export function judgingProblems(
  { changes, isAccepted }: Judging,
  file: string,
  acceptance: string,
): Problem[] {
  if (isAccepted) return [];
  const shown = changes.slice(0, MOST_SHOWN).map(({ stage, message }) =>
    problem('trust/judging-changed', `this change touches the judging: ${message}`, {
      at: { file },
      stage,
      remedy: acceptance,
    }),
  );
  const rest = changes.length - shown.length;
  return rest > 0
    ? [...shown, problem('trust/judging-changed', `and ${rest} more changes of the judging`)]
    : shown;
}

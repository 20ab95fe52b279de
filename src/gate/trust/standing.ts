import { type Problem, problem } from '../../values/problem.ts';
import { type Checkout, type Commit, contains } from './checkout.ts';

/**
 * How what is checked out stands to the base: it must be the change, and it must come after the base.
 *
 * @param change the commit of the change as its event names it, where it does
 */
export async function standingProblems(
  checkout: Checkout,
  base: Commit,
  change: string | undefined,
): Promise<Problem[]> {
  if (checkout.head.oid === base.oid) {
    if (change === undefined || change === base.oid) return [];
    return [
      problem('trust/not-the-change', 'what is checked out is the base itself, not the change', {
        remedy:
          'On pull_request, check out the default; on pull_request_target nothing of a change should be run at all.',
      }),
    ];
  }
  if (await contains(checkout, base)) return [];
  return [
    problem('trust/behind-base', 'the base has commits that this change does not come after', {
      remedy:
        'Merge the base into it or rebase it; a pull request is checked out merged by default. A shallow history hides it too: `fetch-depth: 0`.',
    }),
  ];
}

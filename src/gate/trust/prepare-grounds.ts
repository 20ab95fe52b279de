import { join } from 'node:path';
import type { Variables } from '../../flow/variables.ts';
import { EVENTS_FILE } from '../../log/names.ts';
import { compareJudging, type JudgingChange } from '../../proof/judging.ts';
import type { Judging } from '../../report/result.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { readLogView } from '../log-view.ts';
import type { Workspace } from '../workspace.ts';
import { alteredJudges, alteredPaths, findJudges } from './altered.ts';
import { type BaseFlow, readBaseFlow } from './base-flow.ts';
import { type BaseRecords, compareWithBase } from './base-log.ts';
import { type Checkout, type Commit, findCommit, openCheckout, readBlob } from './checkout.ts';
import { checkoutProblems, skippedPaths } from './checkout-problems.ts';
import { commitComparison } from './commit-comparison.ts';
import { type Grounds, NO_LOG, TRUSTED_LOG } from './grounds.ts';
import { judgingProblems } from './judging-problems.ts';
import { lostWorkspaces } from './lost-workspaces.ts';
import { standingProblems } from './standing.ts';
import { touchedStages } from './touched.ts';

/** What the caller wants a judgement to rest on. */
export interface GroundsRequest {
  readonly workspace: Workspace;
  /** As the flow of the workspace was read with. */
  readonly variables: Variables;
  /** Whose records count. What the base is compared for else does not depend on it. */
  readonly trust: 'base' | 'log' | 'none';
  /** A git ref; undefined where what is judged has no base. Under `base` no record counts then. */
  readonly base: string | undefined;
  /** Must the base be there, or is what cannot be compared only told? */
  readonly needsBase: boolean;
  /** Somebody with the right to has accepted what the change does to the judging. */
  readonly isJudgingAccepted: boolean;
  /** How it is accepted, in the words of the caller's edge. */
  readonly acceptance: string;
  /** The commit of the change as its event names it; what is checked out must not be the base. */
  readonly change?: string | undefined;
  /** Compare the inputs with what the commit holds. */
  readonly comparesCommit: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a judgement may rest on: reads the base's log and flow out of git and compares
 * them with ours. What goes wrong on the way is a problem of the judgement; no record counts then.
 */
export async function prepareGrounds(request: GroundsRequest): Promise<Grounds> {
  const { workspace, trust, base: ref, needsBase, signal } = request;
  const start = trust === 'log' ? TRUSTED_LOG : { ...NO_LOG, trust };
  if (ref === undefined && needsBase) return { ...start, problems: [noBase()] };
  if (ref === undefined && !request.comparesCommit) return start;
  const checkout = await openCheckout(workspace.root, workspace.searchPath, signal);
  if (!checkout.ok) return withoutBase(start, checkout.error, needsBase);
  const grounds = request.comparesCommit
    ? {
        ...start,
        problems: await checkoutProblems(checkout.value, workspace),
        compareCommit: commitComparison(
          checkout.value,
          workspace,
          await skippedPaths(checkout.value),
        ),
      }
    : start;
  if (ref === undefined) return grounds;
  const base = await findCommit(checkout.value, ref, workspace.searchPath, signal);
  if (!base.ok) return withoutBase(grounds, base.error, needsBase);
  return compareWithCommit(request, checkout.value, base.value, grounds);
}

/** A base that is needed and not there is a problem; one that is not needed is told. */
function withoutBase(grounds: Grounds, found: Problem, needsBase: boolean): Grounds {
  if (needsBase) return { ...grounds, problems: [...grounds.problems, found] };
  const notice = `nothing was compared with a base: ${found.message}. ${found.remedy ?? ''}`.trim();
  return { ...grounds, notices: [...grounds.notices, notice] };
}

function noBase(): Problem {
  return problem('trust/base-missing', 'the event does not say what its change is compared with', {
    remedy: 'Name it with the input `base`, for example the base of the pull request.',
  });
}

async function compareWithCommit(
  request: GroundsRequest,
  checkout: Checkout,
  base: Commit,
  grounds: Grounds,
): Promise<Grounds> {
  const { workspace } = request;
  const { flow } = workspace;
  const { folder } = checkout;
  const records = await baseRecords(checkout, base, workspace);
  const before = await readBaseFlow(flow, checkout, base, request.variables);
  const known = before.kind === 'flow' ? before.flow : undefined;
  const altered = alteredPaths(base.tree, checkout.head.tree);
  const trees = [base.tree, checkout.head.tree];
  const judgesOf = findJudges(known ? [known, flow] : [flow], checkout, trees);
  const judges = alteredJudges(judgesOf, altered, folder);
  const changes = [
    ...lostWorkspaces(checkout, base),
    ...flowChanges(before, workspace),
    ...(before.kind === 'none' ? [] : judges),
  ];
  const judging: Judging = { changes, isAccepted: request.isJudgingAccepted };
  const judged = new Set(judges.map(({ stage }) => stage));
  const touched = touchedStages(known, flow, altered, judged, checkout);
  return {
    ...grounds,
    accepts: request.trust === 'base' ? records.has : grounds.accepts,
    mayRestore: ({ name }) => !touched.has(name),
    ...(request.comparesCommit
      ? {
          compareCommit: commitComparison(
            checkout,
            workspace,
            await skippedPaths(checkout),
            base.tree,
          ),
        }
      : {}),
    judging,
    problems: [
      ...grounds.problems,
      ...(await standingProblems(checkout, base, request.change)),
      ...records.problems,
      // What the log lacks the flow lacks for the same reason.
      ...(before.kind === 'absent' && records.problems.length === 0 ? [before.problem] : []),
      ...judgingProblems(judging, flow.file, request.acceptance),
    ],
  };
}

async function baseRecords(
  { git, folder }: Checkout,
  base: Commit,
  workspace: Workspace,
): Promise<BaseRecords> {
  const none = (problems: readonly Problem[]): BaseRecords => ({ has: () => false, problems });
  const path = join(folder, EVENTS_FILE);
  const entry = base.tree.get(path);
  const bytes = entry && (await readBlob(git, path, entry.oid));
  if (bytes && !bytes.ok) return none([bytes.error]);
  const view = readLogView(workspace);
  // The judgement itself tells what is wrong with our log.
  if (!view.ok) return none([]);
  const compared = compareWithBase(bytes?.value, view.value.log.records);
  return compared.ok ? compared.value : none([compared.error]);
}

function flowChanges(before: BaseFlow, { flow }: Workspace): JudgingChange[] {
  switch (before.kind) {
    case 'none':
    case 'absent':
      return [];
    case 'unreadable':
      return [
        {
          stage: undefined,
          message: `the flow of the base cannot be read, so nothing can be compared with it: ${before.why}`,
        },
      ];
    case 'flow':
      return compareJudging(before.flow, flow);
  }
}

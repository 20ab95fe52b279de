import { join } from 'node:path';
import type { Variables } from '../../flow/variables.ts';
import { EVENTS_FILE } from '../../log/names.ts';
import { compareJudging, type JudgingChange } from '../../proof/judging.ts';
import type { Judging } from '../../report/result.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { readLogView } from '../log-view.ts';
import type { Workspace } from '../workspace.ts';
import { alteredJudges, alteredPaths } from './altered.ts';
import { type BaseFlow, readBaseFlow } from './base-flow.ts';
import { type BaseRecords, compareWithBase } from './base-log.ts';
import { type Checkout, type Commit, findCommit, openCheckout, readBlob } from './checkout.ts';
import { checkoutProblems } from './checkout-problems.ts';
import { commitComparison } from './commit-comparison.ts';
import { type Grounds, NO_LOG, OWN_LOG, TRUSTED_LOG } from './grounds.ts';
import { judgingProblems } from './judging-problems.ts';
import { lostWorkspaces } from './lost-workspaces.ts';
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
  if (!checkout.ok) return needsBase ? { ...start, problems: [checkout.error] } : start;
  const found = request.comparesCommit
    ? {
        problems: await checkoutProblems(checkout.value, workspace),
        compareCommit: commitComparison(checkout.value, workspace),
      }
    : { problems: [], compareCommit: OWN_LOG.compareCommit };
  const grounds = { ...start, ...found };
  if (ref === undefined) return grounds;
  const base = await findCommit(checkout.value, ref, workspace.searchPath, signal);
  if (!base.ok) {
    return needsBase ? { ...grounds, problems: [...grounds.problems, base.error] } : grounds;
  }
  return compareWithCommit(request, checkout.value, base.value, grounds);
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
  const { flow, root } = workspace;
  const records = await baseRecords(checkout, base, workspace);
  const before = await readBaseFlow(flow, checkout, base, request.variables);
  const altered = alteredPaths(base.tree, checkout.head.tree, checkout.folder);
  const known = before.kind === 'flow' ? before.flow : undefined;
  const changes = [
    ...lostWorkspaces(checkout, base),
    ...flowChanges(before, workspace),
    ...alteredJudges(known ?? flow, before.kind === 'none' ? new Set() : altered),
  ];
  const judging: Judging = { changes, isAccepted: request.isJudgingAccepted };
  const touched = touchedStages(known, flow, altered, root);
  return {
    ...grounds,
    accepts: request.trust === 'base' ? ({ line }) => records.lines.has(line) : grounds.accepts,
    mayRestore: ({ name }) => !touched.has(name),
    judging,
    problems: [
      ...grounds.problems,
      ...records.problems,
      ...judgingProblems(judging, flow.file, request.acceptance),
    ],
  };
}

async function baseRecords(
  { git, folder }: Checkout,
  base: Commit,
  workspace: Workspace,
): Promise<BaseRecords> {
  const none = (found: Problem): BaseRecords => ({ lines: new Set(), problems: [found] });
  const entry = base.tree.get(join(folder, EVENTS_FILE));
  const bytes = entry && (await readBlob(git, entry.oid));
  if (entry && !bytes) {
    return none(problem('trust/base-unreadable', 'the log of the base cannot be read from git'));
  }
  const view = readLogView(workspace);
  // The judgement itself tells what is wrong with our log.
  if (!view.ok) return { lines: new Set(), problems: [] };
  const compared = compareWithBase(bytes, view.value.log.records);
  return compared.ok ? compared.value : none(compared.error);
}

function flowChanges(before: BaseFlow, { flow }: Workspace): JudgingChange[] {
  switch (before.kind) {
    case 'none':
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

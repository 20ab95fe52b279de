import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { shown } from './client-words.ts';
import { copyPlain, moveTo } from './folders.ts';
import {
  type CacheDeadlines,
  callClient,
  type Environment,
  type Order,
  type Reply,
} from './github-client.ts';
import { inPrivateWorkspace, workspaceOf } from './private-workspace.ts';
import { type Failed, keyText, type Restored, type RunCache, type Saved } from './run-cache.ts';

export type { CacheDeadlines } from './github-client.ts';

export const DEFAULT_DEADLINES: CacheDeadlines = { lookupMs: 60_000, transferMs: 600_000 };

/** The one path that an archive is about, relative to the private workspace of the client. */
const MEMBER = 'entry';

/**
 * The cache of GitHub Actions, by way of @actions/cache in a child process. What it unpacks lands
 * in a folder of its own, by a `tar` that keeps inside it.
 *
 * @returns the cache, or a sentence that says why there is none here
 */
export function githubCache(
  environment: Environment,
  deadlines: CacheDeadlines,
): RunCache | string {
  const missing = missingOf(environment);
  if (missing !== undefined) return `the runner offers no cache service (${missing})`;
  const runnerTemp = environment['RUNNER_TEMP'];
  const call = (order: Omit<Order, 'member'>): Promise<Reply> =>
    callClient({ ...order, member: MEMBER }, environment, deadlines);
  return {
    name: 'the Actions cache',
    isShared: true,
    restore: (key, staging, signal) =>
      inPrivateWorkspace(staging, runnerTemp, async (folder) => {
        const text = keyText(key);
        const reply = await call({ action: 'restore', key: text, folder, signal });
        return takeEntry(reply, text, workspaceOf(folder), staging);
      }),
    save: (key, from, signal) =>
      inPrivateWorkspace(from, runnerTemp, async (folder): Promise<Saved> => {
        copyPlain(from, join(workspaceOf(folder), MEMBER));
        const reply = await call({ action: 'save', key: keyText(key), folder, signal });
        if ('reason' in reply) return { kind: 'failed', ...reply };
        return reply.answer === null ? { kind: 'taken' } : { kind: 'saved' };
      }),
  };
}

/** What the client cannot do without; it would wait for it, and say so only then. */
function missingOf(environment: Environment): string | undefined {
  if (!environment['ACTIONS_RUNTIME_TOKEN']) return 'no token';
  // As the client chooses: the second version of the service only where the runner announces it,
  // and never on a GitHub server of one's own.
  const isSecond = environment['ACTIONS_CACHE_SERVICE_V2'] && !isOwnServer(environment);
  const address = environment[isSecond ? 'ACTIONS_RESULTS_URL' : 'ACTIONS_CACHE_URL'];
  return address ? undefined : 'no address';
}

function isOwnServer(environment: Environment): boolean {
  const server = environment['GITHUB_SERVER_URL'] || 'https://github.com';
  if (!URL.canParse(server)) return true;
  return !/^github\.com$|\.ghe\.com$|\.localhost$/i.test(new URL(server).hostname);
}

/** Moves what the client unpacked to where it was asked for, if that is what it was asked for. */
function takeEntry(reply: Reply, key: string, workspace: string, staging: string): Restored {
  if ('reason' in reply) return { kind: 'failed', ...reply };
  if (reply.answer === null) return { kind: 'miss' };
  // The service may answer with a key that only begins like ours.
  if (reply.answer !== key) return refused(`it answered with another key, ${reply.answer}`);
  const foreign = readdirSync(workspace).find((name) => name !== MEMBER);
  if (foreign !== undefined) {
    return refused(`the archive holds ${foreign}, which is no part of an entry`);
  }
  const unpacked = join(workspace, MEMBER);
  const stat = lstatSync(unpacked, { throwIfNoEntry: false });
  if (!stat) return refused('the archive is empty');
  // A link in its place could lead to an entry that nobody checked the origin of.
  if (!stat.isDirectory()) return refused('the archive holds no folder');
  rmSync(staging, { recursive: true });
  moveTo(unpacked, staging);
  return { kind: 'hit' };
}

function refused(why: string): Failed {
  return { kind: 'failed', reason: shown(why), isOutage: false };
}

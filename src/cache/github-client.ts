import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildOutcome } from '../process/child.ts';
import { runChild } from '../process/run-child.ts';
import { type JsonObject, own, parseStrictObject } from '../values/strict-json.ts';
import { isAboutArchive, lastFailure, lastSaid, saysTaken, shown } from './client-words.ts';
import { workspaceOf } from './private-workspace.ts';
import { makeTarInside } from './tar-inside.ts';

/** Bounds on a call to the cache service, in milliseconds. */
export interface CacheDeadlines {
  readonly lookupMs: number;
  /** The whole of a call, the look-up included. */
  readonly transferMs: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the client is asked to do. */
export interface Order {
  readonly action: 'restore' | 'save';
  readonly key: string;
  /** The one path that the archive is about, relative to the private workspace. */
  readonly member: string;
  /** Holds the private workspace, and all else that the call writes. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** What came back: the answer of the client, or why there is none. */
export type Reply =
  | { readonly answer: string | null }
  | { readonly reason: string; readonly isOutage: boolean };

/**
 * Calls @actions/cache in a process of its own: the client has no time limits and waits up to 16
 * minutes for a server that accepts and never answers, and a process can be ended.
 */
export async function callClient(
  order: Order,
  environment: Environment,
  deadlines: CacheDeadlines,
): Promise<Reply> {
  const files = {
    reply: join(order.folder, 'reply.json'),
    stdout: join(order.folder, 'stdout'),
    stderr: join(order.folder, 'stderr'),
    temp: join(order.folder, 'temp'),
  };
  mkdirSync(files.temp);
  const path = makeTarInside(join(order.folder, 'bin'), environment['PATH'] ?? '');
  const lookup = new AbortController();
  // The client says on stderr when the look-up is over; until then the shorter limit holds.
  const timer = setTimeout(() => lookup.abort(), deadlines.lookupMs);
  const outcome = await runChild({
    program: process.execPath,
    args: [childScript(), order.action, order.key, order.member, files.reply],
    cwd: workspaceOf(order.folder),
    env: {
      ...ofRunner(environment),
      PATH: path,
      GITHUB_WORKSPACE: workspaceOf(order.folder),
      RUNNER_TEMP: files.temp,
      TMPDIR: files.temp,
    },
    timeoutMs: deadlines.transferMs,
    stdoutFile: files.stdout,
    stdoutLimit: 16 * 1024 * 1024,
    stderrFile: files.stderr,
    stderrLimit: 1024 * 1024,
    onStderrLine: (line) => {
      if (line === 'looked-up') clearTimeout(timer);
    },
    signal: AbortSignal.any([lookup.signal, order.signal]),
  });
  clearTimeout(timer);
  if (order.signal.aborted) return { reason: 'the gate was stopped', isOutage: false };
  return interruptedReply(outcome, deadlines, files.stdout) ?? readReply(order, files);
}

/** The reply of a client that did not come to its end. */
function interruptedReply(
  outcome: ChildOutcome,
  deadlines: CacheDeadlines,
  stdoutFile: string,
): Reply | undefined {
  switch (outcome.end) {
    case 'exited':
      if (outcome.exitCode === 0) return undefined;
      break;
    case 'interrupted':
      return late(`no answer within ${deadlines.lookupMs / 1000} s`, stdoutFile);
    case 'timed-out':
      return late(`the transfer did not end within ${deadlines.transferMs / 1000} s`, stdoutFile);
  }
  const said = lastSaid(stdoutFile) ?? `the client ended without an answer (${outcome.end})`;
  return { reason: said, isOutage: true };
}

/** A service that refuses again and again is another thing than one that is silent. */
function late(what: string, stdoutFile: string): Reply {
  const failure = lastFailure(stdoutFile);
  return { reason: failure === undefined ? what : `${what}: ${failure}`, isOutage: true };
}

function readReply(
  { action, folder }: Order,
  files: { readonly reply: string; readonly stdout: string },
): Reply {
  const reply = readObject(files.reply);
  const answer = reply === undefined ? undefined : own(reply, 'answer');
  if (reply === undefined || answer === undefined) {
    const said = lastFailure(files.stdout) ?? 'the client ended without an answer';
    return { reason: said, isOutage: true };
  }
  const warning = own(reply, 'warning');
  if (answer === null && typeof warning === 'string') {
    if (action === 'save' && saysTaken(warning)) return { answer: null };
    // What keeps one result from being sent keeps the next one as well.
    const isOutage = action === 'save' || !isAboutArchive(warning);
    // Where its programs lie for the moment is nobody's business and fills the line.
    return { reason: shown(warning.replaceAll(`${folder}/bin/`, '')), isOutage };
  }
  return { answer: typeof answer === 'string' ? answer : null };
}

function readObject(file: string): JsonObject | undefined {
  try {
    const object = parseStrictObject(readFileSync(file));
    return object.ok ? object.value : undefined;
  } catch {
    return undefined;
  }
}

/** What the client needs of the runner's environment. */
function ofRunner(environment: Environment): Record<string, string> {
  const wanted =
    /^(?:ACTIONS_|RUNNER_|GITHUB_SERVER_URL$|GITHUB_API_URL$|NODE_EXTRA_CA_CERTS$|https?_proxy$|no_proxy$|LANG$)/i;
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && wanted.test(entry[0]),
    ),
  );
}

/** The client is a program of its own in dist/, beside the bundle or above its chunks. */
function childScript(): string {
  const folders = import.meta.url.endsWith('.ts') ? ['../../dist/'] : ['./', '../'];
  const paths = folders.map((folder) =>
    fileURLToPath(new URL(`${folder}cache-child.mjs`, import.meta.url)),
  );
  return paths.find((candidate) => existsSync(candidate)) ?? 'cache-child.mjs';
}

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findOnPath } from '../process/find-program.ts';
import { runChild } from '../process/run-child.ts';
import { isJsonObject, own, parseStrictObject } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import { type EntryKey, keyText, type Restored, type RunCache, type Saved } from './run-cache.ts';

/** Bounds on a call to the cache service, in milliseconds. */
export interface CacheDeadlines {
  readonly lookupMs: number;
  readonly transferMs: number;
}

export const DEFAULT_DEADLINES: CacheDeadlines = { lookupMs: 60_000, transferMs: 600_000 };

type Environment = Readonly<Record<string, string | undefined>>;

/** The one path that an archive is about, relative to the private workspace of the child. */
const MEMBER = 'entry';

/**
 * The cache of GitHub Actions, by way of @actions/cache in a child process: the client has no time
 * limits of its own and waits up to 16 minutes for a server that accepts and never answers, so each
 * call is a process that can be ended. What it unpacks lands in a folder of its own, by a `tar` that
 * keeps inside it.
 *
 * @returns the cache, or a sentence that says why there is none here
 */
export function githubCache(
  environment: Environment,
  deadlines: CacheDeadlines,
): RunCache | string {
  if (!environment['ACTIONS_RUNTIME_TOKEN']) return 'the runner offers no cache service (no token)';
  if (!environment['ACTIONS_RESULTS_URL'] && !environment['ACTIONS_CACHE_URL']) {
    return 'the runner offers no cache service (no address)';
  }
  const call = (order: Order): Promise<Reply> => callChild(order, environment, deadlines);
  return {
    name: 'the Actions cache',
    isShared: true,
    restore: (key, staging) =>
      inPrivateWorkspace(staging, (folder) => restoreInto(key, staging, folder, call)),
    save: (key, from) => inPrivateWorkspace(from, (folder) => saveFrom(key, from, folder, call)),
  };
}

interface Order {
  readonly action: 'restore' | 'save';
  readonly key: string;
  /** Private workspace: current folder of the child, and all that it may write to. */
  readonly folder: string;
}

/** What came back: the answer of the child, or why there is none. */
type Reply =
  | { readonly answer: string | null }
  | { readonly reason: string; readonly isOutage: boolean };

async function restoreInto(
  key: EntryKey,
  staging: string,
  folder: string,
  call: (order: Order) => Promise<Reply>,
): Promise<Restored> {
  const text = keyText(key);
  const reply = await call({ action: 'restore', key: text, folder });
  if ('reason' in reply) return { kind: 'failed', ...reply };
  if (reply.answer === null) return { kind: 'miss' };
  // The service may answer with a key that only begins like ours.
  if (reply.answer !== text) {
    return {
      kind: 'failed',
      reason: `it answered with another key, ${printable(reply.answer, 200)}`,
      isOutage: false,
    };
  }
  const foreign = readdirSync(workspaceOf(folder)).find((name) => name !== MEMBER);
  if (foreign !== undefined) {
    return {
      kind: 'failed',
      reason: `the archive holds ${printable(foreign, 200)}, which is no part of an entry`,
      isOutage: false,
    };
  }
  const unpacked = join(workspaceOf(folder), MEMBER);
  if (!existsSync(unpacked))
    return { kind: 'failed', reason: 'the archive is empty', isOutage: false };
  rmSync(staging, { recursive: true });
  renameSync(unpacked, staging);
  return { kind: 'hit' };
}

async function saveFrom(
  key: EntryKey,
  from: string,
  folder: string,
  call: (order: Order) => Promise<Reply>,
): Promise<Saved> {
  cpSync(from, join(workspaceOf(folder), MEMBER), { recursive: true });
  const reply = await call({ action: 'save', key: keyText(key), folder });
  if ('reason' in reply) return { kind: 'failed', ...reply };
  return reply.answer === null ? { kind: 'taken' } : { kind: 'saved' };
}

/** Beside the folder that the entry goes to or comes from, so that it can be moved. */
async function inPrivateWorkspace<T extends Restored | Saved>(
  beside: string,
  action: (folder: string) => Promise<T>,
): Promise<T | { kind: 'failed'; reason: string; isOutage: boolean }> {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(`${beside}-cache-`);
    mkdirSync(workspaceOf(folder));
    return await action(folder);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return { kind: 'failed', reason: code ?? message, isOutage: false };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function workspaceOf(folder: string): string {
  return join(folder, 'workspace');
}

async function callChild(
  order: Order,
  environment: Environment,
  deadlines: CacheDeadlines,
): Promise<Reply> {
  const replyFile = join(order.folder, 'reply.json');
  const temp = join(order.folder, 'temp');
  const bin = join(order.folder, 'bin');
  mkdirSync(temp);
  const path = makeTarInside(bin, environment['PATH'] ?? '');
  const lookup = new AbortController();
  // The child says on stderr when the look-up is over; until then the shorter limit holds.
  const timer = setTimeout(() => lookup.abort(), deadlines.lookupMs);
  const stdoutFile = join(order.folder, 'stdout');
  const outcome = await runChild({
    program: process.execPath,
    args: [childScript(), order.action, order.key, MEMBER, replyFile],
    cwd: workspaceOf(order.folder),
    env: {
      ...ofRunner(environment),
      PATH: path,
      GITHUB_WORKSPACE: workspaceOf(order.folder),
      RUNNER_TEMP: temp,
      TMPDIR: temp,
    },
    timeoutMs: deadlines.transferMs,
    stdoutFile,
    stdoutLimit: 16 * 1024 * 1024,
    stderrFile: join(order.folder, 'stderr'),
    stderrLimit: 1024 * 1024,
    onStderrLine: (line) => {
      if (line === 'looked-up') clearTimeout(timer);
    },
    signal: lookup.signal,
  });
  clearTimeout(timer);
  if (outcome.end === 'interrupted') {
    return { reason: `no answer within ${deadlines.lookupMs / 1000} s`, isOutage: true };
  }
  if (outcome.end === 'timed-out') {
    return {
      reason: `the transfer did not end within ${deadlines.transferMs / 1000} s`,
      isOutage: true,
    };
  }
  const said = readSaid(stdoutFile);
  if (outcome.end !== 'exited' || outcome.exitCode !== 0) {
    return {
      reason: said ?? `the client ended without an answer (${outcome.end})`,
      isOutage: true,
    };
  }
  const reply = parseStrictObject(readFileSync(replyFile));
  const answer = reply.ok ? own(reply.value, 'answer') : undefined;
  if (answer === undefined || !reply.ok || !isJsonObject(reply.value)) {
    return { reason: 'the client ended without an answer', isOutage: true };
  }
  const warning = own(reply.value, 'warning');
  if (answer === null && typeof warning === 'string') {
    return { reason: shown(warning), isOutage: !isAboutArchive(warning) };
  }
  return { answer: typeof answer === 'string' ? answer : null };
}

/** An archive that does not unpack says nothing about the service. */
function isAboutArchive(warning: string): boolean {
  return /\b(?:tar|zstd|gzip|unzstd|exit code)\b/i.test(warning);
}

/** What the client printed last; its debug lines hold signed addresses and are left out. */
function readSaid(stdoutFile: string): string | undefined {
  try {
    const lines = readFileSync(stdoutFile, 'utf8').split('\n');
    const said = lines.filter((line) => line.trim() !== '' && !line.startsWith('::debug::')).at(-1);
    return said === undefined ? undefined : shown(said);
  } catch {
    return undefined;
  }
}

/** A reason for people: no workflow command, no address with a signature. */
function shown(text: string): string {
  return printable(
    text.replace(/^::[a-z-]+[^:]*::/, '').replace(/https?:\/\/\S+/g, '(address)'),
    300,
  );
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

/**
 * Puts a `tar` in front of the PATH that drops `-P`. The client asks for absolute names and `..` to
 * be honoured, which would let an archive write anywhere.
 */
function makeTarInside(bin: string, path: string): string {
  mkdirSync(bin);
  for (const name of ['tar', 'gtar']) {
    const real = findOnPath(name, path);
    if (real === undefined) continue;
    const script = [
      '#!/bin/sh',
      'first=1',
      'for argument; do',
      '  if [ -n "$first" ]; then set --; first=; fi',
      '  case "$argument" in -P | --absolute-names) ;; *) set -- "$@" "$argument" ;; esac',
      'done',
      `exec '${real.replaceAll("'", "'\\''")}' "$@"`,
      '',
    ].join('\n');
    writeFileSync(join(bin, name), script, { mode: 0o755 });
  }
  return `${bin}:${path}`;
}

/** The child is a program of its own in dist/, beside the bundle or above its chunks. */
function childScript(): string {
  const folders = import.meta.url.endsWith('.ts') ? ['../../dist/'] : ['./', '../'];
  const paths = folders.map((folder) =>
    fileURLToPath(new URL(`${folder}cache-child.mjs`, import.meta.url)),
  );
  return paths.find((candidate) => existsSync(candidate)) ?? 'cache-child.mjs';
}

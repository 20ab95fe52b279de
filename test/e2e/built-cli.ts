import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Node that runs the built command line: `SIGNOFF_TEST_NODE`, or the one that runs the tests. */
export const node = process.env.SIGNOFF_TEST_NODE ?? process.execPath;

/** dist/, ending in `/`. */
export const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

export interface CliRun {
  /** null when a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs dist/cli.mjs, or the copy of it in another folder, to its end. Unless the caller names
 * another, its run cache is a new one: what an earlier test has proven must not be restored here.
 */
export function runCli(
  args: readonly string[],
  options: { readonly cwd: string; readonly from?: string; readonly env?: NodeJS.ProcessEnv },
): CliRun {
  const cache = mkdtempSync(join(tmpdir(), 'signoff-gate-test-cache-'));
  try {
    const { status, stdout, stderr, error } = spawnSync(
      node,
      [`${options.from ?? dist}cli.mjs`, ...args],
      {
        cwd: options.cwd,
        env: { ...process.env, XDG_CACHE_HOME: cache, ...options.env },
        encoding: 'utf8',
        timeout: 50_000,
      },
    );
    if (error) throw error;
    return { status, stdout, stderr };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** A command line that runs while the test goes on. */
export interface StartedCli {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has printed on stderr so far. */
  readonly told: () => string;
  readonly ended: Promise<CliRun & { readonly signal: NodeJS.Signals | null }>;
}

/** As {@link runCli}, without waiting for its end. It has no run cache unless `args` name one. */
export function startCli(
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env?: NodeJS.ProcessEnv;
    /** Arguments of Node itself. */
    readonly node?: readonly string[];
  },
): StartedCli {
  const [command = ''] = args;
  const cache = command === 'run' && !args.includes('--cache') ? ['--cache', 'off'] : [];
  const child = spawn(node, [...(options.node ?? []), `${dist}cli.mjs`, ...args, ...cache], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const told = (): string => Buffer.concat(stderr).toString('utf8');
  const ended = new Promise<CliRun & { signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      resolve({ status, signal, stdout: Buffer.concat(stdout).toString('utf8'), stderr: told() });
    });
  });
  return { child, told, ended };
}

import { spawnSync } from 'node:child_process';
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

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { DEFAULT_DEADLINES } from '../cache/github-cache.ts';
import { CACHE_KINDS, type CacheChoice, isCacheKind } from '../gate/open-cache.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';

/** Which cache `--cache` and `--cache-dir` choose on a terminal. */
export function chooseCache(
  kind: string | undefined,
  directory: string | undefined,
): Result<CacheChoice, Problem[]> {
  if (kind !== undefined && !isCacheKind(kind)) {
    return err([
      problem('usage/bad-value', `--cache is \`${kind}\``, {
        remedy: `It takes one of ${CACHE_KINDS.join(', ')}.`,
      }),
    ]);
  }
  return ok({
    kind: kind ?? 'auto',
    isOnGithub: process.env['GITHUB_ACTIONS'] === 'true',
    directory: directory === undefined ? defaultDirectory() : resolve(directory),
    mayRestore: true,
    environment: process.env,
    deadlines: DEFAULT_DEADLINES,
  });
}

function defaultDirectory(): string {
  const named = process.env['XDG_CACHE_HOME'] ?? '';
  // A relative one is to be ignored (XDG Base Directory Specification).
  return join(isAbsolute(named) ? named : join(homedir(), '.cache'), 'signoff-gate');
}

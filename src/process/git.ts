import { captureChild } from './capture.ts';
import { findOnPath } from './find-program.ts';

/** What git answered, or in words why it did not. */
export type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly why: string };

/** Asks git about one folder; nothing is changed by it. */
export interface Git {
  readonly folder: string;
  ask(...args: readonly string[]): Promise<GitAnswer>;
}

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_MS = 120_000;

/**
 * Git as the gate uses it: read-only, without the configuration of the user or the system, without
 * hooks, prompts, replaced objects or fetches. What stands in a checkout's own configuration cannot
 * start a program by way of the commands that are asked here.
 *
 * @param searchPath a PATH
 */
export function openGit(folder: string, searchPath: string, signal?: AbortSignal): Git {
  const program = findOnPath('git', searchPath);
  return {
    folder,
    async ask(...args) {
      if (program === undefined) return { ok: false, why: 'there is no program `git` on PATH' };
      const { outcome, stdout, stderr } = await captureChild({
        program,
        args: [...SETTINGS, ...args],
        cwd: folder,
        env: { ...ENVIRONMENT, PATH: searchPath },
        timeoutMs: MOST_MS,
        limit: MOST_BYTES,
        ...(signal ? { signal } : {}),
      });
      if (outcome.end === 'exited' && outcome.exitCode === 0) {
        return { ok: true, stdout: Buffer.from(stdout) };
      }
      const said = stderr.trim().split('\n', 1)[0] ?? '';
      const ended =
        outcome.end === 'exited'
          ? `git exited with code ${outcome.exitCode}`
          : `git: ${outcome.end}`;
      return { ok: false, why: said === '' ? ended : said };
    },
  };
}

/** The folder is the user's own choice, whoever owns it in this container. */
const SETTINGS = [
  '--no-pager',
  '-c',
  'safe.directory=*',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.quotePath=false',
  '-c',
  'protocol.allow=never',
];

const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
};

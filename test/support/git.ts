import { execFileSync } from 'node:child_process';

/** A real repository in a folder, as a test makes and changes it. */
export class GitRepository {
  readonly root: string;

  constructor(root: string, branch = 'main') {
    this.root = root;
    this.git('init', '--quiet', `--initial-branch=${branch}`);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', ['-C', this.root, ...args], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'A Designer',
        GIT_AUTHOR_EMAIL: 'designer@example.org',
        GIT_COMMITTER_NAME: 'A Designer',
        GIT_COMMITTER_EMAIL: 'designer@example.org',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** Commits everything that is not ignored. Answers the commit. */
  commit(message = 'a change'): string {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }
}

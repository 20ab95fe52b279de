/** Events of GitHub as a job sees them: variables, and the payload that GITHUB_EVENT_PATH names. */

export interface GithubEvent {
  readonly variables: Readonly<Record<string, string>>;
  readonly payload: object;
}

export type EventName =
  | 'push'
  | 'branch'
  | 'pull_request'
  | 'fork'
  | 'merge_group'
  | 'release'
  | 'tag';

const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ZERO = '0'.repeat(40);

const repository = {
  id: 186853002,
  node_id: 'MDEwOlJlcG9zaXRvcnkxODY4NTMwMDI=',
  name: 'uart',
  full_name: 'silicon/uart',
  private: false,
  default_branch: 'main',
  html_url: 'https://github.com/silicon/uart',
  owner: { login: 'silicon', id: 21031067, type: 'Organization' },
};
const sender = { login: 'octocat', id: 583231, type: 'User', site_admin: false };

function event(name: string, refs: Readonly<Record<string, string>>, payload: object): GithubEvent {
  return {
    variables: { GITHUB_EVENT_NAME: name, GITHUB_SHA: SHA, GITHUB_REF_TYPE: 'branch', ...refs },
    payload: { ...payload, repository, sender },
  };
}

export const EVENTS: Readonly<Record<EventName, GithubEvent>> = {
  push: event(
    'push',
    { GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main' },
    {
      ref: 'refs/heads/main',
      before: '9049f1265b7d61be4a8904a9a27120d2064dab3b',
      after: SHA,
      created: false,
      deleted: false,
      forced: false,
      commits: [{ id: SHA, message: 'Deeper FIFO', added: [], removed: [], modified: ['a.v'] }],
    },
  ),
  branch: event(
    'push',
    { GITHUB_REF: 'refs/heads/deeper', GITHUB_REF_NAME: 'deeper' },
    {
      ref: 'refs/heads/deeper',
      before: '9049f1265b7d61be4a8904a9a27120d2064dab3b',
      after: SHA,
      created: false,
    },
  ),
  pull_request: event(
    'pull_request',
    {
      GITHUB_REF: 'refs/pull/8/merge',
      GITHUB_REF_NAME: '8/merge',
      GITHUB_HEAD_REF: 'deeper',
      GITHUB_BASE_REF: 'main',
    },
    {
      action: 'synchronize',
      number: 8,
      pull_request: {
        number: 8,
        head: { ref: 'deeper', sha: SHA, repo: { full_name: 'silicon/uart', fork: false } },
        base: { ref: 'main', sha: ZERO, repo: { full_name: 'silicon/uart', fork: false } },
        labels: [],
      },
    },
  ),
  // A fork's job has neither a token that writes nor, as here, a cache service.
  fork: event(
    'pull_request',
    {
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REF_NAME: '7/merge',
      GITHUB_HEAD_REF: 'patch-1',
      GITHUB_BASE_REF: 'main',
    },
    {
      action: 'synchronize',
      number: 7,
      pull_request: {
        id: 1913331010,
        number: 7,
        state: 'open',
        title: 'Deeper FIFO',
        user: { login: 'stranger', id: 9919, type: 'User' },
        head: {
          ref: 'patch-1',
          sha: SHA,
          repo: { full_name: 'stranger/uart', fork: true, owner: { login: 'stranger' } },
        },
        base: { ref: 'main', sha: ZERO, repo: { full_name: 'silicon/uart', fork: false } },
        merge_commit_sha: SHA,
        author_association: 'FIRST_TIME_CONTRIBUTOR',
      },
    },
  ),
  merge_group: event(
    'merge_group',
    {
      GITHUB_REF: 'refs/heads/gh-readonly-queue/main/pr-7-9049f126',
      GITHUB_REF_NAME: 'gh-readonly-queue/main/pr-7-9049f126',
    },
    {
      action: 'checks_requested',
      merge_group: {
        head_sha: SHA,
        head_ref: 'refs/heads/gh-readonly-queue/main/pr-7-9049f126',
        base_sha: '9049f1265b7d61be4a8904a9a27120d2064dab3b',
        base_ref: 'refs/heads/main',
      },
    },
  ),
  release: event(
    'release',
    { GITHUB_REF: 'refs/tags/v1.0', GITHUB_REF_NAME: 'v1.0', GITHUB_REF_TYPE: 'tag' },
    {
      action: 'published',
      release: {
        id: 1,
        tag_name: 'v1.0',
        target_commitish: 'main',
        name: 'Tape-out',
        draft: false,
        prerelease: false,
        assets: [],
      },
    },
  ),
  tag: event(
    'push',
    { GITHUB_REF: 'refs/tags/v1.0', GITHUB_REF_NAME: 'v1.0', GITHUB_REF_TYPE: 'tag' },
    { ref: 'refs/tags/v1.0', before: ZERO, after: SHA, created: true, commits: [] },
  ),
};

/** The payload with another base for the change that it is about, and the labels of its pull request. */
export function withBase(
  payload: object,
  base: string | undefined,
  labels: readonly string[],
): object {
  if (base === undefined) return payload;
  const { pull_request: pull, merge_group: group } = payload as Record<string, object | undefined>;
  if (pull) {
    return {
      ...payload,
      pull_request: {
        ...pull,
        base: { ref: 'main', sha: base },
        labels: labels.map((name, id) => ({ id, name })),
      },
    };
  }
  return group
    ? { ...payload, merge_group: { ...group, base_sha: base } }
    : { ...payload, before: base };
}

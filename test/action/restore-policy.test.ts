import { describe, expect, test } from 'vitest';
import { mayRestore } from '../../src/action/restore-policy.ts';

const BRANCH = { GITHUB_REF: 'refs/heads/main', GITHUB_REF_TYPE: 'branch' };
const TAG = { GITHUB_REF: 'refs/tags/v1.0', GITHUB_REF_TYPE: 'tag' };

describe('results are restored', () => {
  test.each([
    ['push', BRANCH, true],
    ['pull_request', { GITHUB_REF: 'refs/pull/7/merge', GITHUB_REF_TYPE: 'branch' }, true],
    ['merge_group', BRANCH, true],
    ['schedule', BRANCH, true],
    ['workflow_dispatch', BRANCH, true],
    ['workflow_dispatch', TAG, false],
    ['push', TAG, false],
    ['push', { GITHUB_REF: 'refs/tags/v1.0' }, false],
    ['push', { GITHUB_REF_TYPE: 'tag' }, false],
    ['create', TAG, false],
    ['release', TAG, false],
    ['release', BRANCH, false],
    ['pull_request_target', BRANCH, false],
    ['workflow_run', BRANCH, false],
  ])('on %s %o: %s', (GITHUB_EVENT_NAME, refs, expected) => {
    const environment = { GITHUB_EVENT_NAME, ...refs };
    expect(mayRestore('auto', environment)).toBe(expected);
    expect(mayRestore('always', environment)).toBe(true);
    expect(mayRestore('never', environment)).toBe(false);
  });
});

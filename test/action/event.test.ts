import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ChangeEvent, readEvent } from '../../src/action/event.ts';
import { EVENTS, type EventName, withBase } from '../support/github-events.ts';
import { scratchFolder } from '../support/scratch.ts';

const BASE = '9049f1265b7d61be4a8904a9a27120d2064dab3b';
const ZERO = '0'.repeat(40);

const repository = { default_branch: 'main' };

interface Told {
  /** An object as JSON, a text as it is, or what makes something else at the path. */
  readonly payload?: object | string | ((path: string) => void) | undefined;
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** What is read of an event of this name. */
function read(name: string, { payload, variables = {} }: Told = {}): ChangeEvent {
  const path = join(scratchFolder(), 'event.json');
  if (typeof payload === 'function') payload(path);
  else if (typeof payload === 'string') writeFileSync(path, payload);
  else if (payload !== undefined) writeFileSync(path, JSON.stringify(payload));
  return readEvent({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: path, ...variables });
}

/** What is read of one of the recorded events. */
function readRecorded(name: EventName, change: (payload: object) => object = (same) => same) {
  const { variables, payload } = EVENTS[name];
  return read(variables['GITHUB_EVENT_NAME'] ?? '', { payload: change(payload), variables });
}

function push(ref: string, payload: object = {}): ChangeEvent {
  return read('push', {
    payload: { before: BASE, ref, repository, ...payload },
    variables: { GITHUB_REF: ref },
  });
}

const NEEDED: ChangeEvent = { base: undefined, needsBase: true, labels: [] };
const NO_CHANGE: ChangeEvent = { base: undefined, needsBase: false, labels: [] };
const RELEASE: ChangeEvent = { ...NO_CHANGE, isRelease: true };

describe('a pull request', () => {
  test('is compared with its base, and carries its labels', () => {
    const labels = ['bug', 'signoff-gate: judging accepted'];
    expect(
      readRecorded('pull_request', (payload) => withBase(payload, BASE, labels)),
    ).toMatchObject({
      base: BASE,
      needsBase: true,
      labels,
    });
  });

  test('of a fork is no other', () => {
    expect(readRecorded('fork', (payload) => withBase(payload, BASE, []))).toMatchObject({
      base: BASE,
      needsBase: true,
      labels: [],
    });
  });

  test.each([
    'pull_request',
    'pull_request_target',
    'pull_request_review',
    'pull_request_review_comment',
  ])('is read of the event %s', (name) => {
    const payload = { pull_request: { base: { sha: BASE }, labels: [{ name: 'a' }] } };
    expect(read(name, { payload })).toEqual({ base: BASE, needsBase: true, labels: ['a'] });
  });

  test('is compared with its base whatever branch or tag the variables name', () => {
    const payload = { pull_request: { base: { sha: BASE } }, repository };
    for (const GITHUB_REF of ['refs/heads/main', 'refs/tags/v1', '']) {
      const event = read('pull_request', { payload, variables: { GITHUB_REF } });
      expect(event).toEqual({ base: BASE, needsBase: true, labels: [] });
    }
  });

  test.each([
    ['no base', {}],
    ['a base that is no object', { base: BASE }],
    ['a base without a commit', { base: { ref: 'main' } }],
    ['a commit that is empty', { base: { sha: '' } }],
    ['a commit that is a number', { base: { sha: 9049 } }],
    ['a commit that is null', { base: { sha: null } }],
    ['a base that is a list', { base: [{ sha: BASE }] }],
  ])('needs a base that its payload does not name: %s', (_, pull) => {
    expect(read('pull_request', { payload: { pull_request: pull, repository } })).toEqual(NEEDED);
  });

  test.each([
    ['no labels', undefined],
    ['null', null],
    ['a text', 'signoff-gate: judging accepted'],
    ['an object', { name: 'signoff-gate: judging accepted' }],
    ['texts in place of labels', ['signoff-gate: judging accepted']],
    ['labels without a name', [{ id: 1 }, null, 4, [{ name: 'x' }]]],
    ['names that are no text', [{ name: 1 }, { name: ['x'] }, { name: '' }]],
  ])('has no label that its payload does not carry as one: %s', (_, labels) => {
    const payload = { pull_request: { base: { sha: BASE }, labels } };
    expect(read('pull_request', { payload }).labels).toEqual([]);
  });

  test('keeps each label as it is written', () => {
    const labels = [{ name: ' A ' }, { name: 'a' }, { name: 'a' }, {}, { name: 'ä\n::x::' }];
    const payload = { pull_request: { base: { sha: BASE }, labels } };
    expect(read('pull_request', { payload }).labels).toEqual([' A ', 'a', 'a', 'ä\n::x::']);
  });

  test('does not get the label that another event put on or took off', () => {
    const payload = {
      action: 'unlabeled',
      label: { name: 'signoff-gate: judging accepted' },
      pull_request: { base: { sha: BASE }, labels: [{ name: 'bug' }] },
    };
    expect(read('pull_request', { payload }).labels).toEqual(['bug']);
  });
});

describe('a merge group', () => {
  test('is compared with the commit before it', () => {
    expect(readRecorded('merge_group')).toEqual({ base: BASE, needsBase: true, labels: [] });
  });

  test('needs a base that its payload does not name', () => {
    const payload = { merge_group: { base_ref: 'refs/heads/main' }, repository };
    expect(read('merge_group', { payload })).toEqual(NEEDED);
  });

  test('carries no labels, whatever stands in its payload', () => {
    const payload = { merge_group: { base_sha: BASE, labels: [{ name: 'a' }] }, labels: ['a'] };
    expect(read('merge_group', { payload }).labels).toEqual([]);
  });
});

describe('a push', () => {
  test('to the default branch is compared with what that was before, if it is there', () => {
    expect(readRecorded('push')).toEqual({ base: BASE, needsBase: false, labels: [] });
  });

  test('that creates the default branch has nothing to be compared with', () => {
    expect(push('refs/heads/main', { before: ZERO, created: true })).toEqual(NO_CHANGE);
    expect(push('refs/heads/main', { before: '0'.repeat(64) })).toEqual(NO_CHANGE);
  });

  test('that rewrites the default branch is compared with what that was before', () => {
    expect(push('refs/heads/main', { forced: true }).base).toBe(BASE);
  });

  test('to a default branch of another name is one to the default branch', () => {
    const trunk = { repository: { default_branch: 'release/1.x' } };
    expect(push('refs/heads/release/1.x', trunk).needsBase).toBe(false);
    expect(push('refs/heads/main', trunk).needsBase).toBe(true);
  });

  // What an earlier push to the same branch recorded was never accepted by anybody: two pushes
  // would make a forged record count, the first with the record, the second with anything at all.
  test('to another branch is compared with the default branch, not with what it was before', () => {
    const event = { base: 'refs/remotes/origin/main', needsBase: true, labels: [] };
    expect(readRecorded('branch')).toEqual(event);
    expect(push('refs/heads/deeper', { forced: true })).toEqual(event);
  });

  test('that creates another branch is compared with the default branch', () => {
    const event = { base: 'refs/remotes/origin/main', needsBase: true, labels: [] };
    expect(push('refs/heads/deeper', { before: ZERO, created: true })).toEqual(event);
    for (const before of [undefined, null, '', 0, [BASE]]) {
      expect(push('refs/heads/deeper', { before })).toEqual(event);
    }
  });

  test.each([
    'refs/heads/Main',
    'refs/heads/main/x',
    'refs/heads/x/main',
    'main',
    'refs/pull/1/merge',
  ])('to %s is not one to the default branch', (ref) => {
    expect(push(ref).needsBase).toBe(true);
  });

  test('of a tag is about no change', () => {
    expect(readRecorded('tag')).toEqual(RELEASE);
    expect(push('refs/tags/v1.0')).toEqual(RELEASE);
  });

  test('to a branch that is named as a tag is, is one to a branch', () => {
    expect(push('refs/heads/refs/tags/v1').needsBase).toBe(true);
  });
});

describe('an event about no change', () => {
  test.each(['release', 'schedule'])('has no base and needs none: %s', (name) => {
    const payload = { repository, before: BASE, schedule: '0 4 * * *' };
    const variables = { GITHUB_REF: 'refs/heads/main' };
    expect(read(name, { payload, variables })).toEqual(name === 'release' ? RELEASE : NO_CHANGE);
  });

  test('is a release, with all that its payload holds', () => {
    expect(readRecorded('release')).toEqual(RELEASE);
  });
});

describe('a workflow that is started by hand', () => {
  const started = (ref: string): ChangeEvent =>
    read('workflow_dispatch', {
      payload: { inputs: {}, ref, repository, before: BASE },
      variables: { GITHUB_REF: ref },
    });

  test('on the default branch is about no change', () => {
    expect(started('refs/heads/main')).toEqual(NO_CHANGE);
  });

  test('on another branch is compared with the default branch', () => {
    expect(started('refs/heads/deeper')).toEqual({
      base: 'refs/remotes/origin/main',
      needsBase: true,
      labels: [],
    });
  });

  test('on a tag is about no change', () => {
    expect(started('refs/tags/v1')).toEqual(RELEASE);
  });
});

describe('an event that may be about a change and does not say which needs a base', () => {
  test.each([
    ['workflow_run', { workflow_run: { head_sha: BASE, pull_requests: [{ number: 1 }] } }],
    [
      'issue_comment',
      { issue: { number: 1, pull_request: { url: 'x' }, labels: [{ name: 'a' }] } },
    ],
    ['repository_dispatch', { client_payload: { pull_request: { base: { sha: BASE } } } }],
    ['check_run', { check_run: { pull_requests: [] } }],
    ['create', { ref: 'deeper', ref_type: 'branch' }],
    ['', {}],
    ['Push', { before: BASE }],
    ['an event that is yet to come', {}],
  ])('%s', (name, payload) => {
    const variables = { GITHUB_REF: 'refs/heads/main' };
    expect(read(name, { payload: { ...payload, repository }, variables })).toEqual(NEEDED);
  });
});

describe('a payload', () => {
  test('that nobody names is no runner: nothing here is a change', () => {
    for (const GITHUB_EVENT_PATH of [undefined, '']) {
      expect(readEvent({ GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH })).toEqual(
        NO_CHANGE,
      );
    }
    expect(readEvent({})).toEqual(NO_CHANGE);
  });

  const unreadable: readonly (readonly [string, Told['payload']])[] = [
    ['that is not there', undefined],
    ['that is a folder', (path: string) => mkdirSync(path)],
    ['that is a link to nothing', (path: string) => symlinkSync('nowhere', path)],
    ['that is empty', ''],
    ['that is no JSON', '{"pull_request": '],
    ['that is followed by more', `${JSON.stringify({ before: BASE, repository })}{}`],
    ['that is a list', JSON.stringify([{ pull_request: { base: { sha: BASE } } }])],
    ['that is null', 'null'],
    ['that says one thing twice', `{"before": "${BASE}", "before": "${ZERO}"}`],
    [
      'that is not UTF-8',
      (path: string) => writeFileSync(path, Buffer.from('7b22ff223a317d', 'hex')),
    ],
  ];

  test.each(unreadable)('%s: a pull request needs a base', (_, payload) => {
    expect(read('pull_request', { payload })).toEqual(NEEDED);
    expect(read('merge_group', { payload })).toEqual(NEEDED);
    expect(read('pull_request_target', { payload })).toEqual(NEEDED);
  });

  // Whether the branch is the default one cannot be told: it may be about a change.
  test.each(unreadable)('%s: a push needs a base', (_, payload) => {
    const variables = { GITHUB_REF: 'refs/heads/deeper' };
    expect(read('push', { payload, variables })).toEqual(NEEDED);
    expect(read('workflow_dispatch', { payload, variables })).toEqual(NEEDED);
  });

  test.each([
    ['no repository', {}],
    ['a repository that is a text', { repository: 'silicon/uart' }],
    ['a default branch that is a number', { repository: { default_branch: 1 } }],
    ['a default branch that is empty', { repository: { default_branch: '' } }],
  ])('that does not say which branch is the default one: a push needs a base: %s', (_, payload) => {
    const variables = { GITHUB_REF: 'refs/heads/deeper' };
    const event = read('push', { payload: { before: BASE, ...payload }, variables });
    expect(event.needsBase).toBe(true);
  });

  test('of odd types is as one that says nothing', () => {
    for (const value of [null, 0, '', 'text', [], true]) {
      const payload = { pull_request: value, merge_group: value, repository };
      const variables = { GITHUB_REF: 'refs/heads/main' };
      expect(read('pull_request', { payload, variables })).toEqual(NEEDED);
      expect(read('merge_group', { payload, variables })).toEqual(NEEDED);
    }
  });

  test('is asked for its own names only', () => {
    const payload = '{"__proto__": {"pull_request": {"base": {"sha": "x"}}}}';
    expect(read('pull_request', { payload })).toEqual(NEEDED);
  });
});

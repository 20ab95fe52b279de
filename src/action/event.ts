import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, own, parseStrictObject } from '../values/strict-json.ts';
import type { Environment } from './inputs.ts';

/** What an event says of the change that its job judges. */
export interface ChangeEvent {
  /** What the change is compared with, as a git ref. */
  readonly base: string | undefined;
  /**
   * Must the base be there? Not where what is judged is on the default branch or a tag already: it is
   * compared where it can be, and had to pass the rules of that branch to get there.
   */
  readonly needsBase: boolean;
  readonly labels: readonly string[];
  /** A release is signed off apart: on nothing that was recorded. */
  readonly isRelease?: boolean | undefined;
  /** The commit of the change, where the event names one. */
  readonly change?: string | undefined;
}

const NO_COMMIT = /^0+$/;

/**
 * Reads the base and the labels of the event that started the job. An event that may be about a
 * change and does not say which needs a base that its user names.
 */
export function readEvent(environment: Environment): ChangeEvent {
  const name = environment['GITHUB_EVENT_NAME'] ?? '';
  const payload = readPayload(environment['GITHUB_EVENT_PATH']);
  const pull = objectIn(payload, 'pull_request');
  if (pull) {
    return {
      base: textIn(objectIn(pull, 'base'), 'sha'),
      needsBase: true,
      labels: labelsOf(pull),
      change: textIn(objectIn(pull, 'head'), 'sha'),
    };
  }
  const group = objectIn(payload, 'merge_group');
  if (group) return { base: textIn(group, 'base_sha'), needsBase: true, labels: [] };
  const accepted: ChangeEvent = { base: undefined, needsBase: false, labels: [] };
  // A runner always has a payload; without one, nothing here is a change of a repository.
  if (name === 'release') return { ...accepted, isRelease: true };
  if (name === 'schedule' || !environment['GITHUB_EVENT_PATH']) return accepted;
  if (name !== 'push' && name !== 'workflow_dispatch') return { ...accepted, needsBase: true };

  const ref = environment['GITHUB_REF'] ?? '';
  if (ref.startsWith('refs/tags/')) return { ...accepted, isRelease: true };
  const main = textIn(objectIn(payload, 'repository'), 'default_branch');
  if (main === undefined) return { ...accepted, needsBase: true };
  // The last commit of another branch is as little accepted as this one.
  if (ref !== `refs/heads/${main}`) {
    return { base: `refs/remotes/origin/${main}`, needsBase: true, labels: [] };
  }
  const before = name === 'push' ? textIn(payload, 'before') : undefined;
  return { ...accepted, base: before === undefined || NO_COMMIT.test(before) ? undefined : before };
}

function readPayload(path: string | undefined): JsonObject {
  if (path === undefined || path === '') return {};
  try {
    const object = parseStrictObject(readFileSync(path));
    return object.ok ? object.value : {};
  } catch {
    return {};
  }
}

function labelsOf(pull: JsonObject): string[] {
  const labels = own(pull, 'labels');
  return (Array.isArray(labels) ? labels : []).flatMap((label: unknown) =>
    isJsonObject(label) ? (textIn(label, 'name') ?? []) : [],
  );
}

function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object && own(object, key);
  return isJsonObject(value) ? value : undefined;
}

function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object && own(object, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

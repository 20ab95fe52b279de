import type { ActionInputs, Environment } from './inputs.ts';

/** Events whose jobs hold more rights than the code that filled the cache had. */
const PRIVILEGED_EVENTS = ['release', 'pull_request_target', 'workflow_run'];

/** A release is signed off on what it ran itself, not on what any earlier job left in a cache. */
export function mayRestore(wish: ActionInputs['restore'], environment: Environment): boolean {
  if (wish !== 'auto') return wish === 'always';
  const isTag =
    environment['GITHUB_REF_TYPE'] === 'tag' || environment['GITHUB_REF']?.startsWith('refs/tags/');
  return !isTag && !PRIVILEGED_EVENTS.includes(environment['GITHUB_EVENT_NAME'] ?? '');
}

/** The log, at the workspace root. */
export const EVENTS_FILE = 'events.jsonl';

/** The folder of our own files in a workspace: lock, runs, torn tails. */
export const STATE_FOLDER = '.signoff';

import type { Fingerprint } from '../values/brands.ts';

/**
 * Where results of runs are kept for other machines and other checkouts. A cache can save time and
 * nothing else: whatever it answers, the worst that follows is that the stage is run.
 */
export interface RunCache {
  /** As notices name it. */
  readonly name: string;
  /** Whether what is saved leaves this machine. */
  readonly isShared: boolean;
  /**
   * Looks an entry up and puts what was kept into `staging`, an empty folder that exists. What
   * arrives there has not been checked and may be anything.
   *
   * @param signal ends the waiting when the gate is stopped
   */
  restore(key: EntryKey, staging: string, signal: AbortSignal): Promise<Restored>;
  /** Keeps the content of a folder under a key that is not taken. */
  save(key: EntryKey, folder: string, signal: AbortSignal): Promise<Saved>;
}

/** The key of an entry: the stage for people, the digest of the run key for the match. */
export interface EntryKey {
  readonly stage: string;
  readonly runKey: Fingerprint;
}

export type Restored = { readonly kind: 'hit' } | { readonly kind: 'miss' } | Failed;

export type Saved = { readonly kind: 'saved' } | { readonly kind: 'taken' } | Failed;

export interface Failed {
  readonly kind: 'failed';
  readonly reason: string;
  /** The next call would fare no better, so the rest of the pass does not wait again. */
  readonly isOutage: boolean;
}

/** The text that a cache is asked for: the same on every machine, short, without commas. */
export function keyText({ stage, runKey }: EntryKey): string {
  return `signoff-gate-1-${stage}-${runKey.slice(runKey.indexOf(':') + 1)}`;
}

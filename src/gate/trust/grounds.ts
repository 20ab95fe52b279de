import type { Stage } from '../../flow/stage.ts';
import type { LogRecord } from '../../log/record.ts';
import type { StageAssessment } from '../../proof/assess.ts';
import type { Judging, Stray, TrustWord } from '../../report/result.ts';
import type { Problem } from '../../values/problem.ts';

/**
 * What a judgement may rest on: which records count, which results may come from the cache, and
 * what the change that is judged does to the judging itself.
 */
export interface Grounds {
  readonly trust: TrustWord;
  /** May this record, which no run of this pass has made, prove anything? */
  readonly accepts: (record: LogRecord) => boolean;
  /** May the result of this stage come from a cache that the change itself could have filled? */
  readonly mayRestore: (stage: Stage) => boolean;
  readonly judging: Judging | undefined;
  readonly problems: readonly Problem[];
  /** What could not be compared and need not be, for people to see. */
  readonly notices: readonly string[];
  /** How what was judged stands to what the commit holds. */
  readonly compareCommit: (stages: readonly StageAssessment[]) => CommitComparison;
}

export interface CommitComparison {
  /** The inputs that are not what the commit holds, nor written by a stage that is valid. */
  readonly strays: readonly Stray[];
  readonly problems: readonly Problem[];
}

/** The log is the caller's own: all of it counts. What a terminal goes by unless it is told. */
export const OWN_LOG: Grounds = {
  trust: 'own',
  accepts: () => true,
  mayRestore: () => true,
  judging: undefined,
  problems: [],
  notices: [],
  compareCommit: () => ({ strays: [], problems: [] }),
};

/** Everything recorded counts, and the answer says `trusted` where it would say proven. */
export const TRUSTED_LOG: Grounds = { ...OWN_LOG, trust: 'log' };

/** Nothing recorded counts: only what this pass runs or restores. */
export const NO_LOG: Grounds = { ...OWN_LOG, trust: 'none', accepts: () => false };

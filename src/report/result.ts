import type { LoomResult } from '../generated/documents.ts';
import type { StageAssessment } from '../proof/assess.ts';
import type { JudgingChange } from '../proof/judging.ts';
import type { Problem } from '../values/problem.ts';
import type { Figure } from './figures.ts';

/** What a pass did about a stage. */
export type How = 'ran' | 'restored' | 'reused' | 'not-run';

/** One stage as the judgement sees it. */
export interface JudgedStage {
  readonly assessment: StageAssessment;
  readonly how: How;
  /** Why it was not run although it would have to be. */
  readonly held: string | undefined;
  /** The numbers that its run reported. */
  readonly figures?: readonly Figure[] | undefined;
}

/**
 * Whose records count: `own`, the caller's own log; `base`, what the base of a change has; `log`,
 * all of them, on trust; `none`.
 */
export type TrustWord = 'own' | 'base' | 'log' | 'none';

/** What a change does to the judging, rather than to the design. */
export interface Judging {
  readonly changes: readonly JudgingChange[];
  /** Somebody with the right to has accepted it. */
  readonly isAccepted: boolean;
}

/** An input that is not what the commit holds. */
export interface Stray {
  readonly path: string;
  readonly why: string;
}

/** The judgement over the whole flow, whatever was run. */
export interface GateResult {
  readonly workspace: string;
  readonly flow: string;
  readonly isProven: boolean;
  readonly trust: TrustWord;
  /** Undefined where no base was compared with. */
  readonly judging?: Judging | undefined;
  readonly strays?: readonly Stray[];
  /** What could not be compared and need not be. */
  readonly notices?: readonly string[];
  readonly stages: readonly JudgedStage[];
  readonly problems: readonly Problem[];
}

/** A judgement with the envelopes that its stages rest on, as far as they could be read. */
export interface ReportedResult {
  readonly result: GateResult;
  readonly envelopes: ReadonlyMap<string, LoomResult>;
  /** As the user named it, if it is not the one that is looked for. */
  readonly flowFile?: string | undefined;
}

import type { LoomResult } from '../generated/documents.ts';
import type { StageAssessment } from '../proof/assess.ts';
import type { Problem } from '../values/problem.ts';

/** What a pass did about a stage. */
export type How = 'ran' | 'restored' | 'reused' | 'not-run';

/** One stage as the judgement sees it. */
export interface JudgedStage {
  readonly assessment: StageAssessment;
  readonly how: How;
  /** Why it was not run although it would have to be. */
  readonly held: string | undefined;
}

/** The judgement over the whole flow, whatever was run. */
export interface GateResult {
  readonly workspace: string;
  readonly flow: string;
  readonly isProven: boolean;
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

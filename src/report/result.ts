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

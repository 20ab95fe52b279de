import type { StageAssessment } from '../proof/assess.ts';

/** What is to be done about one stage. */
export type Decision =
  | { readonly action: 'run'; readonly reason: string }
  /** It holds, or it failed and nothing has changed since. */
  | { readonly action: 'reuse'; readonly reason: string }
  /** It would have to run, but something that it needs is not valid. */
  | { readonly action: 'hold'; readonly reason: string }
  /** Somebody outside the gate does its work. */
  | { readonly action: 'judge'; readonly reason: string };

/** What a pass was asked for, as far as it bears on one stage. */
export interface Wish {
  /** The caller named other stages only. */
  readonly isLeftOut: boolean;
  /** Run it even if nothing has changed. */
  readonly isForced: boolean;
}

/**
 * Decides about a stage when all that it needs or comes after has settled: missing, stale and
 * blocked stages run; a failed one runs if something changed since (design §3 "Verdict to status").
 *
 * @param needs the assessments, as of now, of the stages whose outputs it reads
 */
export function decideStage(
  assessment: StageAssessment,
  needs: readonly StageAssessment[],
  wish: Wish,
): Decision {
  const { status, stage, reason } = assessment;
  if (stage.work.kind === 'judged') return { action: 'judge', reason };
  if (!wish.isForced) {
    if (status === 'valid') return { action: 'reuse', reason };
    if (
      status === 'failed' &&
      assessment.changes.length === 0 &&
      assessment.problems.length === 0
    ) {
      return { action: 'reuse', reason: `nothing that it read has changed since ${reason}` };
    }
  }
  if (wish.isLeftOut) return { action: 'hold', reason: 'it was not asked for' };
  const unready = needs.find((need) => need.status !== 'valid');
  if (unready) {
    return { action: 'hold', reason: `it needs ${unready.stage.name}, which is ${unready.status}` };
  }
  return {
    action: 'run',
    reason: wish.isForced && status === 'valid' ? 'it was asked for' : reason,
  };
}

import type { StageAssessment } from '../proof/assess.ts';
import { decideStage } from '../schedule/decide.ts';

export type PlannedAction = 'run' | 'run-if-changed' | 'reuse' | 'reuse-failed' | 'held' | 'judge';

/** What a pass would do about one stage. */
export interface PlannedStage {
  readonly assessment: StageAssessment;
  readonly action: PlannedAction;
  readonly reason: string;
}

/**
 * What `run` would do if every stage that runs ended valid. It starts nothing and judges nothing:
 * whether a producer changes what a stage reads is only known when it has run.
 */
export function planPass(stages: readonly StageAssessment[]): PlannedStage[] {
  const planned = new Map<string, PlannedStage>();
  for (const assessment of stages) {
    const needs = assessment.stage.needs.flatMap((name) => planned.get(name) ?? []);
    planned.set(assessment.stage.name, planStage(assessment, needs));
  }
  return [...planned.values()];
}

function planStage(assessment: StageAssessment, needs: readonly PlannedStage[]): PlannedStage {
  const plan = (action: PlannedAction, reason: string): PlannedStage => ({
    assessment,
    action,
    reason,
  });
  const running = needs.filter(({ action }) => action === 'run' || action === 'run-if-changed');
  const settled = needs.filter((need) => !running.includes(need)).map((need) => need.assessment);
  const decision = decideStage(assessment, settled, { isLeftOut: false, isForced: false });
  switch (decision.action) {
    case 'judge':
      return plan('judge', decision.reason);
    case 'hold':
      return plan('held', decision.reason);
    case 'run':
      return plan('run', decision.reason);
    case 'reuse': {
      const names = running.map((need) => need.assessment.stage.name).join(', ');
      if (running.length > 0)
        return plan('run-if-changed', `${names} runs first; ${decision.reason}`);
      return plan(assessment.status === 'failed' ? 'reuse-failed' : 'reuse', decision.reason);
    }
  }
}

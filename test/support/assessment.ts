import type { Flow } from '../../src/flow/stage.ts';
import type { StageAssessment } from '../../src/proof/assess.ts';

/** What is known of a stage, for tests of what follows from it. */
export function assessmentOf(
  flow: Flow,
  name: string,
  known: Partial<Omit<StageAssessment, 'stage'>>,
): StageAssessment {
  const stage = flow.stages.find((one) => one.name === name);
  if (!stage) throw new Error(`the flow has no stage ${name}`);
  return {
    stage,
    status: 'missing',
    verdict: 'unknown',
    assertion: null,
    reason: 'it has not been run',
    outcome: undefined,
    envelope: undefined,
    summary: undefined,
    changes: [],
    marks: [],
    problems: [],
    ...known,
  };
}

import { advisoryPredecessors, producersOf } from '../flow/presets/veripower/registry.ts';
import type {
  PresetAssessment,
  PresetStageAssessment,
} from '../flow/presets/veripower/veripower.ts';
import type { Stage } from '../flow/stage.ts';
import { EVENTS_FILE } from '../log/names.ts';
import type { StageAssessment, Status } from '../proof/assess.ts';
import type { VerdictStatus } from '../proof/verdict.ts';
import type { GateResult, TrustWord } from '../report/result.ts';
import type { StageName } from '../values/brands.ts';

/** The flow of a workspace that VeriPower drives, as answers name it. */
export const PRESET_FLOW = 'veripower';

/** The judgement over such a workspace; the gate reads it and runs nothing. */
export function presetResult(
  name: string,
  { stages, isProven, problems }: PresetAssessment,
  trust: TrustWord,
): GateResult {
  return {
    workspace: name,
    flow: PRESET_FLOW,
    isProven,
    trust,
    stages: stages.map((stage) => ({
      assessment: presetStage(stage),
      how: stage.recorded ? 'reused' : 'not-run',
      held: undefined,
    })),
    problems,
  };
}

const VERDICT: Readonly<Partial<Record<Status, VerdictStatus>>> = { valid: 'pass', failed: 'fail' };

/** A stage of the preset in the form that answers and reports are made from. */
export function presetStage(found: PresetStageAssessment): StageAssessment {
  const { stage, cell, reason, recorded, changes } = found;
  return {
    stage: asStage(found),
    status: cell,
    verdict: VERDICT[cell] ?? 'unknown',
    assertion: stage.oracle.ref,
    reason,
    // As much of the record as is shown.
    outcome: recorded && {
      ...recorded,
      type: 'outcome',
      rule: stage.name,
      outputs: {},
      proofs: [],
      tool_versions: {},
    },
    envelope: undefined,
    summary: undefined,
    changes,
    // Its runs are recorded by whoever did them; the gate has run none of them.
    marks: ['self-reported'],
    problems: [],
  };
}

function asStage({ stage: { name } }: PresetStageAssessment): Stage {
  const at = { file: EVENTS_FILE };
  return {
    name: name as StageName,
    at,
    workAt: at,
    work: { kind: 'judged', by: 'agent' },
    inputs: { include: [], exclude: [] },
    outputs: [],
    needs: [...producersOf(name)] as StageName[],
    after: [...advisoryPredecessors(name)] as StageName[],
    external: {},
    env: {},
    floors: {},
    minCoverage: undefined,
    acceptsNoClaim: false,
    timeoutMs: 0,
  };
}

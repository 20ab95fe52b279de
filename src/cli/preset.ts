import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { advisoryPredecessors, producersOf } from '../flow/presets/veripower/registry.ts';
import {
  assessVeripower,
  openVeripower,
  type PresetAssessment,
  type PresetStageAssessment,
  type VeripowerWorkspace,
} from '../flow/presets/veripower/veripower.ts';
import type { Stage } from '../flow/stage.ts';
import type { StageAssessment, Status } from '../proof/assess.ts';
import type { VerdictStatus } from '../proof/verdict.ts';
import { statusAnswer } from '../report/answers.ts';
import type { StageName } from '../values/brands.ts';
import { type Problem, problem, renderProblem } from '../values/problem.ts';
import type { Result } from '../values/result.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { answerJudgement } from './answer-judgement.ts';
import { COMMON, NO_POSITIONALS, parse, wantsJson } from './options.ts';
import { table } from './table.ts';

/** The flow of such a workspace, as answers name it. */
const FLOW = 'veripower';

/** `status` of a workspace that VeriPower drives. */
export function presetStatus(args: readonly string[]): Answer {
  return answerAssessed(args, (name, assessment, isJson) => {
    const { problems, isSignedOff } = assessment;
    const stages = assessment.stages.map(stageAssessment);
    const answer = statusAnswer({ workspace: name, flow: FLOW, problems }, stages, isSignedOff);
    if (isJson) return jsonAnswer(0, answer);
    const rows = table(['stage', 'status'], Object.entries(answer.stages));
    return textAnswer(0, [rows, ...problems.map(renderProblem)].join('\n'));
  });
}

/** `check` of a workspace that VeriPower drives: what is proven is decided by us, not by it. */
export function presetCheck(args: readonly string[]): Answer {
  return answerAssessed(args, (name, assessment, isJson) => {
    const { stages, isProven, problems } = assessment;
    return answerJudgement(
      {
        workspace: name,
        flow: FLOW,
        isProven,
        stages: stages.map((stage) => ({
          assessment: stageAssessment(stage),
          how: stage.recorded ? 'reused' : 'not-run',
          held: undefined,
        })),
        problems,
      },
      isJson,
    );
  });
}

/** Opens a workspace of the preset and answers a question about it, or says what is wrong. */
export function answerPreset<T>(
  directory: string,
  isJson: boolean,
  ask: (workspace: VeripowerWorkspace) => Result<T>,
  answer: (found: T) => Answer,
): Answer {
  const root = realFolder(directory);
  if (root === undefined) return refusal([noWorkspace(directory)], isJson);
  const workspace = openVeripower(root);
  const found = workspace.ok ? ask(workspace.value) : workspace;
  // Whatever it is, the workspace cannot be read: the engine that drives it cannot either.
  return found.ok ? answer(found.value) : { ...refusal([found.error], isJson), exitCode: 2 };
}

function answerAssessed(
  args: readonly string[],
  answer: (name: string, assessment: PresetAssessment, isJson: boolean) => Answer,
): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, COMMON, NO_POSITIONALS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const name = parsed.value.values.workspace ?? '.';
  return answerPreset(name, isJson, assessVeripower, (found) => answer(name, found, isJson));
}

function realFolder(directory: string): string | undefined {
  try {
    const root = realpathSync(resolve(directory));
    return statSync(root).isDirectory() ? root : undefined;
  } catch {
    return undefined;
  }
}

function noWorkspace(directory: string): Problem {
  return problem('usage/no-workspace', `the workspace ${directory} cannot be opened`, {
    remedy: 'Name the folder that holds events.jsonl with --workspace.',
  });
}

const VERDICT: Readonly<Partial<Record<Status, VerdictStatus>>> = { valid: 'pass', failed: 'fail' };

/** A stage of the preset in the form that answers and reports are made from. */
function stageAssessment(found: PresetStageAssessment): StageAssessment {
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
  const at = { file: FLOW };
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

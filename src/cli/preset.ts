import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  assessVeripower,
  openVeripower,
  type PresetAssessment,
  type VeripowerWorkspace,
} from '../flow/presets/veripower/veripower.ts';
import { PRESET_FLOW, presetResult, presetStage } from '../gate/veripower.ts';
import { statusAnswer } from '../report/answers.ts';
import { type Problem, problem, renderProblem } from '../values/problem.ts';
import type { Result } from '../values/result.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { answerJudgement } from './answer-judgement.ts';
import {
  ACCEPTANCE,
  asksTrust,
  COMMON,
  NO_POSITIONALS,
  parse,
  TRUST,
  wantsJson,
} from './options.ts';
import { table } from './table.ts';

/** `status` of a workspace that VeriPower drives. */
export function presetStatus(args: readonly string[]): Answer {
  return answerAssessed(args, (name, assessment, isJson) => {
    const { problems, isSignedOff } = assessment;
    const stages = assessment.stages.map(presetStage);
    const answer = statusAnswer(
      { workspace: name, flow: PRESET_FLOW, problems },
      stages,
      isSignedOff,
    );
    if (isJson) return jsonAnswer(0, answer);
    const rows = table(['stage', 'status'], Object.entries(answer.stages));
    return textAnswer(0, [rows, ...problems.map(renderProblem)].join('\n'));
  });
}

/** `check` of a workspace that VeriPower drives: what is proven is decided by us, not by it. */
export async function presetCheck(args: readonly string[]): Promise<Answer> {
  const isJson = wantsJson(args);
  const parsed = parse(args, { ...COMMON, ...TRUST }, NO_POSITIONALS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values } = parsed.value;
  const name = values.workspace ?? '.';
  if (!asksTrust(values)) {
    return answerPreset(name, isJson, assessVeripower, (found) =>
      answerJudgement(presetResult(name, found, 'own'), isJson),
    );
  }
  const root = realFolder(name);
  if (root === undefined) return refusal([noWorkspace(name)], isJson);
  const { chooseTrust } = await import('./grounds.ts');
  const { judgeVeripower } = await import('../gate/trust/judge-veripower.ts');
  const trust = chooseTrust(values);
  if (!trust.ok) return refusal(trust.error, isJson);
  const result = await judgeVeripower({
    root,
    name,
    searchPath: process.env['PATH'] ?? '',
    trust: trust.value,
    base: values.base,
    needsBase: values.base !== undefined,
    isJudgingAccepted: values['accept-judging'] ?? false,
    acceptance: ACCEPTANCE,
  });
  return result.ok
    ? answerJudgement(result.value, isJson)
    : { ...refusal(result.error, isJson), exitCode: 2 };
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

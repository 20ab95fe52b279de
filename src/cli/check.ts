import { assessWorkspace } from '../gate/assess.ts';
import { judge } from '../gate/judge.ts';
import { OWN_LOG } from '../gate/trust/grounds.ts';
import { type Answer, refusal } from './answer.ts';
import { answerJudgement } from './answer-judgement.ts';
import {
  asksPreset,
  asksTrust,
  COMMON,
  NO_POSITIONALS,
  openNamed,
  parse,
  TRUST,
  wantsJson,
} from './options.ts';
import { withAbsentPrograms } from './with-workspace.ts';

/** `check`: judges what is recorded; runs no stage and writes nothing. */
export async function check(args: readonly string[]): Promise<Answer> {
  if (asksPreset(args)) return (await import('./preset.ts')).presetCheck(args);
  const isJson = wantsJson(args);
  const parsed = parse(args, { ...COMMON, ...TRUST }, NO_POSITIONALS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values } = parsed.value;
  const opened = openNamed(values);
  if (!opened.ok) return refusal(opened.error, isJson);
  const workspace = opened.value;
  // Git is started only where a base is to be read.
  const grounds = asksTrust(values)
    ? await (await import('./grounds.ts')).groundsFor(values, workspace)
    : { ok: true as const, value: OWN_LOG };
  if (!grounds.ok) return refusal(grounds.error, isJson);
  const assessment = assessWorkspace(workspace, grounds.value);
  if (!assessment.ok) return refusal(assessment.error, isJson);
  const result = judge(workspace, assessment.value, new Map(), { grounds: grounds.value });
  return withAbsentPrograms(answerJudgement(result, isJson), workspace);
}

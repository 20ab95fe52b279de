import {
  assessVeripower,
  type VeripowerWorkspace,
  veripowerRefusal,
} from '../flow/presets/veripower/veripower.ts';
import { type Problem, problem } from '../values/problem.ts';
import { ok, type Result } from '../values/result.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { COMMON, choosesPreset, NO_POSITIONALS, parse, wantsJson } from './options.ts';
import { answerPreset } from './preset.ts';

const OPTIONS = { ...COMMON, 'dry-run': { type: 'boolean' } } as const;

/**
 * `signoff --dry-run`: whether the engine that drives the workspace would take a sign-off, and its
 * reason if not (spec/06 §6.5). What we know better goes to stderr: `check` decides by it.
 */
export function signoff(args: readonly string[]): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, OPTIONS, NO_POSITIONALS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values } = parsed.value;
  if (!choosesPreset(values)) {
    return refusal(
      [
        problem('usage/bad-value', 'signoff is for workspaces that VeriPower drives', {
          remedy: 'For a flow of ours `signoff-gate check` judges what is recorded.',
        }),
      ],
      isJson,
    );
  }
  if (!values['dry-run']) {
    return refusal(
      [
        problem('usage/missing-argument', 'signoff writes nothing here: --dry-run is missing', {
          remedy: 'The sign-off itself is recorded with the engine that drives the workspace.',
        }),
      ],
      isJson,
    );
  }
  return answerPreset(values.workspace ?? '.', isJson, refusalWithProblems, (found) => {
    const { reason, problems } = found;
    const exitCode = reason === undefined ? 0 : 1;
    const answer = { ok: reason === undefined, reason: reason ?? null };
    const json = jsonAnswer(exitCode, answer, problems);
    if (isJson) return json;
    const text = reason ?? 'nothing is in the way of a sign-off';
    return { ...textAnswer(exitCode, text), stderr: json.stderr };
  });
}

function refusalWithProblems(
  workspace: VeripowerWorkspace,
): Result<{ reason: string | undefined; problems: readonly Problem[] }> {
  const reason = veripowerRefusal(workspace);
  if (!reason.ok) return reason;
  const found = assessVeripower(workspace);
  return ok({ reason: reason.value, problems: found.ok ? found.value.problems : [found.error] });
}

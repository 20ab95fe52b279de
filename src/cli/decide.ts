import {
  type PresetAction,
  type PresetRequest,
  veripowerDecide,
} from '../flow/presets/veripower/veripower.ts';
import { judge } from '../gate/judge.ts';
import { planPass } from '../gate/plan.ts';
import type { Problem } from '../values/problem.ts';
import { problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { printable } from '../values/text.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { COMMON, choosesPreset, NO_POSITIONALS, parse, wantsJson } from './options.ts';
import { answerPreset } from './preset.ts';
import { answerAbout, type Question } from './with-workspace.ts';

const OPTIONS = {
  ...COMMON,
  closing: { type: 'boolean' },
  wake: { type: 'string' },
} as const;

/** `decide`: the single next action (spec/06 §6.6). It answers a question, so it exits 0. */
export function decide(args: readonly string[]): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, OPTIONS, NO_POSITIONALS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values } = parsed.value;
  const wake = readWake(values.wake);
  if (!wake.ok) return refusal([wake.error], isJson);
  const answer = (action: PresetAction): Answer =>
    isJson ? jsonAnswer(0, action) : textAnswer(0, actionText(action));
  if (choosesPreset(values)) {
    const request = { closing: values.closing ?? false, wake: wake.value };
    return answerPreset(
      values.workspace ?? '.',
      isJson,
      (workspace) => veripowerDecide(workspace, request),
      answer,
    );
  }
  if (wake.value) return refusal([wakeRefused()], isJson);
  return answerAbout(commonArguments(values), NO_POSITIONALS, (question) =>
    answer(nextAction(question)),
  );
}

function readWake(text: string | undefined): Result<PresetRequest['wake']> {
  if (text === undefined) return ok(undefined);
  const [, rule, run] = /^([^:]+):(\d{1,15})$/.exec(text) ?? [];
  if (rule !== undefined && run !== undefined) return ok({ rule, run: Number(run) });
  return err(
    problem('usage/bad-value', `--wake is \`${text}\``, {
      remedy: 'It takes STAGE:RUN, such as lint-cdc:2.',
    }),
  );
}

function wakeRefused(): Problem {
  return problem('usage/bad-value', '--wake is for workspaces that VeriPower drives', {
    remedy: 'Leave it out: `signoff-gate run` collects what it has started.',
  });
}

/** The common options again, for a command that takes no others. */
function commonArguments(values: { workspace?: string; flow?: string; json?: boolean }): string[] {
  return [
    ...(values.workspace === undefined ? [] : [`--workspace=${values.workspace}`]),
    ...(values.flow === undefined ? [] : [`--flow=${values.flow}`]),
    ...(values.json ? ['--json'] : []),
  ];
}

/** The next action in a flow of ours: what `run` would begin with, or why it would not. */
function nextAction({ workspace, assessment }: Question): PresetAction {
  const planned = planPass(assessment.stages);
  const first = planned.find(({ action }) => action === 'run');
  const flying = assessment.stages.flatMap(({ stage: { name } }) =>
    (assessment.view.history.stages.get(name)?.inFlight ?? []).map((run) => ({ rule: name, run })),
  );
  if (flying.length > 0) return { action: 'YIELD', in_flight: flying };
  if (first) {
    return { action: 'DISPATCH', rule: first.assessment.stage.name, execution: 'task' };
  }
  const stuck = assessment.stages.find(({ status }) => status !== 'valid');
  if (stuck) {
    const { stage, status, reason } = stuck;
    return {
      action: 'ESCALATE',
      rule: stage.name,
      reason: `${stage.name} is ${status}: ${reason}`,
    };
  }
  const { isProven, problems } = judge(workspace, assessment, new Map());
  if (isProven) return { action: 'DONE' };
  return { action: 'ESCALATE', reason: problems.map(({ message }) => message).join('; ') };
}

function actionText(action: PresetAction): string {
  switch (action.action) {
    case 'REAP':
      return printable(`REAP ${runText(action)}`);
    case 'DISPATCH': {
      const causes = action.caused_by?.map(([rule, run]) => runText({ rule, run })) ?? [];
      const why = causes.length > 0 ? `, to repair ${causes.join(', ')}` : '';
      return printable(`DISPATCH ${action.rule} (${action.execution})${why}`);
    }
    case 'YIELD':
      return printable(`YIELD: ${action.in_flight.map(runText).join(', ')} in flight`);
    case 'ESCALATE':
      return printable(`ESCALATE: ${action.reason}`, 4000);
    case 'DONE':
      return ['DONE', ...(action.basis ?? []).map(basisText)].join('\n');
  }
}

function runText({ rule, run }: { readonly rule: string; readonly run: unknown }): string {
  return `${rule}:${String(run)}`;
}

type Basis = NonNullable<Extract<PresetAction, { action: 'DONE' }>['basis']>[number];

function basisText({ proof, run, oracle, inputs }: Basis): string {
  return printable(
    `  ${runText({ rule: proof, run })} by ${oracle.ref} (${oracle.grade}) over ${inputs.length} inputs`,
  );
}

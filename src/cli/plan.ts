import { planPass } from '../gate/plan.ts';
import { planAnswer } from '../report/answers.ts';
import { renderProblem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { type Answer, jsonAnswer, textAnswer } from './answer.ts';
import { NO_POSITIONALS } from './options.ts';
import { table } from './table.ts';
import { answerAbout } from './with-workspace.ts';

/** `plan`: what `run` would do, stage by stage, and why. It never says proven. */
export function plan(args: readonly string[]): Answer {
  return answerAbout(args, NO_POSITIONALS, ({ workspace, assessment, isJson }) => {
    const { stages, problems } = assessment;
    const whole = { workspace: workspace.name, flow: workspace.flow.name, problems };
    const answer = planAnswer(whole, planPass(stages));
    if (isJson) return jsonAnswer(0, answer);
    const rows = Object.entries(answer.stages).map(([name, stage]) => [
      name,
      stage.status,
      stage.action,
      printable(stage.reason, 200),
    ]);
    const text = table(['stage', 'status', 'action', 'why'], rows);
    return textAnswer(0, [text, ...problems.map(renderProblem)].join('\n'));
  });
}

import { statusAnswer } from '../report/answers.ts';
import { renderProblem } from '../values/problem.ts';
import { type Answer, jsonAnswer, textAnswer } from './answer.ts';
import { asksPreset, NO_POSITIONALS } from './options.ts';
import { table } from './table.ts';
import { answerAbout } from './with-workspace.ts';

/** `status`: the status of each stage. It answers a question, so it exits 0 whatever they are. */
export function status(args: readonly string[]): Answer | Promise<Answer> {
  if (asksPreset(args)) return import('./preset.ts').then(({ presetStatus }) => presetStatus(args));
  return answerAbout(args, NO_POSITIONALS, ({ workspace, assessment, isJson }) => {
    const { stages, problems, view } = assessment;
    const isSignedOff =
      view.log.records.some(({ event }) => event.type === 'signoff') &&
      stages.every((stage) => stage.status === 'valid');
    const whole = { workspace: workspace.name, flow: workspace.flow.name, problems };
    const answer = statusAnswer(whole, stages, isSignedOff);
    if (isJson) return jsonAnswer(0, answer);
    const rows = table(['stage', 'status'], Object.entries(answer.stages));
    return textAnswer(0, [rows, ...problems.map(renderProblem)].join('\n'));
  });
}

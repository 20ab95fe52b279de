import { describeChange } from '../proof/changes.ts';
import { explainAnswer } from '../report/answers.ts';
import { printable } from '../values/text.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { answerAbout, unknownStage } from './with-workspace.ts';

const ONE_STAGE = { least: 1, most: 1, names: 'STAGE' } as const;

/** `explain STAGE`: why it has its status: what changed, from and to which fingerprint, since when. */
export function explain(args: readonly string[]): Answer {
  return answerAbout(args, ONE_STAGE, ({ workspace, assessment, positionals, isJson }) => {
    const [name = ''] = positionals;
    const found = assessment.stages.find(({ stage }) => stage.name === name);
    if (!found) return refusal([unknownStage(name, workspace.flow.stages)], isJson);
    const whole = {
      workspace: workspace.name,
      flow: workspace.flow.name,
      problems: found.problems,
    };
    const answer = explainAnswer(whole, found);
    if (isJson) return jsonAnswer(0, answer);
    const lines = [
      `${name}: ${answer.status}, verdict ${answer.verdict}`,
      `  why: ${printable(answer.reason)}`,
      ...(answer.run === null
        ? []
        : [`  since: run ${answer.run}, recorded ${answer.recorded_at}`]),
      ...(answer.summary === null ? [] : [`  evidence: ${printable(answer.summary)}`]),
      ...(answer.envelope === null ? [] : [`  envelope: ${answer.envelope}`]),
      ...(answer.needs.length === 0 ? [] : [`  needs: ${answer.needs.join(', ')}`]),
      ...answer.changes.flatMap((change) => [
        `  ${printable(describeChange(change))}`,
        `    recorded: ${printable(change.recorded ?? 'nothing')}`,
        `    now:      ${printable(change.current ?? 'nothing')}`,
      ]),
      ...found.problems.map(({ message }) => `  problem: ${printable(message)}`),
    ];
    return textAnswer(0, lines.join('\n'));
  });
}

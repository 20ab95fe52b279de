import { judge } from '../gate/judge.ts';
import type { Answer } from './answer.ts';
import { answerJudgement } from './answer-judgement.ts';
import { asksPreset, NO_POSITIONALS } from './options.ts';
import { answerAbout } from './with-workspace.ts';

/** `check`: judges what is recorded; runs nothing and writes nothing. */
export function check(args: readonly string[]): Answer | Promise<Answer> {
  if (asksPreset(args)) return import('./preset.ts').then(({ presetCheck }) => presetCheck(args));
  return answerAbout(args, NO_POSITIONALS, ({ workspace, assessment, isJson }) =>
    answerJudgement(judge(workspace, assessment, new Map()), isJson),
  );
}

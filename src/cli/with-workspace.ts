import { nearest } from '../flow/schema-problems.ts';
import type { Stage } from '../flow/stage.ts';
import { type Assessment, assessWorkspace } from '../gate/assess.ts';
import { absentPrograms } from '../gate/snapshot.ts';
import type { Workspace } from '../gate/workspace.ts';
import { type Problem, problem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { type Answer, refusal } from './answer.ts';
import { COMMON, openNamed, type Positionals, parse, wantsJson } from './options.ts';

/** A question about a workspace, with everything at hand that an answer needs. */
export interface Question {
  readonly workspace: Workspace;
  readonly assessment: Assessment;
  readonly positionals: readonly string[];
  readonly isJson: boolean;
}

/** Reads the common options, opens and assesses the workspace, then answers; or says what is wrong. */
export function answerAbout(
  args: readonly string[],
  positionals: Positionals,
  answer: (question: Question) => Answer,
): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, COMMON, positionals);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const workspace = openNamed(parsed.value.values);
  if (!workspace.ok) return refusal(workspace.error, isJson);
  const assessment = assessWorkspace(workspace.value);
  if (!assessment.ok) return refusal(assessment.error, isJson);
  const answered = answer({
    workspace: workspace.value,
    assessment: assessment.value,
    positionals: parsed.value.positionals,
    isJson,
  });
  return withAbsentPrograms(answered, workspace.value);
}

/** An answer, and beside it the programs of the flow that are not on this machine. */
export function withAbsentPrograms(answer: Answer, workspace: Workspace): Answer {
  const absent = absentPrograms(workspace).map((text) => `signoff-gate: ${printable(text)}`);
  return { ...answer, stderr: [...answer.stderr, ...absent] };
}

/** That the flow has no such stage, with the nearest that it has. */
export function unknownStage(name: string, stages: readonly Stage[]): Problem {
  const known = stages.map((stage) => stage.name as string);
  const near = nearest(name, known);
  return problem('usage/unknown-stage', `the flow has no stage \`${name}\``, {
    remedy: near === undefined ? `Stages: ${known.join(', ')}.` : `Did you mean \`${near}\`?`,
  });
}

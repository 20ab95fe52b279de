import type { GateResult, How, JudgedStage } from '../report/result.ts';
import { type Problem, problem } from '../values/problem.ts';
import type { Assessment } from './assess.ts';
import { figuresOf } from './figures.ts';
import { type Grounds, OWN_LOG } from './trust/grounds.ts';
import type { Workspace } from './workspace.ts';

/** What a pass did, by stage; a stage that is not in it was left as it was. */
export type Deeds = ReadonlyMap<string, { readonly how: How; readonly held?: string | undefined }>;

/**
 * Judges the whole flow (design idea 4): proven if every stage is valid, at least one of them with
 * a pass, and nothing else is wrong. Every other way to come here ends in not proven.
 */
export function judge(
  workspace: Workspace,
  assessment: Assessment,
  deeds: Deeds,
  {
    grounds = OWN_LOG,
    problems = [],
  }: { readonly grounds?: Grounds; readonly problems?: readonly Problem[] } = {},
): GateResult {
  const stages = assessment.stages.map((stage): JudgedStage => {
    const deed = deeds.get(stage.stage.name);
    return {
      assessment: stage,
      // A record that no longer holds is used for nothing.
      how:
        deed?.how ?? (stage.status === 'valid' || stage.status === 'failed' ? 'reused' : 'not-run'),
      held: deed?.held,
      figures: figuresOf(
        workspace.root,
        stage,
        assessment.view.history.stages.get(stage.stage.name),
        grounds,
      ),
    };
  });
  const { strays, problems: differences } = grounds.compareCommit(assessment.stages);
  const all = distinct([...problems, ...assessment.problems, ...differences]);
  const isEveryStageValid =
    stages.length > 0 && stages.every(({ assessment: { status } }) => status === 'valid');
  const passes = stages.filter(({ assessment: { verdict } }) => verdict === 'pass').length;
  if (isEveryStageValid && passes === 0) {
    all.push(
      problem(
        'gate/nothing-to-judge',
        'every stage is valid and none makes a claim: nothing is proven',
        {
          at: { file: workspace.flow.file },
          remedy: 'Add a stage whose engine declares an assertion.',
        },
      ),
    );
  }
  return {
    workspace: workspace.name,
    flow: workspace.flow.name,
    isProven: isEveryStageValid && passes > 0 && all.length === 0,
    trust: grounds.trust,
    judging: grounds.judging,
    strays,
    notices: grounds.notices,
    stages,
    problems: all,
  };
}

function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((found) => [JSON.stringify(found), found]));
  return [...seen.values()];
}

import { findStage } from '../flow/stage.ts';
import type { StageHistory } from '../log/history.ts';
import { EVENTS_FILE } from '../log/names.ts';
import type { PassFacts, StageAssessment } from '../proof/assess.ts';
import type { Snapshot } from '../proof/current.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { assessOn } from './assess-stage.ts';
import { type LogView, readLogView } from './log-view.ts';
import { takeSnapshot } from './snapshot.ts';
import { type Grounds, OWN_LOG } from './trust/grounds.ts';
import type { Workspace } from './workspace.ts';

/** Every stage of a workspace at one moment, and what is wrong with the whole. */
export interface Assessment {
  /** In the order of the flow. */
  readonly stages: readonly StageAssessment[];
  readonly problems: readonly Problem[];
  readonly view: LogView;
  readonly snapshot: Snapshot;
}

/**
 * Assesses the whole workspace from its log and its bytes; nothing remembered replaces reading.
 *
 * @param grounds which records count; all of them, the caller's own, unless told
 */
export function assessWorkspace(
  workspace: Workspace,
  grounds: Grounds = OWN_LOG,
  facts: ReadonlyMap<string, PassFacts> = new Map(),
): Result<Assessment, Problem[]> {
  const view = readLogView(workspace);
  if (!view.ok) return err([view.error]);
  const snapshot = takeSnapshot(workspace);
  const stages = workspace.flow.stages.map((stage) =>
    assessOn(grounds, stage, view.value, snapshot, facts.get(stage.name)),
  );
  const problems = [
    ...grounds.problems,
    ...logProblems(workspace, view.value),
    ...unretiredProblems(workspace, view.value),
    ...stages.flatMap((stage) => stage.problems),
  ];
  return ok({ stages, problems, view: view.value, snapshot });
}

function logProblems({ flow }: Workspace, { log, history }: LogView): Problem[] {
  const problems: Problem[] = [];
  if (log.tornTail) {
    problems.push(
      problem(
        'log/torn-tail',
        `the last line was cut short (${log.tornTail.bytes} bytes): a record is lost`,
        {
          at: { file: EVENTS_FILE, line: log.tornTail.line },
          remedy: 'Run `signoff-gate run`: it sets the fragment aside and runs what has no record.',
        },
      ),
    );
  }
  for (const [stage, of] of history.stages) {
    for (const { line, run, message } of of.anomalies) {
      // A later run stands on its own feet: what was once wrong with earlier ones is past.
      if (run < (of.lastOutcome?.event.run ?? 0)) continue;
      problems.push(
        problem('log/anomaly', message, {
          at: { file: EVENTS_FILE, line },
          stage,
          remedy: `Run it anew, which takes a number of its own: \`signoff-gate run --rerun ${stage}\`.`,
        }),
      );
    }
    // With `inputs: none` a run key says nothing of what was read: results may differ.
    if (findStage(flow, stage)?.inputs !== 'none') problems.push(...contradictions(stage, of));
  }
  return problems;
}

/** Outcomes that differ under the run key that the stage's status rests on. */
function contradictions(stage: string, { outcomes, lastOutcome }: StageHistory): Problem[] {
  const key = lastOutcome?.event.run_key;
  if (key === undefined) return [];
  const concluded = outcomes.filter(
    ({ event }) => event.run_key === key && event.verdict !== 'blocked',
  );
  return concluded.flatMap(({ event, line }, index) => {
    const earlier = concluded[index - 1];
    if (!earlier || earlier.event.verdict === event.verdict) return [];
    return [
      problem(
        'log/anomaly',
        `not reproducible: run ${event.run} says ${event.verdict} and line ${earlier.line} says ${earlier.event.verdict}, on the same inputs`,
        {
          at: { file: EVENTS_FILE, line },
          stage,
          remedy:
            'Something outside the declared inputs leaks into the result: declare it, or fix the seed.',
        },
      ),
    ];
  });
}

/** A stage that the log knows and the flow does not: a conclusion that nobody asks for any more. */
function unretiredProblems({ flow }: Workspace, { history }: LogView): Problem[] {
  const known = new Set<string>([
    ...flow.stages.map(({ name }) => name as string),
    ...Object.keys(flow.retired),
  ]);
  return [...history.stages.keys()]
    .filter((name) => !known.has(name))
    .map((name) =>
      problem(
        'flow/unretired-stage',
        `the log knows a stage \`${name}\`, which the flow no longer has`,
        {
          at: { file: flow.file },
          stage: name,
          remedy: `Bring it back, or list it under \`retired\` with the reason.`,
        },
      ),
    );
}

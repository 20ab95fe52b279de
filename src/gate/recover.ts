import { join } from 'node:path';
import type { LogWriter } from '../log/append.ts';
import type { History } from '../log/history.ts';
import { endStrays } from '../process/strays.ts';
import { runFolder } from '../proof/run-folder.ts';
import { type Problem, problem } from '../values/problem.ts';
import type { Emit } from './events.ts';
import { bringOldOutputsBack, dropOldOutputs, hasOutputsAside } from './outputs.ts';
import { readMarker } from './run-folder.ts';
import type { Workspace } from './workspace.ts';

/** Bound on ending the processes of one abandoned run. */
const STRAYS_MS = 3000;

/**
 * Mends what a gate left that was killed: processes of its runs are ended, outputs that waited
 * aside come back, and the run is closed as `blocked`, so that nothing half-written counts.
 * Called with the lock held: whoever started those runs is gone.
 */
export async function recoverRuns(
  { flow, root }: Workspace,
  history: History,
  writer: LogWriter,
  emit: Emit,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const stage of flow.stages) {
    // Runs by a person or an agent are not the gate's to close.
    const of = stage.work.kind === 'judged' ? undefined : history.stages.get(stage.name);
    if (!of) continue;
    for (const run of of.inFlight) {
      const folder = join(root, runFolder(stage.name, run));
      const marker = readMarker(folder);
      const strays = marker === undefined ? undefined : await endStrays(marker, STRAYS_MS);
      if (strays && !strays.complete) {
        problems.push(
          problem(
            'log/anomaly',
            `processes of run ${run}, which an earlier gate started, cannot be ended`,
            {
              stage: stage.name,
              remedy: 'End them by hand; until then they may still write outputs.',
            },
          ),
        );
        continue;
      }
      const back = bringOldOutputsBack(root, stage.outputs, folder);
      if (!back.ok) problems.push({ ...back.error, stage: stage.name });
      const closed = writer.append({
        type: 'outcome',
        rule: stage.name,
        run,
        verdict: 'blocked',
        reason: 'abandoned',
        detail: 'the gate that started it ended before it did',
        outputs: {},
        proofs: [],
        tool_versions: {},
      });
      if (!closed.ok) return [...problems, { ...closed.error, stage: stage.name }];
      emit({
        kind: 'notice',
        stage: stage.name,
        message: `run ${run} was abandoned by an earlier gate and is closed`,
      });
    }
    const last = of.lastOutcome?.event;
    if (last && last.verdict !== 'blocked' && of.inFlight.length === 0) {
      // The outcome was recorded and the gate ended before it could drop the outputs that it replaced.
      const folder = join(root, runFolder(stage.name, last.run));
      if (hasOutputsAside(folder)) dropOldOutputs(folder);
    }
  }
  return problems;
}

import { askVersion, type ToldVersions } from '../engine/probe.ts';
import { findProgram, recordedVersion, versionQuestion } from '../engine/programs.ts';
import type { Stage } from '../flow/stage.ts';
import type { OutcomeEvent } from '../generated/documents.ts';
import type { Change } from '../proof/changes.ts';
import type { Workspace } from './workspace.ts';

/**
 * Asks the programs of a stage for their versions and compares them with what its run recorded. A
 * wrapper keeps its bytes while what it calls is replaced. A program that is not here changes
 * nothing; one that named a version and names none any more does.
 */
export async function versionChanges(
  stage: Stage,
  outcome: OutcomeEvent,
  { root, searchPath }: Workspace,
  signal: AbortSignal,
  told: ToldVersions,
): Promise<Change[]> {
  const compare = async ([name, recorded]: [string, string]): Promise<Change[]> => {
    const found = findProgram(name, stage.work, { workspace: root, searchPath });
    if (!found.ok) return [];
    const line = await askVersion(
      found.value,
      { workspace: root, searchPath, declared: stage.env, signal, told },
      versionQuestion(name, stage.work),
    );
    const current = recordedVersion(name, stage.work, line);
    return current === recorded ? [] : [{ what: 'version', name, recorded, current }];
  };
  const changes = await Promise.all(Object.entries(outcome.tool_versions).map(compare));
  // A question that was cut off is no answer.
  return signal.aborted ? [] : changes.flat();
}

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packEntry } from '../cache/entry.ts';
import type { StageAssessment } from '../proof/assess.ts';
import { runFolder } from '../proof/run-folder.ts';
import { type CacheUse, isCacheable } from './cache-use.ts';
import type { Emit } from './events.ts';
import { makeStaging } from './restore-stage.ts';
import type { Workspace } from './workspace.ts';

/**
 * Keeps what this pass has run and found valid. It comes after the judgement and cannot change it:
 * whatever goes wrong is told in one notice.
 */
export async function saveResults(
  valid: readonly StageAssessment[],
  workspace: Workspace,
  { cache }: CacheUse,
  emit: Emit,
): Promise<void> {
  for (const { stage, outcome } of valid) {
    const runKey = outcome?.run_key;
    if (!outcome || runKey === undefined || !isCacheable(stage, cache)) continue;
    const staging = makeStaging(workspace.root);
    if (staging === undefined) return;
    const skip = (why: string): void =>
      emit({
        kind: 'notice',
        stage: stage.name,
        message: `its result is not kept in ${cache.name}: ${why}`,
      });
    try {
      const folder = join(staging, 'entry');
      mkdirSync(folder);
      const packed = packEntry(
        {
          runKey,
          stage: stage.name,
          root: workspace.root,
          outputs: stage.outputs,
          recorded: outcome.outputs,
          runFolder: join(workspace.root, runFolder(stage.name, outcome.run)),
        },
        folder,
      );
      if (!packed.ok) {
        skip(packed.error);
        continue;
      }
      const saved = await cache.save({ stage: stage.name, runKey }, folder);
      // An outage is told once, by the cache itself, and ends the saving.
      if (saved.kind === 'failed' && saved.isOutage) return;
      if (saved.kind === 'failed') skip(saved.reason);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  }
}

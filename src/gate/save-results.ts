import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packEntry } from '../cache/entry.ts';
import { discard } from '../cache/folders.ts';
import type { RunCache, Saved } from '../cache/run-cache.ts';
import type { StageAssessment } from '../proof/assess.ts';
import { runFolder } from '../proof/run-folder.ts';
import { type CacheUse, isCacheable } from './cache-use.ts';
import type { Emit } from './events.ts';
import { makeStaging } from './staging.ts';
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
  signal: AbortSignal,
): Promise<void> {
  for (const assessment of valid) {
    const { stage } = assessment;
    if (!isCacheable(stage, cache)) continue;
    const saved = await saveResult(assessment, workspace, cache, signal);
    if (signal.aborted) return;
    if (saved?.kind !== 'failed') continue;
    // An outage is told once, by the cache itself, and ends the saving.
    if (saved.isOutage) return;
    emit({
      kind: 'notice',
      stage: stage.name,
      message: `its result is not kept in ${cache.name}: ${saved.reason}`,
    });
  }
}

async function saveResult(
  { stage, outcome }: StageAssessment,
  { root }: Workspace,
  cache: RunCache,
  signal: AbortSignal,
): Promise<Saved | undefined> {
  const runKey = outcome?.run_key;
  if (!outcome || runKey === undefined) return undefined;
  const failed = (reason: string): Saved => ({ kind: 'failed', reason, isOutage: false });
  const staging = makeStaging(root);
  if (staging === undefined) return failed("the gate's own folder cannot be written");
  try {
    const folder = join(staging, 'entry');
    mkdirSync(folder);
    const packed = packEntry(
      {
        runKey,
        stage: stage.name,
        root,
        outputs: stage.outputs,
        recorded: outcome.outputs,
        runFolder: join(root, runFolder(stage.name, outcome.run)),
      },
      folder,
    );
    if (!packed.ok) return failed(packed.error);
    return await cache.save({ stage: stage.name, runKey }, folder, signal);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return failed(code ?? message);
  } finally {
    discard(staging);
  }
}

import { adapterDigest } from '../engine/adapters/digest.ts';
import { findAdapter } from '../engine/adapters/registry.ts';
import { globsOf } from '../engine/globs.ts';
import { findProgram, programsOf } from '../engine/programs.ts';
import { createFingerprintStore } from '../fingerprint/store.ts';
import { walkWorkspace } from '../fingerprint/walk.ts';
import type { Stage } from '../flow/stage.ts';
import type { Executable, Snapshot } from '../proof/current.ts';
import type { Workspace } from './workspace.ts';

/** Looks at the files of a workspace once, for all its stages; digests are computed when asked for. */
export function takeSnapshot(workspace: Workspace): Snapshot {
  const { root, flow } = workspace;
  const selectors = flow.stages.flatMap(({ inputs, work }) => [
    ...(inputs === 'none' ? [] : inputs.include.map(({ selector }) => selector)),
    ...globsOf(work),
  ]);
  return {
    workspace: root,
    walk: walkWorkspace(root, {
      prune: (folder) => !selectors.some((selector) => selector.reaches(folder)),
    }),
    store: createFingerprintStore(root),
    locate: (stage) => locate(stage, workspace),
  };
}

function locate(stage: Stage, { root, searchPath }: Workspace): Executable[] {
  const places = { workspace: root, searchPath };
  const { work } = stage;
  const adapter = work.kind === 'engine' ? findAdapter(work.uses) : undefined;
  return [
    ...(adapter ? [{ name: adapter.name, digest: adapterDigest(adapter) }] : []),
    ...programsOf(work).map((name) => {
      const found = findProgram(name, work, places);
      return { name, path: found.ok ? found.value : undefined };
    }),
  ];
}

/**
 * The programs of the flow that are not on this machine, each in a sentence. That changes no status:
 * what was recorded can be judged anywhere.
 */
export function absentPrograms({ root, searchPath, flow }: Workspace): string[] {
  return flow.stages.flatMap((stage) =>
    programsOf(stage.work).flatMap((name) => {
      const found = findProgram(name, stage.work, { workspace: root, searchPath });
      return found.ok ? [] : [`stage ${stage.name} could not be run here: ${found.error.message}`];
    }),
  );
}

import { selectEntries } from '../fingerprint/selection.ts';
import type { FingerprintStore } from '../fingerprint/store.ts';
import type { Walk } from '../fingerprint/walk.ts';
import { isOwnOutput, type Output, outputKey, type Stage } from '../flow/stage.ts';
import type { Fingerprint } from '../values/brands.ts';
import { compareBytes } from '../values/order.ts';
import type { Problem } from '../values/problem.ts';
import { emptyTable } from '../values/table.ts';

/**
 * A program that a stage resolves to: its path, undefined when it is not on this machine; or, for
 * what carries out a run and is no file, its digest.
 */
export type Executable =
  | { readonly name: string; readonly path: string | undefined }
  | { readonly name: string; readonly digest: Fingerprint };

/** What an assessment looks at: one moment of a workspace. */
export interface Snapshot {
  /** Absolute path of the workspace root. */
  readonly workspace: string;
  readonly walk: Walk;
  readonly store: FingerprintStore;
  /** Finds the programs of a stage without starting any. */
  readonly locate: (stage: Stage) => readonly Executable[];
}

/** The bytes of today that a result of a stage would be bound to. */
export interface Current {
  readonly inputs: Readonly<Record<string, Fingerprint>>;
  readonly externals: Readonly<Record<string, Fingerprint>>;
  /** Null: the program is not here, which is told and changes nothing. */
  readonly executables: Readonly<Record<string, Fingerprint | null>>;
  /** Selectors that match nothing and may not. */
  readonly dead: readonly string[];
  readonly problems: readonly Problem[];
}

/** Fingerprints everything that the stage reads, as it is now. */
export function readCurrent(stage: Stage, snapshot: Snapshot): Current {
  const problems: Problem[] = [];
  const keep = (p: Problem): void => {
    problems.push({ ...p, stage: stage.name });
  };
  const inputs = emptyTable<Fingerprint>();
  let dead: readonly string[] = [];
  if (stage.inputs !== 'none') {
    const selection = selectEntries(snapshot.walk, stage.inputs, (path) =>
      isOwnOutput(stage, path),
    );
    dead = selection.dead;
    for (const found of selection.problems) keep(found);
    for (const entry of selection.paths) {
      const fingerprint = snapshot.store.input(entry.path);
      if (fingerprint.ok) inputs[entry.path] = fingerprint.value;
      else keep(fingerprint.error);
    }
  }
  const externals = emptyTable<Fingerprint>();
  for (const [name, pattern] of Object.entries(stage.external)) {
    const found = snapshot.store.external(name, pattern);
    if (found.ok) Object.assign(externals, found.value);
    else keep(found.error);
  }
  const executables = emptyTable<Fingerprint | null>();
  for (const executable of snapshot.locate(stage)) {
    const { name } = executable;
    if ('digest' in executable) {
      executables[name] = executable.digest;
      continue;
    }
    const { path } = executable;
    const fingerprint = path === undefined ? undefined : snapshot.store.executable(path);
    if (fingerprint && !fingerprint.ok) keep(fingerprint.error);
    executables[name] = fingerprint?.ok ? fingerprint.value : null;
  }
  return { inputs, externals, executables, dead, problems };
}

/** Fingerprints a stage's declared outputs as they are now; what is missing or unfit is left out. */
export function readOutputs(
  outputs: readonly Output[],
  store: FingerprintStore,
): { fingerprints: Record<string, Fingerprint>; problems: Problem[] } {
  const fingerprints = emptyTable<Fingerprint>();
  const problems: Problem[] = [];
  for (const output of [...outputs].sort((a, b) => compareBytes(a.path, b.path))) {
    const fingerprint = store.output(output.path, output.isFolder);
    if (fingerprint.ok) fingerprints[outputKey(output)] = fingerprint.value;
    else problems.push(fingerprint.error);
  }
  return { fingerprints, problems };
}

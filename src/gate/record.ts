import type { OutcomeEvent } from '../generated/documents.ts';
import type { Fingerprint } from '../values/brands.ts';
import type { JsonObject } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import type { Attempt } from './attempt.ts';
import type { RunFolder } from './run-folder.ts';

/** How a run ended, as the log will have it. */
export interface Ending {
  readonly verdict: OutcomeEvent['verdict'];
  readonly outputs: Readonly<Record<string, string>>;
  /** The claim that was judged. */
  readonly assertion: string | null;
  /** Why it is blocked: a word, and a sentence. */
  readonly reason?: string;
  readonly detail?: string;
  /** Digest of the envelope; undefined when it could not be written. */
  readonly envelope: Fingerprint | undefined;
  readonly restoredFrom?: string;
  readonly durationMs: number;
}

/** The record that a run was started (spec 09). */
export function dispatchEvent(attempt: Attempt, folder: RunFolder): JsonObject {
  return {
    type: 'dispatch',
    rule: attempt.stage.name,
    run: folder.run,
    workdir: folder.path,
    params: {},
    inputs: attempt.current.inputs,
    definition: attempt.definition.digest,
    run_key: attempt.runKey,
  };
}

/** The record that a run ended (spec 09). */
export function outcomeEvent(attempt: Attempt, folder: RunFolder, ending: Ending): JsonObject {
  const { stage, prepared, current, definition } = attempt;
  const { verdict } = ending;
  const oracle = { ref: ending.assertion ?? 'none', grade: 'tool' };
  return {
    type: 'outcome',
    rule: stage.name,
    run: folder.run,
    verdict,
    ...(ending.reason === undefined ? {} : { reason: ending.reason }),
    ...(ending.detail === undefined ? {} : { detail: printable(ending.detail, 2000) }),
    outputs: ending.outputs,
    proofs:
      verdict === 'blocked' ? [] : [{ name: stage.name, verdict, inputs: current.inputs, oracle }],
    tool_versions: prepared.toolVersions,
    ...(ending.envelope === undefined ? {} : { envelope: ending.envelope }),
    ...(ending.restoredFrom === undefined ? {} : { restored_from: ending.restoredFrom }),
    input_hash: prepared.inputHash,
    run_key: attempt.runKey,
    definition: definition.digest,
    definition_parts: definition.parts(),
    executables: prepared.executables,
    externals: current.externals,
    duration_ms: ending.durationMs,
  };
}

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CheckedEntry, checkEntry } from '../cache/entry.ts';
import { discard, moveTo } from '../cache/folders.ts';
import { keyText } from '../cache/run-cache.ts';
import { newMarker } from '../engine/marker.ts';
import { digestBytes } from '../fingerprint/blake3.ts';
import { createFingerprintStore } from '../fingerprint/store.ts';
import { compareTables } from '../proof/changes.ts';
import { readOutputs } from '../proof/current.ts';
import { MAX_ENVELOPE_BYTES, parseEnvelope, verdictOf } from '../proof/envelope.ts';
import type { Verdict } from '../proof/verdict.ts';
import type { Fingerprint } from '../values/brands.ts';
import { canonicalJson } from '../values/canonical.ts';
import { err, ok, type Result } from '../values/result.ts';
import { parseStrictObject } from '../values/strict-json.ts';
import type { Attempt, RunSetting } from './attempt.ts';
import { isCacheable } from './cache-use.ts';
import { bringOldOutputsBack, dropOldOutputs, moveOutputsAside } from './outputs.ts';
import { dispatchEvent, type Ending, outcomeEvent } from './record.ts';
import { makeRunFolder, type RunFolder } from './run-folder.ts';
import { makeStaging } from './staging.ts';

/**
 * Takes the result of a stage from the cache, if there is one and every check holds: its run key,
 * every digest, and the verdict derived again from its payload by today's rules.
 *
 * @returns the number of the run that stands for it; undefined means that the stage has to be run
 */
export async function restoreStage(
  attempt: Attempt,
  setting: RunSetting,
): Promise<number | undefined> {
  const { stage, runKey } = attempt;
  const { cache: use, workspace, emit, signal, grounds } = setting;
  if (!use?.mayRestore || !isCacheable(stage, use.cache)) return undefined;
  if (!use.restoresTouched && !grounds.mayRestore(stage)) return undefined;
  const refuse = (why: string): undefined => {
    emit({
      kind: 'notice',
      stage: stage.name,
      message: `its result in ${use.cache.name} is not used, so it is run: ${why}`,
    });
    return undefined;
  };
  const staging = makeStaging(workspace.root);
  if (staging === undefined) return undefined;
  try {
    const entry = join(staging, 'entry');
    mkdirSync(entry);
    const key = { stage: stage.name, runKey };
    const answer = await use.cache.restore(key, entry, signal);
    if (answer.kind === 'miss' || signal.aborted) return undefined;
    // An outage is told once, by the cache itself.
    if (answer.kind === 'failed') return answer.isOutage ? undefined : refuse(answer.reason);
    const checked = checkEntry(entry, { ...key, outputs: stage.outputs });
    if (!checked.ok) return refuse(checked.error);
    const verdict = verdictIn(checked.value, attempt);
    if (!verdict.ok) return refuse(verdict.error);
    const run = moveIn(
      checked.value,
      verdict.value,
      `${use.cache.name}, ${keyText(key)}`,
      attempt,
      setting,
    );
    return run.ok ? run.value : refuse(run.error);
  } catch (cause) {
    // Whatever a cache brings, the worst that follows is that the stage is run.
    const { code, message } = cause as NodeJS.ErrnoException;
    return refuse(code ?? message);
  } finally {
    discard(staging);
  }
}

/** Only a pass is worth restoring; what an entry says of itself counts for nothing. */
function verdictIn(entry: CheckedEntry, attempt: Attempt): Result<Verdict, string> {
  const { stage, prepared } = attempt;
  // A larger one would be refused when the restored run is judged, with nobody left to run it.
  if (statSync(entry.envelope).size > MAX_ENVELOPE_BYTES) return err('its envelope is too large');
  const object = parseStrictObject(readFileSync(entry.envelope));
  if (!object.ok) return err(object.error.message);
  const envelope = parseEnvelope(object.value, 'envelope.json');
  if (!envelope.ok) return err(envelope.error.message);
  if (envelope.value.version !== 'current') return err('its envelope carries no verdict');
  const { input_hash: inputHash, provenance } = envelope.value.document;
  if (inputHash !== prepared.inputHash) return err('its envelope is of another invocation');
  const descriptor = canonicalJson(provenance.descriptor ?? null);
  if (descriptor !== canonicalJson(prepared.descriptor?.raw ?? null)) {
    return err('its envelope went by another descriptor');
  }
  const verdict = verdictOf(envelope.value, stage);
  const wanted = stage.acceptsNoClaim ? 'not_applicable' : 'pass';
  return verdict.status === wanted ? ok(verdict) : err(`its verdict is ${verdict.status}`);
}

function moveIn(
  entry: CheckedEntry,
  verdict: Verdict,
  restoredFrom: string,
  attempt: Attempt,
  setting: RunSetting,
): Result<number, string> {
  const { stage } = attempt;
  const { root } = setting.workspace;
  const recorded = entry.manifest.outputs;
  const started = performance.now();
  const made = makeRunFolder(root, stage.name, setting.nextRun(stage.name), newMarker());
  if (!made.ok) return err(made.error.message);
  const folder = made.value;
  const dispatched = setting.writer.append(dispatchEvent(attempt, folder));
  if (!dispatched.ok) return err(dispatched.error.message);

  const placed = placeFiles(entry, attempt, folder, root);
  const ending: Ending = placed.ok
    ? {
        verdict: 'pass',
        outputs: recorded,
        assertion: verdict.assertion,
        envelope: placed.value,
        restoredFrom,
        durationMs: Math.round(performance.now() - started),
      }
    : {
        verdict: 'blocked',
        outputs: {},
        assertion: null,
        envelope: undefined,
        reason: 'restore_failed',
        detail: placed.error,
        durationMs: 0,
      };
  if (!placed.ok) bringOldOutputsBack(root, stage.outputs, folder.absolute);
  const appended = setting.writer.append(outcomeEvent(attempt, folder, ending));
  if (!appended.ok) {
    bringOldOutputsBack(root, stage.outputs, folder.absolute);
    return err(appended.error.message);
  }
  if (!placed.ok) return placed;
  dropOldOutputs(folder.absolute);
  setting.emit({ kind: 'stage-restored', stage: stage.name, run: folder.run, from: restoredFrom });
  return ok(folder.run);
}

/** @returns the digest of the envelope, now in the folder of the run */
function placeFiles(
  entry: CheckedEntry,
  attempt: Attempt,
  folder: RunFolder,
  root: string,
): Result<Fingerprint, string> {
  const { outputs } = attempt.stage;
  const aside = moveOutputsAside(root, outputs, folder.absolute);
  if (!aside.ok) return err(aside.error.message);
  try {
    for (const output of outputs) moveTo(entry.outputPath(output), join(root, output.path));
    const source = dirname(entry.envelope);
    for (const name of ['stdout', 'stderr', 'envelope.json']) {
      if (existsSync(join(source, name))) moveTo(join(source, name), join(folder.absolute, name));
    }
    const written = readOutputs(outputs, createFingerprintStore(root));
    const [difference] = compareTables('output', entry.manifest.outputs, written.fingerprints);
    if (difference) return err(`its output ${difference.name} is not what was recorded`);
    return ok(digestBytes(readFileSync(join(folder.absolute, 'envelope.json'))));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return err(code ?? message);
  }
}

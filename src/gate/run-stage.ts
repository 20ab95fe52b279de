import { type Invoked, invoke } from '../engine/invoke.ts';
import { newMarker } from '../engine/marker.ts';
import type { ProgramWork } from '../engine/prepared.ts';
import { outputKey, type Stage } from '../flow/stage.ts';
import { compareTables } from '../proof/changes.ts';
import { readCurrent, readOutputs, type Snapshot } from '../proof/current.ts';
import { type EngineError, lastLines } from '../proof/last-lines.ts';
import { unlistedPaths } from '../proof/unlisted.ts';
import type { Problem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { type Attempt, atStage, prepareAttempt, type RunSetting, type Seen } from './attempt.ts';
import { startHeartbeat } from './heartbeat.ts';
import { bringOldOutputsBack, dropOldOutputs, moveOutputsAside } from './outputs.ts';
import { dispatchEvent, type Ending, outcomeEvent } from './record.ts';
import { restoreStage } from './restore-stage.ts';
import { makeRunFolder, type RunFolder, writeEnvelope } from './run-folder.ts';
import { takeSnapshot } from './snapshot.ts';

/** What came of bringing a stage up to date. */
export type StageRun =
  | {
      readonly how: 'ran' | 'restored';
      readonly run: number;
      readonly problems: readonly Problem[];
      /** The look that was recorded, if nothing has moved the outputs since. */
      readonly recorded?: Snapshot | undefined;
    }
  /** It could not be started. */
  | { readonly how: 'not-run'; readonly problems: readonly Problem[] };

/** Restores the result of a stage from the cache, or runs it; either way it is recorded. */
export async function bringUpToDate(
  stage: Stage,
  work: ProgramWork,
  reason: string,
  seen: Seen,
  setting: RunSetting,
): Promise<StageRun> {
  const attempt = await prepareAttempt(stage, work, seen, setting);
  if (!attempt.ok) return { how: 'not-run', problems: attempt.error };
  const restored = await restoreStage(attempt.value, setting);
  if (restored !== undefined) return { how: 'restored', run: restored, problems: [] };
  return runStage(attempt.value, reason, setting);
}

/**
 * Runs a stage and records it: inputs fingerprinted before and after, old outputs moved aside and
 * brought back unless there is a conclusion, the envelope written before the outcome that names it.
 */
async function runStage(attempt: Attempt, reason: string, setting: RunSetting): Promise<StageRun> {
  const { stage, prepared } = attempt;
  const { workspace, emit } = setting;
  const marker = newMarker();
  const made = makeRunFolder(workspace.root, stage.name, setting.nextRun(stage.name), marker);
  if (!made.ok) return { how: 'not-run', problems: [atStage(made.error, stage)] };
  const folder = made.value;
  const { run } = folder;
  const dispatched = setting.writer.append(dispatchEvent(attempt, folder));
  if (!dispatched.ok) return { how: 'not-run', problems: [atStage(dispatched.error, stage)] };

  emit({ kind: 'stage-started', stage: stage.name, run, reason });
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const stopHeartbeat = startHeartbeat(stage.name, run, emit);
  try {
    const aside = moveOutputsAside(workspace.root, stage.outputs, folder.absolute);
    const invoked = await invoke(aside.ok ? prepared : { ...prepared, problem: aside.error }, {
      rules: stage,
      outputs: stage.outputs,
      env: stage.env,
      places: { workspace: workspace.root, searchPath: workspace.searchPath },
      timeoutMs: stage.timeoutMs,
      captureFolder: folder.absolute,
      marker,
      signal: setting.signal,
      onEvent: (event) => emit({ kind: 'engine-event', stage: stage.name, event }),
      onLine: (line) => emit({ kind: 'engine-line', stage: stage.name, line }),
    });
    // A fresh look: what was remembered from before the run says nothing about after it.
    const after = takeSnapshot(workspace);
    const conclusion = conclude(attempt, invoked, after);
    const problems = record(attempt, folder, invoked, conclusion, setting, elapsed());
    emit({
      kind: 'stage-finished',
      stage: stage.name,
      run,
      verdict: conclusion.verdict === 'blocked' ? 'unknown' : invoked.verdict.status,
      summary: conclusion.detail ?? invoked.verdict.summary,
      durationMs: elapsed(),
    });
    const isSettled = conclusion.verdict !== 'blocked' && problems.length === 0;
    return {
      how: 'ran',
      run,
      problems: problems.map((found) => atStage(found, stage)),
      recorded: isSettled ? after : undefined,
    };
  } finally {
    stopHeartbeat();
  }
}

/** One line stands for all that an engine without an answer said of it: the last that tells of an error. */
function inWords(error: EngineError): string {
  const lines = lastLines(error, 20);
  const last =
    lines.findLast((line) => /\b(?:error|fatal)\b|^\S+:\d+:/i.test(line)) ??
    lines.findLast((line) => /\w\w/.test(line));
  const said = `${error.code}: ${error.message}`;
  return last === undefined ? said : `${said}; it printed last: ${printable(last.trim(), 300)}`;
}

/** What a run amounts to, before it is known whether that can be written down. */
type Conclusion = Pick<Ending, 'verdict' | 'outputs' | 'reason' | 'detail'>;

function conclude(attempt: Attempt, invoked: Invoked, after: Snapshot): Conclusion {
  const { stage } = attempt;
  const { envelope, verdict } = invoked;
  const blocked = (reason: string, detail: string): Conclusion => ({
    verdict: 'blocked',
    outputs: {},
    reason,
    detail,
  });
  if (envelope.error) {
    return blocked('engine_error', inWords(envelope.error));
  }
  if (!invoked.isValid) {
    return blocked('schema_violation', 'the envelope does not have its published shape');
  }
  const [moved] = changedDuringRun(attempt, readCurrent(stage, after));
  if (moved !== undefined) {
    return blocked('changed_during_run', `${moved} changed while ${stage.name} ran`);
  }
  const [unseen] = unlistedPaths(
    stage,
    invoked.opened,
    attempt.current,
    after.workspace,
    'was opened by the tool',
  );
  if (unseen) {
    return blocked(
      'unlisted_input',
      [unseen.message, unseen.remedy].filter((part) => part !== undefined).join('. '),
    );
  }
  const written = readOutputs(stage.outputs, after.store);
  if (verdict.status === 'fail') return { verdict: 'fail', outputs: written.fingerprints };
  if (verdict.status === 'unknown') return blocked('unknown_verdict', verdict.summary);
  if (verdict.status === 'not_applicable' && !stage.acceptsNoClaim) {
    return blocked(
      'unknown_verdict',
      'it makes no engineering claim; the flow accepts that only with `claims: none`',
    );
  }
  if (verdict.status === 'pass' && stage.acceptsNoClaim) {
    return blocked('unknown_verdict', 'the flow says `claims: none` and the engine makes a claim');
  }
  const absent = stage.outputs
    .map(outputKey)
    .find((key) => !Object.hasOwn(written.fingerprints, key));
  if (absent !== undefined) {
    const why = written.problems[0]?.message ?? 'it is not there';
    return blocked('missing', `its output ${absent} did not come back: ${why}`);
  }
  return { verdict: 'pass', outputs: written.fingerprints };
}

function changedDuringRun(attempt: Attempt, after: Attempt['current']): string[] {
  const { current, prepared, stage } = attempt;
  const changes = [
    ...compareTables('input', current.inputs, after.inputs),
    ...compareTables('external', current.externals, after.externals),
    ...compareTables('executable', prepared.executables, after.executables),
  ];
  return [
    ...changes.map((change) => change.name),
    ...after.problems.map((found) => found.at?.file ?? `an input of ${stage.name}`),
  ];
}

/** Writes the evidence, settles the outputs, then appends the outcome that makes both count. */
function record(
  attempt: Attempt,
  folder: RunFolder,
  invoked: Invoked,
  conclusion: Conclusion,
  setting: RunSetting,
  durationMs: number,
): Problem[] {
  const { outputs } = attempt.stage;
  const { root } = setting.workspace;
  const problems: Problem[] = [];
  const written = writeEnvelope(folder, invoked.envelope);
  let final = conclusion;
  if (!written.ok) {
    problems.push(written.error);
    final = {
      verdict: 'blocked',
      outputs: {},
      reason: 'engine_error',
      detail: written.error.message,
    };
  }
  if (final.verdict === 'blocked') {
    const back = bringOldOutputsBack(root, outputs, folder.absolute);
    if (!back.ok) problems.push(back.error);
  }
  const appended = setting.writer.append(
    outcomeEvent(attempt, folder, {
      ...final,
      assertion: invoked.verdict.assertion,
      envelope: written.ok ? written.value : undefined,
      durationMs,
    }),
  );
  if (!appended.ok) {
    // Without a record the new outputs belong to nobody: the run stays open and the old ones return.
    const back = bringOldOutputsBack(root, outputs, folder.absolute);
    return [...problems, appended.error, ...(back.ok ? [] : [back.error])];
  }
  if (final.verdict !== 'blocked') {
    const dropped = dropOldOutputs(folder.absolute);
    if (!dropped.ok) problems.push(dropped.error);
  }
  return problems;
}

import { type Invoked, invoke } from '../engine/invoke.ts';
import { newMarker } from '../engine/marker.ts';
import { type Prepared, type ProgramWork, prepare } from '../engine/prepare.ts';
import { digestText } from '../fingerprint/blake3.ts';
import { outputKey, type Stage } from '../flow/stage.ts';
import type { OutcomeEvent } from '../generated/documents.ts';
import type { LogWriter } from '../log/append.ts';
import { type Change, compareTables } from '../proof/changes.ts';
import { type Current, readCurrent, readOutputs } from '../proof/current.ts';
import { type Definition, definitionOf } from '../proof/definition.ts';
import type { Fingerprint } from '../values/brands.ts';
import { canonicalJson } from '../values/canonical.ts';
import { type Problem, problem } from '../values/problem.ts';
import { isEmptyFolder } from './empty-folder.ts';
import type { Emit } from './events.ts';
import { startHeartbeat } from './heartbeat.ts';
import { bringOldOutputsBack, dropOldOutputs, moveOutputsAside } from './outputs.ts';
import { makeRunFolder, type RunFolder, writeEnvelope } from './run-folder.ts';
import { takeSnapshot } from './snapshot.ts';
import { unlistedPaths } from './unlisted.ts';
import type { Workspace } from './workspace.ts';

/** What a pass of the gate lends to each run. */
export interface RunSetting {
  readonly workspace: Workspace;
  readonly writer: LogWriter;
  /** Number of the next run of a stage by the log as it is now. */
  readonly nextRun: (stage: string) => number;
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

/** What came of an attempt to run a stage. */
export interface StageRun {
  /** Undefined when it could not be started: the problems say why. */
  readonly run: number | undefined;
  readonly problems: readonly Problem[];
}

/** Changes to the inputs, programs or rules of a run make a new key (design §1 "run key"). */
const FORMAT_VERSION = 1;

/**
 * Runs one stage and records it: inputs fingerprinted before and after, old outputs moved aside and
 * brought back unless there is a conclusion, the envelope written before the outcome that names it.
 */
export async function runStage(
  stage: Stage,
  work: ProgramWork,
  reason: string,
  setting: RunSetting,
): Promise<StageRun> {
  const { workspace, emit } = setting;
  const { root } = workspace;
  const before = takeSnapshot(workspace);
  const current = readCurrent(stage, before);
  const places = { workspace: root, searchPath: workspace.searchPath };
  const refusals = [...current.problems, ...deadSelectors(stage, current)];
  if (refusals.length > 0) return { run: undefined, problems: refusals };

  const prepared = await prepare({
    work,
    env: stage.env,
    places,
    walk: before.walk,
    store: before.store,
  });
  if (prepared.problem) return { run: undefined, problems: [atStage(prepared.problem, stage)] };
  const unlisted = unlistedPaths(
    stage,
    work.kind === 'command' && work.isScript ? [] : prepared.args,
    current,
    root,
  );
  if (unlisted.length > 0) return { run: undefined, problems: unlisted };

  const marker = newMarker();
  const folder = makeRunFolder(root, stage.name, setting.nextRun(stage.name), marker);
  if (!folder.ok) return { run: undefined, problems: [atStage(folder.error, stage)] };
  const { run } = folder.value;
  const definition = definitionOf(stage, prepared.descriptor?.raw ?? null, root);
  const runKey = runKeyOf(stage, definition, prepared, current);
  const dispatched = setting.writer.append({
    type: 'dispatch',
    rule: stage.name,
    run,
    workdir: folder.value.path,
    params: {},
    inputs: current.inputs,
    definition: definition.digest,
    run_key: runKey,
  });
  if (!dispatched.ok) return { run: undefined, problems: [atStage(dispatched.error, stage)] };

  emit({ kind: 'stage-started', stage: stage.name, run, reason });
  const started = performance.now();
  const stopHeartbeat = startHeartbeat(stage.name, run, emit);
  try {
    const aside = moveOutputsAside(root, stage.outputs, folder.value.absolute);
    const invoked = await invoke(aside.ok ? prepared : { ...prepared, problem: aside.error }, {
      rules: stage,
      outputs: stage.outputs,
      env: stage.env,
      places,
      timeoutMs: stage.timeoutMs,
      captureFolder: folder.value.absolute,
      marker,
      signal: setting.signal,
      onEvent: (event) => emit({ kind: 'engine-event', stage: stage.name, event }),
      onLine: (line) => emit({ kind: 'engine-line', stage: stage.name, line }),
    });
    const conclusion = concludeRun(stage, invoked, current, prepared, workspace);
    const problems = recordRun(stage, folder.value, invoked, conclusion, setting, {
      definition,
      runKey,
      prepared,
      current,
      durationMs: Math.round(performance.now() - started),
    });
    emit({
      kind: 'stage-finished',
      stage: stage.name,
      run,
      verdict: conclusion.verdict === 'blocked' ? 'unknown' : invoked.verdict.status,
      summary: conclusion.detail ?? invoked.verdict.summary,
      durationMs: Math.round(performance.now() - started),
    });
    return { run, problems: problems.map((found) => atStage(found, stage)) };
  } finally {
    stopHeartbeat();
  }
}

/** The outcome of a run as the log will have it. */
interface RunConclusion {
  readonly verdict: OutcomeEvent['verdict'];
  readonly outputs: Readonly<Record<string, Fingerprint>>;
  readonly reason?: string;
  readonly detail?: string;
}

function concludeRun(
  stage: Stage,
  invoked: Invoked,
  before: Current,
  prepared: Prepared,
  workspace: Workspace,
): RunConclusion {
  // A fresh look: what was remembered from before the run says nothing about after it.
  const after = takeSnapshot(workspace);
  const written = readOutputs(stage.outputs, after.store);
  const blocked = (reason: string, detail: string): RunConclusion => ({
    verdict: 'blocked',
    outputs: {},
    reason,
    detail,
  });
  const { envelope, verdict } = invoked;
  if (envelope.error)
    return blocked('engine_error', `${envelope.error.code}: ${envelope.error.message}`);
  if (!invoked.isValid)
    return blocked('schema_violation', 'the envelope does not have its published shape');
  const [moved] = changesDuring(stage, before, prepared, readCurrent(stage, after));
  if (moved) return blocked('changed_during_run', `${moved} changed while ${stage.name} ran`);
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
  const absent = stage.outputs.find(
    (output) =>
      !Object.hasOwn(written.fingerprints, outputKey(output)) ||
      isEmptyFolder(workspace.root, output),
  );
  if (absent) {
    const why = written.problems[0]?.message ?? 'it is not there';
    return blocked('missing', `its output ${outputKey(absent)} did not come back: ${why}`);
  }
  return { verdict: 'pass', outputs: written.fingerprints };
}

function changesDuring(
  stage: Stage,
  before: Current,
  prepared: Prepared,
  after: Current,
): string[] {
  const changes: Change[] = [
    ...compareTables('input', before.inputs, after.inputs),
    ...compareTables('external', before.externals, after.externals),
    ...compareTables('executable', prepared.executables, after.executables),
  ];
  return [
    ...changes.map((change) => change.name),
    ...after.problems.map((found) => found.at?.file ?? `an input of ${stage.name}`),
  ];
}

interface RunFacts {
  readonly definition: Definition;
  readonly runKey: Fingerprint;
  readonly prepared: Prepared;
  readonly current: Current;
  readonly durationMs: number;
}

/** Writes the evidence, settles the outputs, then appends the outcome that makes both count. */
function recordRun(
  stage: Stage,
  folder: RunFolder,
  invoked: Invoked,
  conclusion: RunConclusion,
  setting: RunSetting,
  facts: RunFacts,
): Problem[] {
  const { root } = setting.workspace;
  const written = writeEnvelope(folder, invoked.envelope);
  const final: RunConclusion = written.ok
    ? conclusion
    : { verdict: 'blocked', outputs: {}, reason: 'engine_error', detail: written.error.message };
  const problems: Problem[] = written.ok ? [] : [written.error];
  const { verdict } = final;
  if (verdict === 'blocked') {
    const back = bringOldOutputsBack(root, stage.outputs, folder.absolute);
    if (!back.ok) problems.push(back.error);
  }
  const { prepared, current } = facts;
  const appended = setting.writer.append({
    type: 'outcome',
    rule: stage.name,
    run: folder.run,
    verdict,
    ...(final.reason === undefined ? {} : { reason: final.reason }),
    ...(final.detail === undefined ? {} : { detail: final.detail }),
    outputs: final.outputs,
    proofs:
      verdict === 'blocked'
        ? []
        : [
            {
              name: stage.name,
              verdict,
              inputs: current.inputs,
              oracle: { ref: invoked.verdict.assertion ?? 'none', grade: 'tool' },
            },
          ],
    tool_versions: prepared.toolVersions,
    ...(written.ok ? { envelope: written.value } : {}),
    input_hash: prepared.inputHash,
    run_key: facts.runKey,
    definition: facts.definition.digest,
    definition_parts: facts.definition.parts(),
    executables: prepared.executables,
    externals: current.externals,
    duration_ms: facts.durationMs,
  });
  if (!appended.ok) {
    // Without a record the new outputs belong to nobody: the run stays open and the old ones return.
    const back = bringOldOutputsBack(root, stage.outputs, folder.absolute);
    return [...problems, appended.error, ...(back.ok ? [] : [back.error])];
  }
  if (verdict !== 'blocked') {
    const dropped = dropOldOutputs(folder.absolute);
    if (!dropped.ok) problems.push(dropped.error);
  }
  return problems;
}

function runKeyOf(
  stage: Stage,
  definition: Definition,
  prepared: Prepared,
  current: Current,
): Fingerprint {
  return digestText(
    canonicalJson({
      format: FORMAT_VERSION,
      stage: stage.name,
      definition: definition.digest,
      input_hash: prepared.inputHash,
      os: process.platform,
      arch: process.arch,
      executables: prepared.executables,
      versions: prepared.toolVersions,
      inputs: current.inputs,
      externals: current.externals,
    }),
  );
}

function deadSelectors(stage: Stage, current: Current): Problem[] {
  if (stage.inputs === 'none') return [];
  return stage.inputs.include
    .filter(({ selector }) => current.dead.includes(selector.glob))
    .map(({ selector, at }) =>
      problem('flow/dead-selector', `the selector \`${selector.glob}\` matches no file`, {
        at,
        stage: stage.name,
        remedy: 'Correct it, or mark it { glob: …, optional: true }.',
      }),
    );
}

function atStage(found: Problem, stage: Stage): Problem {
  // To the flow, an engine that is not there is one that it should not name here.
  const code = found.code === 'engine/not-found' ? 'flow/unknown-engine' : found.code;
  return { ...found, code, stage: stage.name, at: found.at ?? stage.workAt };
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { invoke } from '../../src/engine/invoke.ts';
import { newMarker } from '../../src/engine/marker.ts';
import { prepare } from '../../src/engine/prepare.ts';
import type { ProgramWork } from '../../src/engine/prepared.ts';
import { digestBytes } from '../../src/fingerprint/blake3.ts';
import { createFingerprintStore } from '../../src/fingerprint/store.ts';
import { walkWorkspace } from '../../src/fingerprint/walk.ts';
import type { WithValue } from '../../src/flow/stage.ts';
import { assessWorkspace } from '../../src/gate/assess.ts';
import { runGate } from '../../src/gate/run.ts';
import { openWorkspace, type Workspace } from '../../src/gate/workspace.ts';
import type { VygesEvent } from '../../src/generated/documents.ts';
import { claimOf } from '../../src/proof/claim.ts';
import { defaultFloors } from '../../src/proof/default-floors.ts';
import { deriveVerdict, NO_CONCLUSION } from '../../src/proof/verdict.ts';
import type { GateResult } from '../../src/report/result.ts';
import { type Problem, renderProblem } from '../../src/values/problem.ts';
import type { Result } from '../../src/values/result.ts';
import { isJsonObject } from '../../src/values/strict-json.ts';
import { scratchFolder, writeFiles } from '../support/scratch.ts';
import {
  comparable,
  declaredEnv,
  descriptors,
  introducedAs,
  type Recording,
  readRecordings,
  recordedFloors,
  setStage,
} from './replay/recordings.ts';

const recordings = readRecordings();

/** What a run must have left behind: role and path. Every other run leaves no artifact. */
const ARTIFACTS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'cdc: fixture-unsynced-o-report': [['cdc_report', 'cdc.json']],
  'drc: pass-clean-o-report': [['drc_report', 'drc.json']],
  'em-ir: pass-o-report': [['emir_report', 'emir.json']],
  'gds-view: render-marks-o': [['svg', 'out.svg']],
  'sta-si: pass-o-report': [['timing_report', 'timing.json']],
  'sta-si: pass-o-sdf': [['sdf', 'out.sdf']],
};

function workOf(recording: Recording): Extract<ProgramWork, { kind: 'engine' }> {
  const { engine, argv, expected } = recording;
  return {
    kind: 'engine',
    // Both names lead to the engine: its own, and the one with the prefix.
    uses: expected.mode === 'raw' ? argv[0] : engine,
    with: withOf(recording),
    version: undefined,
    tools: [],
  };
}

function withOf({ argv, expected }: Recording): Record<string, WithValue> {
  return expected.mode === 'raw' ? { args: argv.slice(1) } : { ...expected.with };
}

/** The events of a recorded stderr, by a reading of its own. */
function recordedEvents(stderr: string): { events: VygesEvent[]; lines: string[] } {
  const all = stderr.split('\n').slice(0, -1);
  const isEvent = (line: string): boolean => line.startsWith('{"schema":"vyges-events/1.0"');
  return {
    events: all.filter(isEvent).map((line) => JSON.parse(line) as VygesEvent),
    lines: all.filter((line) => !isEvent(line)),
  };
}

function expectedLogs(events: readonly VygesEvent[]): object | null {
  if (events.length === 0) return null;
  const counts: Record<string, number> = {};
  for (const { severity } of events) {
    counts[`${severity}_count`] = (counts[`${severity}_count`] ?? 0) + 1;
  }
  const codes = new Set(events.flatMap(({ code }) => code ?? []));
  return { count: events.length, events, summary: { ...counts, codes: [...codes] } };
}

function parsed(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return null;
  }
}

test('every recorded run is here, each under a title of its own', () => {
  expect(new Set(recordings.map(({ title }) => title)).size).toBe(73);
  const titles = new Set(recordings.map(({ title }) => title));
  expect(Object.keys(ARTIFACTS).filter((title) => !titles.has(title))).toEqual([]);
});

test('the floors that ship are those that the recordings were judged with', () => {
  const shipped = Object.keys(descriptors).map((engine) => [engine, defaultFloors(engine)]);
  const withFloors = shipped.filter(([, floors]) => Object.keys(floors ?? {}).length > 0);
  const { lec, ...recorded } = recordedFloors;
  expect(Object.fromEntries(withFloors)).toEqual(recorded);
  expect(defaultFloors('lec')).toEqual(lec);
});

describe.concurrent('the envelope of a recorded run', () => {
  test.each(recordings)('$title', async (recording) => {
    const { title, argv, expected, stdout, stderr, exit_code } = recording;
    const stage = setStage(recording);
    const places = { workspace: stage.workspace, searchPath: stage.searchPath };
    const env = declaredEnv(recording);
    const rules = { work: workOf(recording), floors: {}, minCoverage: undefined };
    const events: VygesEvent[] = [];
    const lines: string[] = [];

    const prepared = await prepare({
      work: rules.work,
      env,
      places,
      walk: walkWorkspace(stage.workspace),
      store: createFingerprintStore(stage.workspace),
    });
    expect(prepared.problem).toBeUndefined();
    expect(prepared.program).toBe(stage.program);
    expect(comparable(prepared.args, expected.mode)).toEqual(
      comparable(argv.slice(1), expected.mode),
    );

    const { envelope, isValid, verdict } = await invoke(prepared, {
      rules,
      outputs: [],
      env,
      places,
      timeoutMs: 60_000,
      captureFolder: scratchFolder(),
      marker: newMarker(),
      onEvent: (event) => events.push(event),
      onLine: (line) => lines.push(line),
    });

    expect({
      status: envelope.status,
      error_code: envelope.error?.code,
      engineering: envelope.engineering.status,
    }).toEqual({
      status: expected.status,
      error_code: expected.error_code,
      engineering: expected.engineering_with_default_floors,
    });
    expect(isValid).toBe(true);
    expect(verdict.status).toBe(expected.engineering_with_default_floors);
    expect(envelope.provenance.cmd).toEqual([argv[0], ...prepared.args]);
    expect(envelope.provenance.env).toEqual(env);

    const { describe: described, version_stdout } = introducedAs(recording.engine);
    // What describes no call is no descriptor: the tool is then called what the flow calls it.
    const isDescribed = described !== null && 'invocation' in described;
    expect(envelope.tool).toBe(isDescribed ? recording.engine : argv[0]);
    expect(envelope.tool_version).toBe(version_stdout.split(/\s/)[1]);

    const floorless = { ...claimOf(rules, prepared.descriptor?.raw ?? null), floors: {} };
    const bare =
      envelope.error === null
        ? deriveVerdict(floorless, isJsonObject(envelope.result) ? envelope.result : null, rules)
        : NO_CONCLUSION;
    expect(bare.status).toBe(expected.engineering);

    const isRead = prepared.isRaw || prepared.descriptor?.emitsJson !== false;
    expect(envelope.result).toEqual(isRead ? parsed(stdout) : null);
    if (exit_code !== 0) {
      expect(envelope.error).toMatchObject({ exit_code });
      expect(envelope.error?.stderr_tail ?? '').toBe(stderr);
    }

    const recorded = recordedEvents(stderr);
    expect(envelope.logs).toEqual(expectedLogs(recorded.events));
    expect(events).toEqual(recorded.events);
    expect(lines).toEqual(recorded.lines);

    const artifacts = (ARTIFACTS[title] ?? []).map(([role, path]) => ({
      role,
      path,
      hash: digestBytes(readFileSync(join(stage.workspace, path))),
    }));
    expect(envelope.artifacts).toEqual(artifacts);
  });
});

/** A flow of one stage that runs what was recorded. */
function flowOf(recording: Recording): string {
  const files = Object.keys(recording.files).filter((path) => !(path in recording.written));
  const env = declaredEnv(recording);
  const { uses, with: withValues } = workOf(recording);
  const claimsNothing = recording.expected.engineering_with_default_floors === 'not_applicable';
  return stringify({
    name: 'recorded',
    stages: {
      check: {
        uses,
        with: withValues,
        inputs: files.length > 0 ? files : 'none',
        outputs: Object.keys(recording.written),
        ...(Object.keys(env).length > 0 ? { env } : {}),
        ...(claimsNothing ? { claims: 'none' } : {}),
      },
    },
  });
}

function unwrap<T>(result: Result<T, Problem[]>): T {
  if (!result.ok) expect.fail(result.error.map(renderProblem).join('\n'));
  return result.value;
}

function runOnce(workspace: Workspace): Promise<Result<GateResult, Problem[]>> {
  return runGate({
    workspace,
    only: [],
    rerun: false,
    concurrency: 1,
    lockWaitMs: 0,
    command: 'test',
    emit: () => undefined,
    signal: new AbortController().signal,
  });
}

const STATUS: Readonly<Record<string, string>> = {
  pass: 'valid',
  fail: 'failed',
  unknown: 'blocked',
  not_applicable: 'valid',
};

describe.concurrent('the judgement of a flow with one recorded run', () => {
  test.each(recordings)('$title', async (recording) => {
    const { engineering_with_default_floors: verdict } = recording.expected;
    const stage = setStage(recording);
    writeFiles(stage.workspace, { 'signoff.yaml': flowOf(recording) });
    const workspace = unwrap(
      openWorkspace({
        directory: stage.workspace,
        flowFile: undefined,
        variables: { values: {}, allows: () => true },
        searchPath: stage.searchPath,
      }),
    );

    const result = unwrap(await runOnce(workspace));
    expect(result.stages.map(({ how }) => how)).toEqual(['ran']);
    const [judged] = result.stages;
    expect(judged?.assessment, judged?.assessment.reason).toMatchObject({
      status: STATUS[verdict],
      verdict,
    });
    expect(result.isProven).toBe(verdict === 'pass');
    expect(result.problems.map(({ code }) => code)).toEqual(
      verdict === 'not_applicable' ? ['gate/nothing-to-judge'] : [],
    );

    // What was recorded says the same again without a run, but for a result that nothing binds.
    const again = unwrap(assessWorkspace(workspace));
    const isBound = recording.files !== undefined && Object.keys(recording.files).length > 0;
    const status = STATUS[verdict] === 'valid' && !isBound ? 'stale' : STATUS[verdict];
    expect(again.stages.map((one) => one.status)).toEqual([status]);
  });
});

describe.concurrent('a call that was not recorded is refused by the replaying engine', () => {
  const [recording] = recordings.filter(({ title }) => title === 'cdc: pass-synced');
  if (!recording) throw new Error('cdc: pass-synced is not among the recordings');
  const [, ...args] = recording.argv;
  const env = { PATH: process.env['PATH'] ?? '', VYGES_LOG_FORMAT: 'json' };

  test('with other arguments', async () => {
    const { program, workspace } = setStage(recording);
    const call = promisify(execFile)(program, [...args, '--more'], { cwd: workspace, env });
    await expect(call).rejects.toMatchObject({ code: 99, stderr: /the argument vector is/ });
  });

  test('without the variable that asks for events', async () => {
    const { program, workspace } = setStage(recording);
    const call = promisify(execFile)(program, args, { cwd: workspace, env: { PATH: env.PATH } });
    await expect(call).rejects.toMatchObject({ code: 99 });
  });

  test('while the recorded one is played', async () => {
    const { program, workspace } = setStage(recording);
    const played = await promisify(execFile)(program, args, { cwd: workspace, env });
    expect(played).toEqual({ stdout: recording.stdout, stderr: recording.stderr });
  });
});

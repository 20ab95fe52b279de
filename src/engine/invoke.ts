import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../flow/stage.ts';
import type { VygesEvent } from '../generated/documents.ts';
import type { ChildOutcome } from '../process/child.ts';
import { engineEnvironment } from '../process/environment.ts';
import { runChild } from '../process/run-child.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../process/temporary-folder.ts';
import { claimOf } from '../proof/claim.ts';
import { deriveVerdict, NO_CONCLUSION, type Verdict } from '../proof/verdict.ts';
import { err, ok, type Result } from '../values/result.ts';
import { type JsonObject, parseStrictObject } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import { findArtifacts } from './artifacts.ts';
import { buildEnvelope, type CheckedEnvelope, type EnvelopeError } from './envelope.ts';
import { EventTrail, findingEvent, ownEvent, parseEventLine, tellStrays } from './events.ts';
import { readEvidence } from './evidence/read-evidence.ts';
import { errorOfProblem, faultOf, NO_PROGRAM, notWritten, unparsable } from './faults.ts';
import type { Places } from './find-engine.ts';
import type { Prepared, VerdictRules } from './prepared.ts';
import { type AdapterRun, runAdapter } from './run-adapter.ts';

const STDOUT_LIMIT = 64 * 1024 * 1024;
const STDERR_LIMIT = 256 * 1024 * 1024;

/** How a prepared invocation is carried out. */
export interface InvokeRequest {
  readonly rules: VerdictRules;
  readonly outputs: readonly Output[];
  readonly env: Readonly<Record<string, string>>;
  readonly places: Places;
  readonly timeoutMs: number;
  /** Absolute path of an existing folder that keeps what the program prints. */
  readonly captureFolder: string;
  /** Marks the processes of the run. */
  readonly marker: string;
  readonly onEvent?: (event: VygesEvent) => void;
  readonly onLine?: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** An envelope with the verdict that stands in it. */
export interface Invoked extends CheckedEnvelope {
  readonly verdict: Verdict;
  /** What the tool says it opened; empty where nothing is said. */
  readonly opened: readonly string[];
}

/**
 * Runs a prepared invocation to its end and gives its envelope: every way in which it can go wrong
 * has an `error.code`, and none of them says anything about the design (spec 02 "Errors").
 * It resolves only when the whole process group is gone, so that outputs can be hashed.
 */
export async function invoke(prepared: Prepared, request: InvokeRequest): Promise<Invoked> {
  const trail = new EventTrail();
  if (prepared.problem || prepared.program === undefined) {
    const error = prepared.problem ? errorOfProblem(prepared.problem) : NO_PROGRAM;
    return conclude(prepared, request, trail, { error, durationMs: 0 });
  }
  const scratch = makeTemporaryFolder('signoff-gate-run-');
  if (!scratch.ok) {
    const error = notWritten(scratch.error);
    return conclude(prepared, request, trail, { error, durationMs: 0 });
  }
  try {
    const home = join(scratch.value, 'home');
    const tmp = join(scratch.value, 'tmp');
    mkdirSync(home);
    mkdirSync(tmp);
    const env = engineEnvironment({
      path: request.places.searchPath,
      home,
      tmp,
      declared: request.env,
      marker: request.marker,
    });
    if (prepared.adapter) {
      const folder = join(scratch.value, 'work');
      const done = await runAdapter(prepared.adapter, prepared, {
        ...request,
        env,
        scratch: scratch.value,
        folder,
        trail,
      });
      return concludeAdapter(prepared, request, trail, done);
    }
    const outcome = await runChild({
      program: prepared.program,
      args: prepared.args,
      cwd: request.places.workspace,
      env,
      timeoutMs: request.timeoutMs,
      stdoutFile: join(request.captureFolder, 'stdout'),
      stdoutLimit: STDOUT_LIMIT,
      stderrFile: join(request.captureFolder, 'stderr'),
      stderrLimit: STDERR_LIMIT,
      onStderrLine: (line) => {
        const event = parseEventLine(line);
        if (event) {
          trail.add(event);
          request.onEvent?.(event);
        } else {
          request.onLine?.(line);
        }
      },
      ...(request.signal ? { signal: request.signal } : {}),
    });
    tellStrays(outcome.strays, trail);
    return concludeRun(prepared, request, trail, outcome);
  } finally {
    removeTemporaryFolder(scratch.value);
  }
}

function concludeRun(
  prepared: Prepared,
  request: InvokeRequest,
  trail: EventTrail,
  outcome: ChildOutcome,
): Invoked {
  const { durationMs } = outcome;
  const fault = faultOf(prepared.tool, outcome, request.timeoutMs);
  if (fault && outcome.end !== 'exited')
    return conclude(prepared, request, trail, { error: fault, durationMs });
  const exitCode = outcome.end === 'exited' ? outcome.exitCode : -1;

  if (request.rules.work.kind === 'command') {
    const { evidence } = request.rules.work;
    const { workspace } = request.places;
    const payload = readEvidence(evidence, exitCode, request.outputs, workspace, (finding) => {
      const event = findingEvent(prepared.tool, finding);
      trail.add(event);
      request.onEvent?.(event);
    });
    if (!payload.ok) {
      trail.add(ownEvent('error', 'EVIDENCE', payload.error.message));
      return conclude(prepared, request, trail, {
        error: fault ?? unparsable(payload.error.message),
        durationMs,
      });
    }
    const verdict = deriveVerdict(claimOf(request.rules, null), payload.value, request.rules);
    // Non-zero exit: an answer only if the evidence itself says what failed. Coverage that a crash cut
    // short says nothing.
    const saysWhatFailed = evidence.kind !== 'exit-code' && evidence.kind !== 'lcov';
    const isAnswer = fault === null || (verdict.status === 'fail' && saysWhatFailed);
    return isAnswer
      ? conclude(prepared, request, trail, {
          error: null,
          payload: payload.value,
          verdict,
          durationMs,
        })
      : conclude(prepared, request, trail, { error: fault, payload: payload.value, durationMs });
  }

  const payload = readPayload(prepared, request.captureFolder, outcome.stdoutBytes);
  const error = fault ?? payload.error;
  if (error)
    return conclude(prepared, request, trail, { error, payload: payload.value, durationMs });
  const raw = prepared.descriptor?.raw ?? null;
  const verdict = deriveVerdict(claimOf(request.rules, raw), payload.value, request.rules);
  return conclude(prepared, request, trail, {
    error: null,
    payload: payload.value,
    verdict,
    durationMs,
  });
}

function concludeAdapter(
  prepared: Prepared,
  request: InvokeRequest,
  trail: EventTrail,
  { answer, durationMs }: AdapterRun,
): Invoked {
  if (!answer.ok) return conclude(prepared, request, trail, { error: answer.error, durationMs });
  const { payload, opened } = answer.value;
  const raw = prepared.descriptor?.raw ?? null;
  const verdict = deriveVerdict(claimOf(request.rules, raw), payload, request.rules);
  if (verdict.status === 'pass' && opened.length === 0) {
    const error = unparsable('it names no file that the tool opened: nothing was checked');
    return conclude(prepared, request, trail, { error, payload, durationMs });
  }
  return conclude(prepared, request, trail, { error: null, payload, opened, verdict, durationMs });
}

interface Findings {
  readonly error: EnvelopeError | null;
  readonly durationMs: number;
  readonly payload?: JsonObject | null;
  readonly opened?: readonly string[];
  readonly verdict?: Verdict;
}

function conclude(
  prepared: Prepared,
  request: InvokeRequest,
  trail: EventTrail,
  findings: Findings,
): Invoked {
  const { workspace } = request.places;
  const payload = findings.payload ?? null;
  const found =
    findings.error === null && prepared.descriptor && !prepared.isRaw
      ? findArtifacts(prepared.descriptor, payload, prepared.values, workspace)
      : { artifacts: [], absent: [] };
  for (const sentence of found.absent) {
    const event = ownEvent('warn', 'ARTIFACT-ABSENT', printable(sentence));
    trail.add(event);
    request.onEvent?.(event);
  }
  const verdict = findings.error === null ? (findings.verdict ?? NO_CONCLUSION) : NO_CONCLUSION;
  const checked = buildEnvelope(
    prepared,
    {
      verdict,
      error: findings.error,
      payload,
      artifacts: found.artifacts,
      trail,
      durationMs: findings.durationMs,
      env: request.env,
    },
    workspace,
  );
  return { ...checked, verdict, opened: findings.opened ?? [] };
}

/**
 * The engine's own output. Where a descriptor promises JSON, anything else is an error; with raw
 * arguments, or from an engine that emits none, it is only looked at.
 */
function readPayload(
  prepared: Prepared,
  captureFolder: string,
  printed: number,
): { value: JsonObject | null; error: EnvelopeError | null } {
  const isPromised = prepared.descriptor?.emitsJson === true && !prepared.isRaw;
  if (prepared.descriptor?.emitsJson === false && !prepared.isRaw)
    return { value: null, error: null };
  const bytes = readStdout(captureFolder, printed);
  if (!bytes.ok) return { value: null, error: notWritten(bytes.error) };
  const object = parseStrictObject(bytes.value);
  if (object.ok) return { value: object.value, error: null };
  return { value: null, error: isPromised ? unparsable(object.error.message) : null };
}

/** What was kept of stdout lies where the program can reach it: it must be what came out of it. */
function readStdout(captureFolder: string, printed: number): Result<Uint8Array, string> {
  const path = join(captureFolder, 'stdout');
  try {
    // A pipe in its place would be waited for without end.
    const bytes = lstatSync(path).isFile() ? readFileSync(path) : undefined;
    return bytes?.length === printed ? ok(bytes) : err('what it printed was altered while it ran');
  } catch (cause) {
    return err(`what it printed cannot be read back: ${String(cause)}`);
  }
}

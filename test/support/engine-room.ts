import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Invoked, invoke } from '../../src/engine/invoke.ts';
import { newMarker } from '../../src/engine/marker.ts';
import { prepare } from '../../src/engine/prepare.ts';
import type { Prepared, ProgramWork } from '../../src/engine/prepared.ts';
import { createFingerprintStore } from '../../src/fingerprint/store.ts';
import { walkWorkspace } from '../../src/fingerprint/walk.ts';
import type { Evidence, Floor, Output, WithValue } from '../../src/flow/stage.ts';
import type { VygesEvent } from '../../src/generated/documents.ts';
import { checkWorkspacePath } from '../../src/values/workspace-path.ts';
import { scratchFolder, writeFiles } from './scratch.ts';

/** A workspace, a folder of engines, and the PATH that leads to them. */
export interface EngineRoom {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly bin: string;
  readonly searchPath: string;
}

export function engineRoom(files: Readonly<Record<string, string | Uint8Array>> = {}): EngineRoom {
  const folder = scratchFolder();
  const root = join(folder, 'workspace');
  const bin = join(folder, 'bin');
  mkdirSync(root);
  mkdirSync(bin);
  writeFiles(root, files);
  return { root, bin, searchPath: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` };
}

/** What a scripted engine answers, each time the same. */
export interface Script {
  /** What `--describe` prints: an object as JSON, or the bytes as they are. */
  readonly describe?: object | string | Uint8Array;
  readonly describeExit?: number;
  /** What `--version` prints; without one it exits 2. */
  readonly version?: string;
  /** What a run prints on stdout, before `run`. */
  readonly stdout?: string | Uint8Array;
  /** Lines of sh that a run executes; `$parts` is the folder of the engine's own files. */
  readonly run?: string;
}

/** Puts an engine on the PATH of a room: a shell script, which starts faster than anything else. */
export function writeEngine(room: EngineRoom, name: string, script: Script): string {
  const parts = join(room.bin, `${name}.parts`);
  const { describe = '' } = script;
  const isBytes = typeof describe === 'string' || describe instanceof Uint8Array;
  writeFiles(parts, {
    describe: isBytes ? describe : JSON.stringify(describe),
    stdout: script.stdout ?? '',
    version: script.version ?? '',
  });
  const text = [
    '#!/bin/sh',
    `parts='${parts}'`,
    'case "$1" in',
    `--describe) cat "$parts/describe"; exit ${script.describeExit ?? 0};;`,
    `--version) cat "$parts/version"; exit ${script.version === undefined ? 2 : 0};;`,
    'esac',
    'cat "$parts/stdout"',
    script.run ?? '',
    '',
  ].join('\n');
  return writeProgram(join(room.bin, name), text);
}

export function writeProgram(path: string, text: string): string {
  writeFiles(dirname(path), { [path.slice(dirname(path).length + 1)]: text });
  chmodSync(path, 0o755);
  return path;
}

/** A descriptor that is right in every part; a test changes the one that it is about. */
export function descriptor(
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'probe',
    maturity: 'structured',
    provenance_limitations: ['input_hash covers the arguments, not what they name.'],
    invocation: { args_template: ['check'], optional: [], emits_json: true },
    inputs: { type: 'object', properties: {} },
    artifacts: [],
    assertion: { id: 'clean', field: 'clean', pass_when: { is_true: true } },
    ...changes,
  };
}

interface EngineCall {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, WithValue>>;
  readonly version?: string;
}

interface Call {
  readonly env?: Readonly<Record<string, string>>;
  readonly floors?: Readonly<Record<string, Floor>>;
  readonly minCoverage?: number;
  readonly outputs?: readonly string[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Absolute path of the folder that keeps what the program prints. */
  readonly captureFolder?: string;
}

/** What came of a call, with all that was told while it ran. */
export interface Called extends Invoked {
  readonly prepared: Prepared;
  readonly events: readonly VygesEvent[];
  readonly lines: readonly string[];
}

/** Prepares and runs an engine of the room as the gate does; `probe` unless told. */
export function callEngine(room: EngineRoom, call: EngineCall & Call = {}): Promise<Called> {
  return callProgram(room, engineWork(call), call);
}

/** Prepares and runs a shell script with evidence as the gate does. */
export function callCommand(
  room: EngineRoom,
  script: string,
  evidence: Evidence,
  call: Call & { readonly tools?: readonly string[] } = {},
): Promise<Called> {
  const work: ProgramWork = {
    kind: 'command',
    argv: ['sh', '-c', script],
    isScript: true,
    tools: call.tools ?? [],
    evidence,
  };
  return callProgram(room, work, call);
}

export function engineWork(call: EngineCall = {}): ProgramWork {
  const { uses = 'probe', version } = call;
  return { kind: 'engine', uses, with: call.with ?? {}, version, tools: [] };
}

export function prepareWork(
  room: EngineRoom,
  work: ProgramWork,
  env: Readonly<Record<string, string>> = {},
): Promise<Prepared> {
  return prepare({
    work,
    env,
    places: { workspace: room.root, searchPath: room.searchPath },
    walk: walkWorkspace(room.root),
    store: createFingerprintStore(room.root),
  });
}

async function callProgram(room: EngineRoom, work: ProgramWork, call: Call): Promise<Called> {
  const { env = {} } = call;
  const prepared = await prepareWork(room, work, env);
  const events: VygesEvent[] = [];
  const lines: string[] = [];
  const invoked = await invoke(prepared, {
    rules: { work, floors: call.floors ?? {}, minCoverage: call.minCoverage },
    outputs: (call.outputs ?? []).map(outputAt),
    env,
    places: { workspace: room.root, searchPath: room.searchPath },
    timeoutMs: call.timeoutMs ?? 60_000,
    captureFolder: call.captureFolder ?? scratchFolder(),
    marker: newMarker(),
    onEvent: (event) => events.push(event),
    onLine: (line) => lines.push(line),
    signal: call.signal,
  });
  return { ...invoked, prepared, events, lines };
}

export function outputAt(text: string): Output {
  const isFolder = text.endsWith('/');
  const checked = checkWorkspacePath(isFolder ? text.slice(0, -1) : text);
  if (!checked.ok) throw new Error(`${text}: ${checked.why}`);
  return { path: checked.path, isFolder };
}

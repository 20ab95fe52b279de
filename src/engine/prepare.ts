import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { FingerprintStore } from '../fingerprint/store.ts';
import type { Walk } from '../fingerprint/walk.ts';
import type { Stage, WithValue, Work } from '../flow/stage.ts';
import type { Fingerprint } from '../values/brands.ts';
import type { Problem } from '../values/problem.ts';
import { emptyTable } from '../values/table.ts';
import { type Arguments, buildArguments } from './arguments.ts';
import type { Descriptor } from './descriptor.ts';
import { findCommand, findEngine, type Places } from './find-engine.ts';
import { inputHash } from './input-hash.ts';
import { askVersion, introduce, versionIn } from './probe.ts';
import { findProgram, programsOf } from './programs.ts';
import { checkVersion } from './version-range.ts';

/** The work of a stage that a program does. */
export type ProgramWork = Exclude<Work, { kind: 'judged' }>;

/** What an invocation is prepared from. */
export interface PrepareRequest {
  readonly work: ProgramWork;
  readonly env: Readonly<Record<string, string>>;
  readonly places: Places;
  readonly walk: Walk;
  readonly store: FingerprintStore;
  /** Ends the probes; what is prepared then is not to be started. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Everything about an invocation that is known before it starts. What stands in the way of
 * starting it is its `problem`; the rest is then as far as it could be found out.
 */
export interface Prepared {
  readonly problem: Problem | undefined;
  /** What the envelope calls the tool. */
  readonly tool: string;
  /** Absolute path; undefined when there is no program. */
  readonly program: string | undefined;
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, WithValue>>;
  readonly isRaw: boolean;
  readonly descriptor: Descriptor | undefined;
  readonly versionLine: string | null;
  /** Version by program, of those that name one. */
  readonly toolVersions: Readonly<Record<string, string>>;
  /** Content digest by program, as the flow names it. */
  readonly executables: Readonly<Record<string, Fingerprint>>;
  readonly inputHash: Fingerprint;
  /** The command as a record may show it: without the paths of this machine. */
  readonly shownCommand: readonly string[];
}

/** Resolves, probes and checks an invocation without starting it. */
export async function prepare(request: PrepareRequest): Promise<Prepared> {
  return request.work.kind === 'engine'
    ? prepareEngine(request, request.work)
    : prepareCommand(request, request.work);
}

async function prepareEngine(
  request: PrepareRequest,
  work: ProgramWork & { kind: 'engine' },
): Promise<Prepared> {
  const { places } = request;
  const found = findEngine(work.uses, places);
  const nothing: Arguments = { args: [], values: work.with, isRaw: false };
  if (!found.ok)
    return describePrepared(request, work.uses, { problem: found.error, arguments: nothing });
  const program = found.value;
  const introduced = await introduce(program, {
    workspace: places.workspace,
    searchPath: places.searchPath,
    declared: request.env,
    signal: request.signal,
  });
  if (!introduced.ok) {
    return describePrepared(request, work.uses, {
      problem: introduced.error,
      program,
      arguments: nothing,
    });
  }
  const { descriptor, versionLine } = introduced.value;
  const known = {
    program,
    versionLine,
    descriptor: typeof descriptor === 'string' ? undefined : descriptor,
  };
  const version = work.version === undefined ? undefined : checkVersion(work.version, versionLine);
  if (version && !version.ok) {
    return describePrepared(request, work.uses, {
      ...known,
      problem: version.error,
      arguments: nothing,
    });
  }
  const built = await buildArguments(descriptor, work.with, request.walk);
  return describePrepared(request, work.uses, {
    ...known,
    problem: built.ok ? undefined : built.error,
    arguments: built.ok ? built.value : nothing,
  });
}

async function prepareCommand(
  request: PrepareRequest,
  work: ProgramWork & { kind: 'command' },
): Promise<Prepared> {
  const { places } = request;
  const [name, ...args] = work.argv;
  const versions = emptyTable<string>();
  let problem: Problem | undefined;
  for (const tool of new Set(work.tools)) {
    const found = findCommand(tool, places);
    if (!found.ok) {
      problem ??= found.error;
      continue;
    }
    const line = await askVersion(found.value, {
      workspace: places.workspace,
      searchPath: places.searchPath,
      declared: request.env,
      signal: request.signal,
    });
    if (line !== null) versions[tool] = line;
  }
  const found = findCommand(name, places);
  if (!found.ok) problem = found.error;
  return describePrepared(request, name, {
    problem,
    program: found.ok ? found.value : undefined,
    arguments: { args, values: {}, isRaw: false },
    versions,
  });
}

interface Known {
  readonly problem: Problem | undefined;
  readonly program?: string | undefined;
  readonly versionLine?: string | null;
  readonly descriptor?: Descriptor | undefined;
  readonly arguments: Arguments;
  readonly versions?: Readonly<Record<string, string>>;
}

function describePrepared(request: PrepareRequest, name: string, known: Known): Prepared {
  const { store, work, places, env } = request;
  const executables = emptyTable<Fingerprint>();
  let { problem } = known;
  for (const program of programsOf(work)) {
    const found = findProgram(program, work, places);
    const digest = found.ok ? store.executable(found.value) : undefined;
    if (digest?.ok) executables[program] = digest.value;
    else if (digest) problem ??= digest.error;
  }
  const versionLine = known.versionLine ?? null;
  const { args, values, isRaw } = known.arguments;
  const version = versionIn(versionLine);
  return {
    problem,
    tool: known.descriptor?.name ?? basename(name),
    program: known.program,
    args,
    values,
    isRaw,
    descriptor: known.descriptor,
    versionLine,
    toolVersions:
      version === null ? (known.versions ?? {}) : { ...known.versions, [name]: version },
    executables,
    inputHash: inputHash(
      {
        program: realPath(known.program) ?? name,
        digest: executables[name] ?? null,
        versionLine,
        env,
        args,
      },
      places.workspace,
    ),
    shownCommand: [name.includes('/') ? name : basename(known.program ?? name), ...args],
  };
}

function realPath(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What the verdict of an invocation is derived with. */
export type VerdictRules = Pick<Stage, 'work' | 'floors' | 'minCoverage'>;

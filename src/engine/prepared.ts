import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { FingerprintStore } from '../fingerprint/store.ts';
import type { Walk } from '../fingerprint/walk.ts';
import type { Stage, WithValue, Work } from '../flow/stage.ts';
import type { Fingerprint } from '../values/brands.ts';
import type { Problem } from '../values/problem.ts';
import { emptyTable } from '../values/table.ts';
import type { Adapter } from './adapters/adapter.ts';
import { adapterDigest } from './adapters/digest.ts';
import type { Arguments } from './arguments.ts';
import type { Descriptor } from './descriptor.ts';
import type { Places } from './find-engine.ts';
import { inputHash } from './input-hash.ts';
import { type ProbeSetting, type ToldVersions, versionIn } from './probe.ts';
import { findProgram, programsOf } from './programs.ts';

/** The work of a stage that a program does. */
export type ProgramWork = Exclude<Work, { kind: 'judged' }>;

/** What an invocation is prepared from. */
export interface PrepareRequest {
  readonly work: ProgramWork;
  readonly env: Readonly<Record<string, string>>;
  readonly places: Places;
  readonly walk: Walk;
  readonly store: FingerprintStore;
  readonly told?: ToldVersions | undefined;
  /** Ends the probes; what is prepared then is not to be started. */
  readonly signal?: AbortSignal | undefined;
}

/** What the programs of an invocation are asked in. */
export function probeSettingOf({ places, env, signal, told }: PrepareRequest): ProbeSetting {
  return { ...places, declared: env, signal, told };
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
  /** Absolute path by program, of those that are here. */
  readonly programPaths: Readonly<Record<string, string>>;
  /** The module that carries out the invocation in place of a program of its own. */
  readonly adapter: Adapter | undefined;
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

/** What was found out about an invocation, by whichever way leads to it. */
export interface Known {
  readonly problem: Problem | undefined;
  readonly program?: string | undefined;
  readonly versionLine?: string | null;
  readonly descriptor?: Descriptor | undefined;
  readonly arguments: Arguments;
  readonly versions?: Readonly<Record<string, string>>;
  readonly adapter?: Adapter;
}

/** Completes an invocation: the digests of its programs, its input_hash, how a record shows it. */
export function describePrepared(request: PrepareRequest, name: string, known: Known): Prepared {
  const { store, work, places, env } = request;
  const executables = emptyTable<Fingerprint>();
  const programPaths = emptyTable<string>();
  let { problem } = known;
  if (known.adapter) executables[known.adapter.name] = adapterDigest(known.adapter);
  for (const program of programsOf(work)) {
    const found = findProgram(program, work, places);
    if (!found.ok) continue;
    programPaths[program] = found.value;
    const digest = store.executable(found.value);
    if (digest.ok) executables[program] = digest.value;
    else problem ??= digest.error;
  }
  const versionLine = known.versionLine ?? null;
  const { args, values, isRaw } = known.arguments;
  const version = versionIn(versionLine);
  return {
    problem,
    tool: known.descriptor?.name ?? basename(name),
    program: known.program,
    programPaths,
    adapter: known.adapter,
    args,
    values,
    isRaw,
    descriptor: known.descriptor,
    versionLine,
    toolVersions:
      version === null || known.adapter
        ? (known.versions ?? {})
        : { ...known.versions, [name]: version },
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
    shownCommand: [
      name.includes('/') || known.adapter ? name : basename(known.program ?? name),
      ...args,
    ],
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

import { type Captured, captureChild, notCaptured } from '../process/capture.ts';
import { engineEnvironment } from '../process/environment.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from '../process/temporary-folder.ts';
import { ok, type Result } from '../values/result.ts';
import { parseStrictObject } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import { type Descriptor, readDescriptor } from './descriptor.ts';
import { newMarker } from './marker.ts';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** What an engine says of itself; `descriptor` may be a sentence that says why there is none. */
export interface Introduction {
  readonly descriptor: Descriptor | string;
  /** First line of what `--version` prints; null when it says nothing. */
  readonly versionLine: string | null;
}

/** What a probe runs in: the workspace, with the environment of an engine. */
export interface ProbeSetting {
  readonly workspace: string;
  readonly searchPath: string;
  readonly declared: Readonly<Record<string, string>>;
  /** Ends the probe before its deadline. */
  readonly signal?: AbortSignal | undefined;
  /** Versions that have been told already: who decides about a stage and runs it asks but once. */
  readonly told?: ToldVersions | undefined;
}

/** By program and question. */
export type ToldVersions = Map<string, Promise<string | null>>;

/**
 * Asks an engine for its descriptor and its version, each under a deadline of 10 s (spec 01, 05).
 * A probe that fails, hangs or prints no JSON means that there is no descriptor; only one of
 * another major is an error.
 */
export async function introduce(
  program: string,
  setting: ProbeSetting,
): Promise<Result<Introduction>> {
  const [described, versionLine] = await Promise.all([
    describe(program, setting),
    askVersion(program, setting),
  ]);
  return described.ok ? ok({ descriptor: described.value, versionLine }) : described;
}

async function describe(
  program: string,
  setting: ProbeSetting,
): Promise<Result<Descriptor | string>> {
  const { outcome, stdout } = await ask(program, ['--describe'], setting);
  if (outcome.end !== 'exited') return ok(`its --describe did not end by itself (${outcome.end})`);
  if (outcome.exitCode !== 0) return ok(`its --describe exited with code ${outcome.exitCode}`);
  const object = parseStrictObject(stdout);
  if (!object.ok)
    return ok(`what its --describe printed is no JSON object: ${object.error.message}`);
  return readDescriptor(object.value);
}

/**
 * The first line that a program prints when asked for its version, or null: a tool that has no such
 * option is no error.
 */
export function askVersion(
  program: string,
  setting: ProbeSetting,
  question: readonly string[] = ['--version'],
): Promise<string | null> {
  const key = JSON.stringify([program, ...question]);
  const answer = setting.told?.get(key) ?? askAnew(program, setting, question);
  setting.told?.set(key, answer);
  return answer;
}

async function askAnew(
  program: string,
  setting: ProbeSetting,
  question: readonly string[],
): Promise<string | null> {
  const { outcome, stdout, stderr } = await ask(program, question, setting);
  if (outcome.end !== 'exited' || outcome.exitCode !== 0) return null;
  const text = new TextDecoder().decode(stdout).trim() || stderr.trim();
  const [line = ''] = text.split('\n', 1);
  return line.trim() === '' ? null : printable(line.trim(), 200);
}

async function ask(
  program: string,
  args: readonly string[],
  setting: ProbeSetting,
): Promise<Captured> {
  const folder = makeTemporaryFolder('signoff-gate-probe-');
  if (!folder.ok) return notCaptured(folder.error);
  try {
    return await captureChild({
      program,
      args,
      cwd: setting.workspace,
      env: engineEnvironment({
        path: setting.searchPath,
        home: folder.value,
        tmp: folder.value,
        declared: setting.declared,
        marker: newMarker(),
      }),
      timeoutMs: DEADLINE_MS,
      limit: MAX_BYTES,
      ...(setting.signal ? { signal: setting.signal } : {}),
    });
  } finally {
    removeTemporaryFolder(folder.value);
  }
}

/** The version in a version line (`vyges-em-ir 0.1.29 (0f4bd21)` → `0.1.29`), else the line itself. */
export function versionIn(line: string | null): string | null {
  if (line === null) return null;
  return /\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?/.exec(line)?.[0] ?? line;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildOutcome, ChildRequest } from './child.ts';
import { runChild } from './run-child.ts';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

const PROBE_TIMEOUT_MS = 10_000;

/** What a probe (`--describe`, `--version`) printed, and how it ended. */
export interface Captured {
  readonly outcome: ChildOutcome;
  readonly stdout: Uint8Array;
  /** Bytes that are not UTF-8 are U+FFFD in it. */
  readonly stderr: string;
}

/**
 * Runs a short program and answers its output, as {@link runChild} does it, with the files in a
 * private folder that is removed afterwards.
 *
 * @param probe.timeoutMs milliseconds; 10 s unless told
 * @param probe.limit bytes of stdout, past which it is ended, and of stderr, past which it is cut
 */
export async function captureChild(
  probe: Pick<ChildRequest, 'program' | 'args' | 'cwd' | 'env' | 'signal'> & {
    readonly timeoutMs?: number | undefined;
    readonly limit: number;
  },
): Promise<Captured> {
  const folder = makeTemporaryFolder('signoff-gate-');
  if (!folder.ok) return notCaptured(folder.error);
  try {
    return await captureIn(folder.value, probe);
  } finally {
    removeTemporaryFolder(folder.value);
  }
}

async function captureIn(
  folder: string,
  probe: Parameters<typeof captureChild>[0],
): Promise<Captured> {
  const stdoutFile = join(folder, 'stdout');
  const stderrFile = join(folder, 'stderr');
  const outcome = await runChild({
    program: probe.program,
    args: probe.args,
    cwd: probe.cwd,
    env: probe.env,
    signal: probe.signal,
    timeoutMs: probe.timeoutMs ?? PROBE_TIMEOUT_MS,
    stdoutFile,
    stdoutLimit: probe.limit,
    stderrFile,
    stderrLimit: probe.limit,
  });
  if (outcome.end === 'not-written') return { outcome, stdout: new Uint8Array(), stderr: '' };
  try {
    return { outcome, stdout: readFileSync(stdoutFile), stderr: readFileSync(stderrFile, 'utf8') };
  } catch (cause) {
    return notCaptured(`the output of ${probe.program} cannot be read back: ${String(cause)}`);
  }
}

/** The answer of a probe that was not started, or whose output was lost. */
export function notCaptured(message: string): Captured {
  const facts = { durationMs: 0, stdoutBytes: 0, stderrTail: '', strays: 0 };
  return {
    outcome: { end: 'not-written', message, ...facts },
    stdout: new Uint8Array(),
    stderr: '',
  };
}

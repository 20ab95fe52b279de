import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ChildRequest } from '../../src/process/child.ts';
import { MARKER_VARIABLE } from '../../src/process/environment.ts';

export const onLinux = process.platform === 'linux';

/**
 * Milliseconds for a run with a deadline of well under a second to settle. It takes less than 3 s
 * where the machine is free; the rest is for one that is not. What hangs takes 30 s.
 */
export const SETTLED_WITHIN = 12_000;

/** A folder that goes when the test has finished. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'process-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeProgram(path: string, text: string, mode = 0o755): string {
  writeFileSync(path, text, { mode });
  return path;
}

let markers = 0;

export function uniqueMarker(): string {
  return `test-${process.pid}-${++markers}`;
}

/** A request that runs a shell script in a folder of its own, within 60 s and 1 MiB. */
export function shellRequest(script: string, more: Partial<ChildRequest> = {}): ChildRequest {
  const cwd = more.cwd ?? temporaryFolder();
  return {
    program: '/bin/sh',
    args: ['-c', script],
    cwd,
    env: { PATH: process.env.PATH ?? '', [MARKER_VARIABLE]: uniqueMarker() },
    timeoutMs: 60_000,
    stdoutFile: join(cwd, 'stdout.log'),
    stdoutLimit: 1024 * 1024,
    stderrFile: join(cwd, 'stderr.log'),
    stderrLimit: 1024 * 1024,
    ...more,
  };
}

export function read(request: ChildRequest, name: string): string {
  return readFileSync(join(request.cwd, name), 'utf8');
}

export function readPid(request: ChildRequest, name: string): number {
  const pid = Number(read(request, name));
  if (!Number.isInteger(pid) || pid <= 1) throw new Error(`${name} holds no process id`);
  return pid;
}

/** Whether a process runs; one that is dead but not yet reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!onLinux) return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** The milliseconds that an action takes, and what it gives. */
export async function timed<T>(action: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await action();
  return { value, ms: performance.now() - start };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MARKER_VARIABLE } from '../../src/process/environment.ts';
import { findOnPath } from '../../src/process/find-program.ts';
import { runChild } from '../../src/process/run-child.ts';
import { endStrays, findStrays } from '../../src/process/strays.ts';
import {
  isAlive,
  onLinux,
  readPid,
  SETTLED_WITHIN,
  shellRequest,
  temporaryFolder,
  timed,
  uniqueMarker,
} from './helpers.ts';

const DEADLINE = 300;

describe('at the deadline', () => {
  it('a program that prints for ever is ended', async () => {
    const request = shellRequest('yes', { timeoutMs: DEADLINE, stdoutLimit: 1024 ** 3 });
    const { value, ms } = await timed(() =>
      runChild({ ...request, stdoutFile: '/dev/null', onStderrLine: () => undefined }),
    );
    expect(value).toMatchObject({ end: 'timed-out' });
    expect(value.durationMs).toBeGreaterThanOrEqual(DEADLINE);
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it('a program is asked before it is killed', async () => {
    const script = "trap 'echo asked; exit 0' TERM; sleep 30 & wait";
    const request = shellRequest(script, { timeoutMs: DEADLINE });
    const outcome = await runChild(request);
    // It exited 0, but only because its time was up.
    expect(outcome).toMatchObject({ end: 'timed-out', stdoutBytes: 6 });
  });

  it('a program that ignores SIGTERM is killed, with its children', async () => {
    const script = "trap '' TERM; sleep 30 & echo $! > pid; while :; do sleep 30; done";
    const request = shellRequest(script, { timeoutMs: DEADLINE });
    const { value, ms } = await timed(() => runChild(request));
    expect(value).toMatchObject({ end: 'timed-out', strays: 0 });
    expect(isAlive(readPid(request, 'pid'))).toBe(false);
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it('a stopped program is ended', async () => {
    const request = shellRequest('kill -STOP $$', { timeoutMs: DEADLINE });
    const { value, ms } = await timed(() => runChild(request));
    expect(value).toMatchObject({ end: 'timed-out' });
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it.runIf(onLinux)(
    'a child with a session of its own that holds the pipes is ended',
    { retry: 2 },
    async () => {
      const script = "trap '' TERM; setsid sleep 30 & echo $! > pid; wait; sleep 30";
      const request = shellRequest(script, { timeoutMs: DEADLINE });
      const { value, ms } = await timed(() => runChild(request));
      expect(value).toMatchObject({ end: 'timed-out', strays: 1 });
      expect(isAlive(readPid(request, 'pid'))).toBe(false);
      expect(ms).toBeLessThan(SETTLED_WITHIN);
    },
  );

  it('a deadline longer than a timer can take does not fire at once', async () => {
    const outcome = await runChild(shellRequest('sleep 0.1', { timeoutMs: 2 ** 40 }));
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 0 });
  });

  it('a deadline that is no number fires instead of never', async () => {
    const outcome = await runChild(shellRequest('sleep 30', { timeoutMs: Number.NaN }));
    expect(outcome).toMatchObject({ end: 'timed-out' });
  });
});

describe('an abort', () => {
  it('ends the program', async () => {
    const controller = new AbortController();
    const request = shellRequest('sleep 30 & echo $! > pid; echo ready >&2; wait', {
      signal: controller.signal,
      onStderrLine: () => controller.abort(),
    });
    const { value, ms } = await timed(() => runChild(request));
    expect(value).toMatchObject({ end: 'interrupted' });
    expect(isAlive(readPid(request, 'pid'))).toBe(false);
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it('before the start keeps it from being started', async () => {
    const request = shellRequest('touch started', { signal: AbortSignal.abort() });
    expect(await runChild(request)).toMatchObject({ end: 'interrupted', durationMs: 0 });
    expect(() => statSync(join(request.cwd, 'started'))).toThrow();
  });

  it('while the program is being started is not lost', async () => {
    const controller = new AbortController();
    const outcome = runChild(shellRequest('sleep 30', { signal: controller.signal }));
    controller.abort();
    expect(await outcome).toMatchObject({ end: 'interrupted' });
  });

  it('after the program exited 0, while what it left is being ended, still counts', async () => {
    const controller = new AbortController();
    const request = shellRequest('sleep 30 & exit 0', { signal: controller.signal });
    const outcome = runChild(request);
    setTimeout(() => controller.abort(), 150);
    expect(await outcome).toMatchObject({ end: 'interrupted' });
  });
});

describe('after the program has exited', () => {
  it('a child that holds the pipes is ended', async () => {
    const request = shellRequest('sleep 30 & echo $! > pid; exit 0');
    const { value, ms } = await timed(() => runChild(request));
    expect(value).toMatchObject({ end: 'exited', exitCode: 0, strays: 0 });
    expect(isAlive(readPid(request, 'pid'))).toBe(false);
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it('a child of its group may finish a last line', { retry: 2 }, async () => {
    const request = shellRequest('(sleep 0.1; echo done) & exit 0');
    expect(await runChild(request)).toMatchObject({ end: 'exited', stdoutBytes: 5 });
  });

  it('what it wrote last is read to the end', async () => {
    const size = 190_000;
    const request = shellRequest(`head -c ${size} /dev/zero; echo last >&2`);
    const outcome = await runChild(request);
    expect(outcome).toMatchObject({ end: 'exited', stdoutBytes: size, stderrTail: 'last\n' });
  });

  it.runIf(onLinux)('a child in another session that goes on writing a file is ended', async () => {
    const loop = 'while echo more >> grows; do :; done';
    const script = `setsid sh -c '${loop}' >/dev/null 2>&1 & while [ ! -s grows ]; do :; done`;
    const request = shellRequest(script);
    const { value, ms } = await timed(() => runChild(request));
    expect(value).toMatchObject({ end: 'exited', exitCode: 0, strays: 1 });
    const size = () => statSync(join(request.cwd, 'grows')).size;
    const before = size();
    await sleep(100);
    expect(size()).toBe(before);
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it.runIf(onLinux)('a daemon of a daemon is ended', async () => {
    const script = `setsid sh -c 'setsid sleep 30 >/dev/null 2>&1 & echo $! > pid' & wait`;
    const request = shellRequest(script);
    expect(await runChild(request)).toMatchObject({ end: 'exited', strays: 1 });
    expect(isAlive(readPid(request, 'pid'))).toBe(false);
  });

  it.runIf(onLinux)('a stray is ended also without a marker in the request', async () => {
    const env = { PATH: process.env.PATH ?? '' };
    const request = shellRequest('setsid sleep 30 >/dev/null 2>&1 & echo $! > pid', { env });
    expect(await runChild(request)).toMatchObject({ end: 'exited', strays: 1 });
    expect(isAlive(readPid(request, 'pid'))).toBe(false);
  });

  it.runIf(onLinux)('one that cannot be found but holds a pipe is no exit 0', async () => {
    const script = `env -i setsid sh -c 'echo $$ > pid; exec sleep 30' &
      while [ ! -s pid ]; do sleep 0.02; done; exit 0`;
    const request = shellRequest(script);
    const { value, ms } = await timed(() => runChild(request));
    const pid = readPid(request, 'pid');
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    expect(isAlive(pid)).toBe(true);
    expect(value).toMatchObject({ end: 'not-ended' });
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  const slowChain = 'setsid sh -c "$LINK"';
  // Every link looks at the clock: a chain that nobody can end must end by itself.
  const fastChain = `setsid perl -e 'use POSIX; while (time < $ENV{END}) { fork and _exit(0); setsid }'`;
  const chains = findOnPath('perl', process.env.PATH ?? '') ? [slowChain, fastChain] : [slowChain];

  it.runIf(onLinux).each(chains)(
    'a chain of strays that start one another does not hold it up (%s)',
    async (chain) => {
      const folder = temporaryFolder();
      const marker = uniqueMarker();
      const env = {
        PATH: process.env.PATH ?? '',
        END: String(Math.ceil(Date.now() / 1000) + 10),
        LINK: '[ "$(date +%s)" -ge "$END" ] || setsid sh -c "$LINK" &',
        [MARKER_VARIABLE]: marker,
      };
      const script = `${chain} >/dev/null 2>&1 & sleep 0.2`;
      const { value, ms } = await timed(() => runChild(shellRequest(script, { cwd: folder, env })));
      expect(ms).toBeLessThan(SETTLED_WITHIN);
      expect(['exited', 'not-ended']).toContain(value.end);
      // It may fail to end them, but it may not claim that it did.
      if (value.end === 'exited') {
        expect(value.strays).toBeGreaterThan(0);
        await sleep(50);
        expect(findStrays(marker)).toEqual([]);
      }
    },
  );
});

describe.runIf(onLinux)('strays', () => {
  function startMarked(marker: string): ChildProcess & { pid: number } {
    const child = spawn('/bin/sleep', ['30'], { env: { [MARKER_VARIABLE]: marker } });
    onTestFinished(() => void child.kill('SIGKILL'));
    if (child.pid === undefined) throw new Error('sleep did not start');
    return Object.assign(child, { pid: child.pid });
  }

  it('are found by their whole marker, and ended', async () => {
    const marker = uniqueMarker();
    const mine = startMarked(marker);
    const longer = startMarked(`${marker}0`);
    const gone = new Promise((resolve) => mine.once('exit', (_code, signal) => resolve(signal)));
    expect(findStrays(marker)).toEqual([mine.pid]);
    expect(await endStrays(marker, 10_000)).toEqual({ ended: 1, complete: true });
    expect(await gone).toBe('SIGKILL');
    expect(findStrays(marker)).toEqual([]);
    expect(isAlive(longer.pid)).toBe(true);
  });

  it('are none for an empty marker, whatever runs', () => {
    startMarked('');
    expect(findStrays('')).toEqual([]);
  });
});

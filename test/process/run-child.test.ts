import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARKER_VARIABLE } from '../../src/process/environment.ts';
import { runChild } from '../../src/process/run-child.ts';
import {
  read,
  SETTLED_WITHIN,
  shellRequest,
  temporaryFolder,
  timed,
  uniqueMarker,
  writeProgram,
} from './helpers.ts';

describe('a program that ends by itself', () => {
  it('is told by its exit code, with its output in the two files', async () => {
    const request = shellRequest('echo result; echo note >&2; exit 3');
    const outcome = await runChild(request);
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 3, stdoutBytes: 7, strays: 0 });
    expect(outcome.stderrTail).toBe('note\n');
    expect(read(request, 'stdout.log')).toBe('result\n');
    expect(read(request, 'stderr.log')).toBe('note\n');
  });

  it('is told by the signal that ended it, when one did', async () => {
    const outcome = await runChild(shellRequest('kill -SEGV $$'));
    expect(outcome).toMatchObject({ end: 'signalled', signal: 'SIGSEGV' });
  });

  it('has a duration in whole milliseconds, without the time for cleaning up', async () => {
    const { value, ms } = await timed(() => runChild(shellRequest('sleep 30 & sleep 0.2')));
    expect(Number.isInteger(value.durationMs)).toBe(true);
    expect(value.durationMs).toBeGreaterThanOrEqual(200);
    expect(ms - value.durationMs).toBeGreaterThan(200);
  });

  it('runs in the given folder, reads nothing from stdin, and leads its own group', async () => {
    const request = shellRequest('pwd -P; cat; ps -o pgid= -p $$; echo $$');
    await runChild(request);
    const [folder, group, leader] = read(request, 'stdout.log').trim().split(/\s+/);
    expect(folder).toContain(request.cwd);
    expect(group).toBe(leader);
  });

  it('gets its arguments as they are, without a shell', async () => {
    const request = shellRequest('', {
      program: '/bin/echo',
      args: ['a  b', '$HOME', '*', "'", ''],
    });
    await runChild(request);
    expect(read(request, 'stdout.log')).toBe("a  b $HOME * ' \n");
  });

  it('leaves no listener on the abort signal', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await runChild(shellRequest('true', { signal }));
    expect(listeners).toBe(0);
  });
});

describe('a program that cannot be started', () => {
  const started = async (program: string, more = {}) =>
    await runChild(shellRequest('', { program, args: [], ...more }));

  it('is not found when it is absent', async () => {
    const outcome = await started('/nowhere/tool');
    expect(outcome).toMatchObject({ end: 'not-found', message: '/nowhere/tool is not there' });
    expect(outcome).toMatchObject({ durationMs: 0, stdoutBytes: 0, stderrTail: '', strays: 0 });
  });

  it('is not found when the interpreter that it names is absent', async () => {
    const tool = writeProgram(join(temporaryFolder(), 'tool'), '#!/nowhere/interpreter\n');
    const outcome = await started(tool);
    expect(outcome).toMatchObject({ end: 'not-found' });
    expect('message' in outcome && outcome.message).toContain('interpreter');
  });

  it('is not executable when it is a folder or lacks the right', async () => {
    const folder = temporaryFolder();
    const plain = writeProgram(join(folder, 'plain'), '#!/bin/sh\n', 0o644);
    expect(await started(folder)).toMatchObject({ end: 'not-executable' });
    expect(await started(plain)).toMatchObject({ end: 'not-executable' });
  });

  it('is not executable when its interpreter is not', async () => {
    const folder = temporaryFolder();
    const interpreter = writeProgram(join(folder, 'interpreter'), 'x', 0o644);
    const tool = writeProgram(join(folder, 'tool'), `#!${interpreter}\n`);
    expect(await started(tool)).toMatchObject({ end: 'not-executable' });
  });

  it('fails to start with too many arguments, with a NUL in one, or without a folder', async () => {
    const args = Array.from({ length: 64 }, () => 'x'.repeat(100_000));
    expect(await started('/bin/echo', { args })).toMatchObject({ end: 'start-failed' });
    expect(await started('/bin/echo', { args: ['\0'] })).toMatchObject({ end: 'start-failed' });
    const cwd = join(temporaryFolder(), 'none');
    const files = temporaryFolder();
    const elsewhere = { stdoutFile: join(files, 'out'), stderrFile: join(files, 'err') };
    const outcome = await started('/bin/echo', { cwd, ...elsewhere });
    expect(outcome).toMatchObject({ end: 'start-failed' });
    expect('message' in outcome && outcome.message).toContain('working folder');
  });

  it('is not looked up relative to the current folder', async () => {
    expect(await started('package.json')).toMatchObject({ end: 'start-failed' });
  });

  it('leaves empty output files, not those of an earlier run', async () => {
    const request = shellRequest('', { program: '/nowhere/tool' });
    writeFileSync(request.stdoutFile, '{"pass": true}');
    await runChild(request);
    expect(read(request, 'stdout.log')).toBe('');
  });

  it('is refused when its marker is that of a child that runs now', async () => {
    const env = { [MARKER_VARIABLE]: uniqueMarker() };
    const first = runChild(shellRequest('sleep 0.2', { env }));
    expect(await runChild(shellRequest('true', { env }))).toMatchObject({ end: 'start-failed' });
    expect(await first).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(await runChild(shellRequest('true', { env }))).toMatchObject({ end: 'exited' });
  });
});

describe('stdout', () => {
  const writeMebibytes = (count: number) => `head -c ${count * 1024 * 1024} /dev/zero`;

  it('of exactly the limit is whole', async () => {
    const request = shellRequest(writeMebibytes(1));
    expect(await runChild(request)).toMatchObject({ end: 'exited', stdoutBytes: 1024 * 1024 });
  });

  it('past the limit ends the program, with exactly the limit on disk', async () => {
    const limit = 64 * 1024 * 1024;
    const script = `${writeMebibytes(70)}; touch survived`;
    const request = shellRequest(script, { stdoutLimit: limit });
    const outcome = await runChild(request);
    expect(outcome).toMatchObject({ end: 'output-too-large', limit, stdoutBytes: limit });
    expect(read(request, 'stdout.log')).toHaveLength(limit);
    expect(existsSync(join(request.cwd, 'survived'))).toBe(false);
  });

  it('past the limit is told even when the program exits 0 before it can be ended', async () => {
    const request = shellRequest('printf 12345', { stdoutLimit: 4 });
    expect(await runChild(request)).toMatchObject({ end: 'output-too-large', stdoutBytes: 4 });
    expect(read(request, 'stdout.log')).toBe('1234');
  });

  it('in large amounts does not fill the memory', async () => {
    const request = shellRequest(writeMebibytes(300), {
      stdoutFile: '/dev/null',
      stdoutLimit: 1024 ** 3,
    });
    const before = process.memoryUsage().rss;
    let most = before;
    const sampler = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 10);
    const outcome = await runChild(request);
    clearInterval(sampler);
    expect(outcome).toMatchObject({ end: 'exited', stdoutBytes: 300 * 1024 * 1024 });
    expect(most - before).toBeLessThan(150 * 1024 * 1024);
  });

  it('is kept byte for byte, also half a character', async () => {
    const request = shellRequest("printf 'a\\342\\206'");
    expect(await runChild(request)).toMatchObject({ end: 'exited', stdoutBytes: 3 });
    expect(read(request, 'stdout.log')).toBe('a\ufffd');
  });

  it('that cannot be written ends the program and is told', async () => {
    const request = shellRequest('echo result; sleep 20', { stdoutFile: '/dev/full' });
    const { value, ms } = await timed(() => runChild(request));
    expect(value).toMatchObject({ end: 'not-written', stdoutBytes: 0 });
    expect('message' in value && value.message).toContain('ENOSPC');
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it('that cannot be written is told even when the program exits 0', async () => {
    const request = shellRequest('echo result', { stdoutFile: '/dev/full' });
    expect(await runChild(request)).toMatchObject({ end: 'not-written' });
  });

  it('is not written through a link, nor into a pipe, and the program is not started', async () => {
    const folder = temporaryFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, join(folder, 'link'));
    await runChild(shellRequest('mkfifo pipe', { cwd: folder }));
    for (const name of ['link', 'pipe', 'no/such/folder']) {
      const request = shellRequest('touch started', { stdoutFile: join(folder, name) });
      expect(await runChild(request)).toMatchObject({ end: 'not-written' });
      expect(existsSync(join(request.cwd, 'started'))).toBe(false);
    }
    expect(read(shellRequest('', { cwd: folder }), 'victim')).toBe('precious');
  });
});

describe('stderr', () => {
  it('is given line by line while the program runs', async () => {
    const folder = temporaryFolder();
    const seen: string[] = [];
    // The program goes on only when its first line has come through.
    const script = 'echo one >&2; while [ ! -e seen ]; do sleep 0.02; done; printf two >&2';
    const request = shellRequest(script, {
      cwd: folder,
      timeoutMs: 5000,
      onStderrLine: (line) => {
        seen.push(line);
        if (line === 'one') mkdirSync(join(folder, 'seen'));
      },
    });
    expect(await runChild(request)).toMatchObject({ end: 'exited', exitCode: 0 });
    expect(seen).toEqual(['one', 'two']);
  });

  it('with half a character is given with a replacement, and kept as it came', async () => {
    const seen: string[] = [];
    const request = shellRequest("printf 'a\\303' >&2; sleep 0.1; printf '\\251\\nb\\342' >&2", {
      onStderrLine: (line) => seen.push(line),
    });
    const outcome = await runChild(request);
    expect(seen).toEqual(['aé', 'b\ufffd']);
    expect(outcome.stderrTail).toBe('aé\nb\ufffd');
  });

  it('past its limit ends nothing; the file says how much was dropped, lines and tail go on', async () => {
    let lines = 0;
    const script = 'i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 5';
    const request = shellRequest(script, { stderrLimit: 12, onStderrLine: () => lines++ });
    const outcome = await runChild(request);
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 5 });
    // 10 lines of 7 bytes, 90 of 8, 900 of 9, 1000 of 10; 12 are kept.
    expect(read(request, 'stderr.log')).toBe(
      'line 0\nline \n[signoff-gate: 18878 more bytes were dropped]\n',
    );
    expect(lines).toBe(2000);
    expect(outcome.stderrTail).toHaveLength(4000);
    expect(outcome.stderrTail.endsWith('line 1999\n')).toBe(true);
  });

  it('that cannot be written is told', async () => {
    const request = shellRequest('echo x >&2; sleep 20', { stderrFile: '/dev/full' });
    expect(await runChild(request)).toMatchObject({ end: 'not-written' });
  });

  it('has a handler whose exception comes through when all has been ended', async () => {
    const request = shellRequest('echo $$ > pid; echo x >&2; sleep 20', {
      onStderrLine: () => {
        throw new Error('a bug of the caller');
      },
    });
    const { ms } = await timed(async () => {
      await expect(runChild(request)).rejects.toThrow('a bug of the caller');
    });
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });
});

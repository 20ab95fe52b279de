import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { captureChild } from '../../src/process/capture.ts';
import { SETTLED_WITHIN, temporaryFolder, timed } from './helpers.ts';

function probe(script: string, more: { limit?: number; timeoutMs?: number } = {}) {
  const env = { PATH: process.env.PATH ?? '' };
  const request = { program: '/bin/sh', args: ['-c', script], cwd: '/', env, limit: 1000 };
  return captureChild({ ...request, ...more });
}

describe('a probe', () => {
  it('gives what the program printed', async () => {
    const { outcome, stdout, stderr } = await probe("printf 'v1\\377'; echo note >&2; exit 2");
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 2, stdoutBytes: 3 });
    expect([...stdout]).toEqual([0x76, 0x31, 0xff]);
    expect(stderr).toBe('note\n');
  });

  it('is ended when it prints too much', async () => {
    const { outcome, stdout } = await probe('yes', { limit: 10 });
    expect(outcome).toMatchObject({ end: 'output-too-large', limit: 10 });
    expect(stdout).toHaveLength(10);
  });

  it('is ended at its deadline', async () => {
    const { value, ms } = await timed(() => probe('echo early; sleep 30', { timeoutMs: 200 }));
    expect(value.outcome).toMatchObject({ end: 'timed-out' });
    expect(Buffer.from(value.stdout).toString()).toBe('early\n');
    expect(ms).toBeLessThan(SETTLED_WITHIN);
  });

  it('of a program that is not there is an outcome with no output', async () => {
    const request = { program: '/nowhere/tool', args: [], cwd: '/', env: {}, limit: 10 };
    const { outcome, stdout, stderr } = await captureChild(request);
    expect(outcome).toMatchObject({ end: 'not-found' });
    expect([stdout.length, stderr]).toEqual([0, '']);
  });

  it('leaves nothing in the temporary folder, and is an outcome where there is none', async () => {
    const folder = temporaryFolder();
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      mkdirSync(join(folder, 'other'));
      expect((await probe('echo x')).outcome).toMatchObject({ end: 'exited' });
      expect((await probe('yes', { limit: 1 })).outcome).toMatchObject({ end: 'output-too-large' });
      expect(readdirSync(folder)).toEqual(['other']);
      process.env.TMPDIR = join(folder, 'none');
      expect((await probe('echo x')).outcome).toMatchObject({ end: 'not-written' });
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
});

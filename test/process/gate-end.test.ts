import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChildRequest } from '../../src/process/child.ts';
import { MARKER_VARIABLE } from '../../src/process/environment.ts';
import { endStrays, findStrays } from '../../src/process/strays.ts';
import {
  isAlive,
  onLinux,
  readPid,
  shellRequest,
  temporaryFolder,
  uniqueMarker,
} from './helpers.ts';

/** A gate that runs the child of its argument, and exits or throws when asked to. */
const GATE = `
import { runChild } from ${JSON.stringify(resolve('src/process/run-child.ts'))};
const { request, onReady } = JSON.parse(process.argv[2]);
let lines = 0;
void runChild({ ...request, onStderrLine: () => {
  if (++lines < 2) return;
  if (onReady === 'exit') process.exit(70);
  if (onReady === 'throw') setImmediate(() => { throw new Error('a bug'); });
  console.log('ready');
} });
`;

/** Looks for the strays of its own marker. */
const LOOKER = `
import { findStrays } from ${JSON.stringify(resolve('src/process/strays.ts'))};
console.log(JSON.stringify(findStrays(process.env.${MARKER_VARIABLE})));
`;

function bundled(contents: string): string {
  const built = buildSync({
    stdin: { contents, loader: 'ts', resolveDir: resolve('.') },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  });
  return built.outputFiles[0]?.text ?? '';
}

const gate = bundled(GATE);

function startNode(job: { request: ChildRequest; onReady: 'wait' | 'exit' | 'throw' }) {
  const child = spawn(process.execPath, ['-', JSON.stringify(job)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(gate);
  return child;
}

/** Starts a gate whose engine has a child in another session; resolves when both run. */
async function startGate(onReady: 'wait' | 'exit' | 'throw') {
  const cwd = temporaryFolder();
  const marker = uniqueMarker();
  const script = `echo $$ > engine; setsid sh -c 'echo $$ > stray; echo >&2; exec sleep 30' &
    echo >&2; wait`;
  const env = { PATH: process.env.PATH ?? '', [MARKER_VARIABLE]: marker };
  const request = shellRequest(script, { cwd, env });
  const child = startNode({ request, onReady });
  onTestFinished(async () => void (await endStrays(marker, 1000)));
  const exited = once(child, 'exit');
  const ready = once(child.stdout, 'data');
  await Promise.race([exited, ready]);
  return { child, exited, marker, engine: () => readPid(request, 'engine'), request };
}

async function untilDead(pid: number): Promise<boolean> {
  for (let looks = 0; looks < 500 && isAlive(pid); looks++) await sleep(10);
  return !isAlive(pid);
}

it('a gate whose child has ended is not kept from ending by it', async () => {
  const request = shellRequest('sleep 30 & true', { timeoutMs: 600_000 });
  const child = startNode({ request, onReady: 'wait' });
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
});

describe.runIf(onLinux)('a gate that ends before its engine', () => {
  it.each(['exit', 'throw'] as const)(
    'by an %s of its own takes the engine along',
    async (onReady) => {
      const { exited, engine, request } = await startGate(onReady);
      const [exitCode] = await exited;
      expect(exitCode).toBe(onReady === 'exit' ? 70 : 1);
      expect(await untilDead(engine())).toBe(true);
      expect(await untilDead(readPid(request, 'stray'))).toBe(true);
    },
  );

  it('by SIGKILL leaves the engine for the next gate to find by its marker', async () => {
    const { child, exited, marker, engine, request } = await startGate('wait');
    child.kill('SIGKILL');
    await exited;
    const left = [engine(), readPid(request, 'stray')];
    expect(left.every(isAlive)).toBe(true);
    expect(findStrays(marker).sort()).toEqual(left.sort());
    expect(await endStrays(marker, 10_000)).toMatchObject({ complete: true });
    expect(left.some(isAlive)).toBe(false);
  });

  it('never takes itself for a stray, though it carries the marker', () => {
    const env = { [MARKER_VARIABLE]: uniqueMarker() };
    const found = execFileSync(process.execPath, ['-'], { env, input: bundled(LOOKER) });
    expect(found.toString()).toBe('[]\n');
  });
});

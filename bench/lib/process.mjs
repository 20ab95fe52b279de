/** Whole processes: how long they take, and how much memory. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const peakMemory = fileURLToPath(new URL('peak-memory.cjs', import.meta.url));

/** The command line as it is shipped. */
export function gate(...args) {
  return node(`${root}dist/cli.mjs`, ...args);
}

export function node(...args) {
  return { program: process.execPath, args };
}

/** Milliseconds of a whole process, from its start to its end. */
export function measure({ program, args, cwd }) {
  const start = performance.now();
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'ignore' });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${error?.code ?? `exit ${status}`}`);
  return milliseconds;
}

/** The most memory that a process of Node held at any moment, in megabytes of 1024 * 1024 bytes. */
export function peakMegabytes({ program, args, cwd }) {
  const stdio = ['ignore', 'ignore', 'inherit', 'pipe'];
  const { status, output } = spawnSync(program, ['--require', peakMemory, ...args], { cwd, stdio });
  const kilobytes = Number(output?.[3]?.toString());
  if (status !== 0 || !(kilobytes > 0)) throw new Error(`no peak of memory: exit ${status}`);
  return kilobytes / 1024;
}

/** The answer of a command that prints JSON. */
export function answerOf({ program, args, cwd }) {
  const { status, stdout } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`it exits ${status}: ${stdout}`);
  return JSON.parse(stdout);
}

/**
 * Benchmarks, run by hand: each command as a whole process against a peer, in turn, so that a
 * machine that speeds up or slows down does so to both. Ratios are what counts.
 *
 *   node bench/run.mjs [--pairs N]
 *
 * `status` on the example, which must be up to date (`npm run demo` leaves it so in .demo/fifo),
 * against a bare `node -e 0`. The bound is 2.2.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { pairs: { type: 'string', default: '25' } } });
const pairs = Number(values.pairs);

const benchmarks = [
  {
    name: 'status on the example',
    needs: `${root}.demo/fifo/events.jsonl`,
    ours: [`${root}dist/cli.mjs`, 'status', '--json', '--workspace', `${root}.demo/fifo`],
    peer: ['-e', '0'],
    bound: 2.2,
  },
];

for (const benchmark of benchmarks) {
  if (!existsSync(benchmark.needs)) {
    console.error(`${benchmark.name}: run \`npm run demo\` first`);
    process.exitCode = 1;
    continue;
  }
  measure(benchmark.ours);
  const ratios = [];
  const times = [];
  for (let pair = 0; pair < pairs; pair++) {
    const ours = measure(benchmark.ours);
    const peer = measure(benchmark.peer);
    ratios.push(ours / peer);
    times.push([ours, peer]);
  }
  const least = (column) => Math.min(...times.map((time) => time[column]));
  console.log(
    `${benchmark.name}: ${pairs} pairs, ratio median ${median(ratios).toFixed(2)}, ` +
      `of the fastest ${(least(0) / least(1)).toFixed(2)} (${least(0).toFixed(0)} ms / ${least(1).toFixed(0)} ms), ` +
      `bound ${benchmark.bound}`,
  );
}

/** Milliseconds of a whole process, from its start to its end. */
function measure(args) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`exit ${status}: ${args.join(' ')}`);
  return performance.now() - start;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Benchmarks, run by hand: each command as a whole process against a peer, in turn, so that a
 * machine that speeds up or slows down does so to both. Ratios are what counts.
 *
 *   node bench/run.mjs [--pairs N] [NAME...]
 *
 * Exit code: 0 if every bound holds, 1 if one does not or a benchmark cannot be run, 2 for a
 * mistake in the call.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { adapters } from './benchmarks/adapters.mjs';
import { example } from './benchmarks/example.mjs';
import { longLog } from './benchmarks/long-log.mjs';
import { manyInputs } from './benchmarks/many-inputs.mjs';
import { compare } from './lib/compare.mjs';

const benchmarks = [example, longLog, manyInputs, adapters];

const { pairs, chosen } = options();
for (const benchmark of chosen) {
  const folder = temporaryFolder();
  try {
    const { text, isHeld } = compare(benchmark, benchmark.prepare(folder), pairs);
    console.log(text);
    if (!isHeld) process.exitCode = 1;
  } catch (cause) {
    console.error(`${benchmark.name}: ${cause.message}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function options() {
  try {
    const { values, positionals } = parseArgs({
      options: { pairs: { type: 'string', default: '25' } },
      allowPositionals: true,
    });
    const pairs = Number(values.pairs);
    if (!Number.isInteger(pairs) || pairs < 1) throw new Error('--pairs must be a number from 1');
    const names = benchmarks.map(({ name }) => name);
    const unknown = positionals.find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw new Error(`there is no benchmark ${unknown}, only ${names.join(', ')}`);
    }
    const isChosen = ({ name }) => positionals.length === 0 || positionals.includes(name);
    return { pairs, chosen: benchmarks.filter(isChosen) };
  } catch (cause) {
    console.error(cause.message);
    process.exit(2);
  }
}

/** Gone at the end, also when the benchmark is interrupted. */
function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'signoff-gate-bench-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  return folder;
}

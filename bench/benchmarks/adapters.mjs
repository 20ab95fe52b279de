/**
 * What the gate costs over the tools that it runs: stages of a design, each run anew, against the
 * same commands bare. Both bring the process start of the gate, its log and its lock with them.
 */
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gate } from '../lib/process.mjs';

const design = fileURLToPath(new URL('../../examples/fifo-uart', import.meta.url));

/** As many stages as the whole example has, of the two kinds that are done soonest. */
const EACH = [1, 2, 3];
const FLOW = `stages:
${EACH.map(
  (n) => `  lint-${n}:
    uses: verilator-lint
    with: { top: fifo_uart, files: [rtl/*.v] }
    inputs: [rtl/*.v]
  simulation-${n}:
    uses: iverilog-sim
    with: { top: fifo_uart_tb, files: [tb/*.v, rtl/*.v] }
    inputs: [tb/*.v, rtl/*.v]`,
).join('\n')}
`;

const BARE = `set -e
for n in ${EACH.join(' ')}; do
out=$(mktemp -d)
lint="-Wall -Wno-fatal --top-module fifo_uart --Mdir $out/obj rtl/*.v"
verilator --lint-only $lint
verilator --xml-only --xml-output $out/elaborated.xml $lint
iverilog -g2012 -Wall -s fifo_uart_tb -o $out/sim.vvp tb/*.v rtl/*.v
vvp -N $out/sim.vvp +signoff_nonce=0
rm -r $out
done`;

export const adapters = {
  name: 'adapters',
  title: 'six stages over Verilator and Icarus',
  bounds: { overhead: { milliseconds: 150, of: 2 * EACH.length, what: 'stage' } },
  prepare(folder) {
    for (const part of ['rtl', 'tb']) {
      cpSync(path.join(design, part), path.join(folder, part), { recursive: true });
    }
    writeFileSync(path.join(folder, 'signoff.yaml'), FLOW);
    const options = ['--cache', 'off', '--concurrency', '1', '--workspace', folder];
    return {
      ours: gate(
        'run',
        '--rerun',
        ...options,
        ...EACH.flatMap((n) => [`lint-${n}`, `simulation-${n}`]),
      ),
      peer: { program: 'sh', args: ['-c', BARE], cwd: folder },
    };
  },
};

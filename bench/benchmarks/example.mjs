/** The start of the command line: `status` on the example against a Node that does nothing. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gate, node } from '../lib/process.mjs';

const workspace = fileURLToPath(new URL('../../.demo/fifo', import.meta.url));

export const example = {
  name: 'example',
  title: 'status on the example',
  bounds: { ratio: 2.2 },
  prepare() {
    // The demo leaves it up to date.
    if (!existsSync(`${workspace}/events.jsonl`)) throw new Error('run `npm run demo` first');
    return { ours: gate('status', '--json', '--workspace', workspace), peer: node('-e', '0') };
  },
};

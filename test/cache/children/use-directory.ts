/**
 * Makes one call of a directory cache: `save|restore FOLDER RUN-KEY PATH`, and prints its answer;
 * or `discard PATH`. With DIE_BEFORE in its environment it kills itself when it comes to that
 * function of node:fs.
 */
import fs from 'node:fs';
import { directoryCache } from '../../../src/cache/directory-cache.ts';
import { discard } from '../../../src/cache/folders.ts';
import type { Fingerprint } from '../../../src/values/brands.ts';

const [action = '', folder = '', runKey = '', path = ''] = process.argv.slice(2);

const last = process.env['DIE_BEFORE'];
if (last !== undefined) {
  Object.assign(fs, {
    [last]: () => {
      process.kill(process.pid, 'SIGKILL');
    },
  });
}

async function call(): Promise<unknown> {
  if (action === 'discard') {
    discard(folder);
    return { left: fs.existsSync(folder) };
  }
  const cache = directoryCache(folder);
  const key = { stage: 'synth', runKey: runKey as Fingerprint };
  const { signal } = new AbortController();
  return action === 'save' ? cache.save(key, path, signal) : cache.restore(key, path, signal);
}

void call().then((answer) => fs.writeSync(1, `${JSON.stringify(answer)}\n`));

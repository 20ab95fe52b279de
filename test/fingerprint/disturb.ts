import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { makeFolder } from './folder.ts';

/** Long enough to be read that something else happens meanwhile; takes no space on disk. */
export function putBigFile(file: string): void {
  writeFileSync(file, '');
  truncateSync(file, 64 * 1024 * 1024);
}

/**
 * Does something again and again, every millisecond, in another thread, until the test ends.
 *
 * @param action JavaScript that may use `fs`, `path` and `n`, which counts up
 * @param path what `path` is in it
 */
export function disturb(path: string, action: string): void {
  const started = join(makeFolder(), 'started');
  const code = `
    const fs = require('node:fs');
    const path = ${JSON.stringify(path)};
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let n = 0; ; n++) {
      ${action};
      if (n === 0) fs.writeFileSync(${JSON.stringify(started)}, '');
      Atomics.wait(pause, 0, 0, 1);
    }`;
  const worker = new Worker(code, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(started)) Atomics.wait(pause, 0, 0, 5);
}

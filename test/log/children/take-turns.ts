/**
 * Takes the lock of the workspace argv[2] argv[3] times and, while it holds it, makes and removes
 * a file that must not be there yet. Prints how often it was.
 */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../../src/log/lock.ts';
import { say } from './say.ts';

const [root = '', turns = '0'] = process.argv.slice(2);
const marker = join(root, 'somebody-is-in');
let taken = 0;
let overlaps = 0;
for (let turn = 0; turn < Number(turns); turn++) {
  const lock = await acquireLock(root, { waitMs: 20_000 });
  if (!lock.ok) break;
  taken++;
  try {
    closeSync(openSync(marker, 'wx'));
    await sleep(5);
    rmSync(marker);
  } catch {
    overlaps++;
  }
  lock.value.release();
}
say({ taken, overlaps });

/**
 * Takes the lock of the workspace argv[2], waiting argv[3] milliseconds, and holds it until
 * stdin ends. Prints what happens as JSON lines.
 */
import { acquireLock } from '../../../src/log/lock.ts';
import { say } from './say.ts';

const [root = '', waitMs = '0'] = process.argv.slice(2);
const lock = await acquireLock(root, {
  waitMs: Number(waitMs),
  command: 'signoff-gate run',
  onWaiting: (holder) => say({ waiting: holder }),
});
if (lock.ok) {
  say({ held: process.pid });
  for await (const _ of process.stdin);
  lock.value.release();
  say({ released: process.pid });
} else {
  say({ code: lock.error.code, message: lock.error.message });
}

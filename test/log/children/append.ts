/**
 * Appends events to the log of the workspace argv[2], at most argv[3], until one is refused.
 * Prints the number of each when it is on the disk, then why the last was refused, and then
 * whether one more is refused in the same way.
 */
import { openLogWriter } from '../../../src/log/append.ts';
import { acquireLock } from '../../../src/log/lock.ts';
import { say } from './say.ts';

const [root = '', most = '0'] = process.argv.slice(2);
const lock = await acquireLock(root, { waitMs: 0 });
const writer = lock.ok ? openLogWriter(root, lock.value) : lock;
if (writer.ok) {
  let refusals = 0;
  for (let number = 1; number <= Number(most) && refusals < 2; number++) {
    const appended = writer.value.append({ type: 'note', number, text: 'x'.repeat(300) });
    if (appended.ok) say({ appended: number });
    else {
      refusals++;
      say({ code: appended.error.code, message: appended.error.message });
    }
  }
} else {
  say({ code: writer.error.code, message: writer.error.message });
}

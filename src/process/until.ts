import { setTimeout as sleep } from 'node:timers/promises';

/** Looks at the condition at least this often, so that one long pause of ours is not taken for time given. */
const LEAST_LOOKS = 4;
const LONGEST_PAUSE_MS = 10;

/** Waits until a condition holds, `withinMs` milliseconds at most; answers whether it came to hold. */
export async function until(condition: () => boolean, withinMs: number): Promise<boolean> {
  const start = performance.now();
  for (let looks = 0; !condition(); looks++) {
    if (looks >= LEAST_LOOKS && performance.now() - start >= withinMs) return false;
    await sleep(Math.min(2 ** looks, LONGEST_PAUSE_MS));
  }
  return true;
}

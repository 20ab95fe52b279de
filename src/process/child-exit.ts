import type { ChildEnd, ChildRequest } from './child.ts';
import { signalGroup } from './process-group.ts';
import type { StartedChild } from './start-child.ts';

/** The longest delay that a timer takes; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** From the request to end (SIGTERM) to the kill: enough to remove a lock or hand back a licence. */
const ASKED_TO_END_MS = 400;
/** After this a killed program counts as one that the system itself cannot end. */
const KILLED_MS = 700;

/** How and when the program itself ended, and all that was against it until then. */
export interface ChildExit {
  readonly ends: readonly ChildEnd[];
  /** Whole milliseconds from the start to the exit. */
  readonly durationMs: number;
}

/**
 * Waits for the program to exit, and ends its process group at the deadline or at the abort: first
 * asked to, then killed. Settles within 1.1 s of either, even when the program cannot be killed
 * (`not-ended`). All timers are cleared then, so that no late signal reaches a reused process id.
 *
 * `kill` ends the group at once, for reasons that the caller keeps; after the exit it does nothing.
 */
export function awaitExit(
  child: StartedChild,
  bounds: Pick<ChildRequest, 'timeoutMs' | 'signal'>,
): { readonly exit: Promise<ChildExit>; readonly kill: () => void } {
  const ends: ChildEnd[] = [];
  const timers: NodeJS.Timeout[] = [];
  let state: 'running' | 'asked' | 'killed' | 'settled' = 'running';
  let resolve: (exit: ChildExit) => void;
  const exit = new Promise<ChildExit>((settled) => {
    resolve = settled;
  });

  const settle = (end: ChildEnd): void => {
    state = 'settled';
    for (const timer of timers) clearTimeout(timer);
    bounds.signal?.removeEventListener('abort', interrupt);
    ends.push(end);
    resolve({ ends, durationMs: Math.round(performance.now() - child.startedAt) });
  };

  const kill = (): void => {
    if (state === 'killed' || state === 'settled') return;
    state = 'killed';
    signalGroup(child.pid, 'SIGKILL');
    const message = `process ${child.pid} is still there after it was killed`;
    timers.push(setTimeout(() => settle({ end: 'not-ended', message }), KILLED_MS));
  };

  const ask = (why: ChildEnd): void => {
    ends.push(why);
    if (state !== 'running') return;
    state = 'asked';
    signalGroup(child.pid, 'SIGTERM');
    timers.push(setTimeout(kill, ASKED_TO_END_MS));
  };

  const interrupt = (): void => ask({ end: 'interrupted' });

  child.events.once('exit', (exitCode, signal) => {
    if (state === 'settled') return;
    if (exitCode !== null) settle({ end: 'exited', exitCode });
    else settle({ end: 'signalled', signal: signal ?? 'unknown' });
  });
  // A deadline that is no number is over at once, rather than never.
  const delay = bounds.timeoutMs > 0 ? Math.min(bounds.timeoutMs, LONGEST_DELAY_MS) : 0;
  timers.push(setTimeout(() => ask({ end: 'timed-out' }), delay));
  if (bounds.signal?.aborted) interrupt();
  else bounds.signal?.addEventListener('abort', interrupt);

  return { exit, kill };
}

import { isGroupGone, signalGroup } from './process-group.ts';
import { endStrays } from './strays.ts';
import { until } from './until.ts';

// With the waits of `awaitExit` (1.1 s) these add up to 2.75 s after a deadline; 3 s are promised.

/** For the last words of, say, a `tee` that the program did not wait for. */
const LET_GROUP_FINISH_MS = 250;
const KILLED_MS = 300;
const END_STRAYS_MS = 600;
const LET_GO_OF_PIPES_MS = 500;
/** How much longer the waits are when no deadline has passed: time for a busy machine. */
const PATIENCE = 5;

/**
 * Ends all that a program left behind when it exited: its process group, then the strays that
 * carry its marker, then waits for its pipes to be let go. Takes 1.65 s at most when `pressed` (the
 * deadline has passed), else 7.25 s.
 *
 * `strays` counts the processes that were ended outside the group; `left` says in words what may
 * still be alive, and is `undefined` when nothing is.
 */
export async function endRemains(
  leader: number,
  marker: string,
  arePipesClosed: () => boolean,
  pressed: boolean,
): Promise<{ readonly strays: number; readonly left: string | undefined }> {
  const patience = pressed ? 1 : PATIENCE;
  if (!(await until(() => isGroupGone(leader), LET_GROUP_FINISH_MS))) {
    signalGroup(leader, 'SIGKILL');
  }
  const groupGone = await until(() => isGroupGone(leader), KILLED_MS * patience);
  const strays = await endStrays(marker, END_STRAYS_MS * patience);
  const letGo = await until(arePipesClosed, LET_GO_OF_PIPES_MS * patience);

  const left = [
    ...(groupGone ? [] : ['processes of its group are still there after they were killed']),
    ...(strays.complete ? [] : ['processes that it started outside its group may still be there']),
    ...(letGo ? [] : ['a process that was not found holds its output']),
  ];
  return { strays: strays.ended, left: left.length === 0 ? undefined : left.join('; ') };
}

import { signalGroup } from './process-group.ts';
import { killStraysNow } from './strays.ts';

/** The markers in use, each with the leader of its process group once that runs. */
const live = new Map<string, number | undefined>();

/** A child's hold on its marker. */
export interface LiveChild {
  /** From now on the child is ended when the gate exits before it, whatever makes it exit. */
  readonly started: (leader: number) => void;
  readonly ended: () => void;
}

/**
 * Claims a marker for a child that is to be started; `undefined` when another child has it, since
 * the end of either would end both. A child in a process group of its own does not die with its
 * parent, so the gate ends those that are left when it exits.
 */
export function claimMarker(marker: string): LiveChild | undefined {
  if (live.has(marker)) return undefined;
  if (live.size === 0) process.on('exit', endAll);
  live.set(marker, undefined);
  return {
    started: (leader) => live.set(marker, leader),
    ended: () => {
      live.delete(marker);
      if (live.size === 0) process.off('exit', endAll);
    },
  };
}

function endAll(): void {
  for (const [marker, leader] of live) {
    if (leader === undefined) continue;
    signalGroup(leader, 'SIGKILL');
    killStraysNow(marker);
  }
}

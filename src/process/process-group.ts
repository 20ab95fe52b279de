import { readdirSync, readFileSync } from 'node:fs';

/**
 * Sends a signal to every member of a process group. A group that is gone, or that belongs to
 * another user, is no error here: {@link isGroupGone} tells what became of it.
 */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  // kill(-1) and kill(-0) would reach every process, or our own group.
  if (leader <= 1) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // ESRCH or EPERM.
  }
}

/** Whether no process of the group runs any more; dead ones that nobody has reaped do not count. */
export function isGroupGone(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'ESRCH';
  }
  // In a container whose first process does not reap, the dead stay for ever.
  return process.platform === 'linux' && hasOnlyDeadMembers(leader);
}

function hasOnlyDeadMembers(leader: number): boolean {
  try {
    return !readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && livesIn(leader, entry));
  } catch {
    return false;
  }
}

function livesIn(leader: number, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; after the last one: state, parent, group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === String(leader) && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MARKER_VARIABLE } from './environment.ts';

/** A killed process takes a moment to be gone. */
const PAUSE_AFTER_KILL_MS = 5;
/** Looks in a row that find nothing, enough where processes come and go too fast to see them all. */
const QUIET_LOOKS = 60;

/**
 * The processes that carry a marker in the environment that they were started with: what a gate
 * that was killed left behind. Needs Linux; elsewhere no process can be found this way (macOS shows
 * other processes' environments only to privileged tools) and the answer is empty. A process that
 * clears its environment, or hides it from its own user, is not found.
 */
export function findStrays(marker: string): number[] {
  const found = new Set<number>();
  const look = lookFor(marker);
  for (let looks = 0; looks < QUIET_LOOKS; looks++) {
    if (look((pid) => found.add(pid)) === 'all') break;
  }
  return [...found];
}

/**
 * Kills every process that carries the marker, and those that they start meanwhile, until there is
 * none. Gives up when there still is one after `withinMs` milliseconds: strays that multiply faster
 * than they can be killed must not hold up the gate.
 *
 * `ended` counts the processes killed; `complete` is false when some may be left.
 */
export async function endStrays(
  marker: string,
  withinMs: number,
): Promise<{ readonly ended: number; readonly complete: boolean }> {
  const start = performance.now();
  const ended = new Set<number>();
  const look = lookFor(marker);
  for (let quiet = 0; ; ) {
    const held: number[] = [];
    // Held first and killed then: a shell whose command is killed before it would go on to the next.
    const seen = look((pid) => {
      if (send(pid, 'SIGSTOP')) held.push(pid);
    });
    for (const pid of held) if (send(pid, 'SIGKILL')) ended.add(pid);
    const found = held.length;
    quiet = found === 0 ? quiet + 1 : 0;
    if (found === 0 && seen === 'all') return { ended: ended.size, complete: true };
    if (quiet >= QUIET_LOOKS) return { ended: ended.size, complete: seen !== 'blind' };
    // Only what was found can be left: looks that find nothing may take longer on a busy machine.
    if (found > 0 && performance.now() - start >= withinMs) {
      return { ended: ended.size, complete: false };
    }
    await sleep(found === 0 ? 0 : PAUSE_AFTER_KILL_MS);
  }
}

/**
 * Kills what carries the marker without waiting for anything: for the moment in which the gate
 * itself exits.
 */
export function killStraysNow(marker: string): void {
  for (const pid of findStrays(marker)) send(pid, 'SIGKILL');
}

/**
 * Looks at all processes, again and again; only what no earlier look has settled is read anew.
 * Newest first, and each is handed over as it is found: a chain of processes that start one another
 * and exit can be caught only at its newest link.
 *
 * A look answers `some` when a process may have been missed, because it ended or was just starting
 * a program, and `blind` when processes could not be listed or read for a reason of this machine's
 * (too many open files, no /proc).
 */
function lookFor(marker: string): (onFound: (pid: number) => void) => 'all' | 'some' | 'blind' {
  if (marker === '' || process.platform !== 'linux') return () => 'all';
  const wanted = Buffer.from(`\0${MARKER_VARIABLE}=${marker}\0`);
  const others = new Set([process.pid]);
  const blank = new Set<number>();

  return (onFound) => {
    const pids = listProcesses();
    if (pids === undefined) return 'blind';
    let seen: 'all' | 'some' | 'blind' = 'all';
    for (const pid of pids) {
      if (others.has(pid)) continue;
      const environment = environmentOf(pid);
      if (environment === 'unreadable') {
        seen = 'blind';
      } else if (environment === 'none') {
        // Twice without: a thread of the kernel, or dead. Once: perhaps between two programs.
        if (blank.has(pid)) others.add(pid);
        else if (seen === 'all') seen = 'some';
        blank.add(pid);
      } else if (environment.includes(wanted)) {
        onFound(pid);
      } else {
        others.add(pid);
      }
    }
    return seen;
  };
}

/** The ids of all processes, newest first as long as the ids do not start anew. */
function listProcesses(): number[] | undefined {
  try {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return names.map(Number).sort((a, b) => b - a);
  } catch {
    return undefined;
  }
}

/** The environment with a NUL at both ends, so that each entry stands between two. */
function environmentOf(pid: number): Buffer | 'none' | 'unreadable' {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    return environment.length === 0 ? 'none' : Buffer.concat([NUL, environment, NUL]);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH') return 'none';
    // Another user's process: it may be ours to find, but is not ours to read or to end.
    return code === 'EACCES' || code === 'EPERM' ? NUL : 'unreadable';
  }
}

const NUL = Buffer.alloc(1);

function send(pid: number, signal: 'SIGSTOP' | 'SIGKILL'): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

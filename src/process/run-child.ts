import type { ChildEnd, ChildOutcome, ChildRequest } from './child.ts';
import { awaitExit } from './child-exit.ts';
import { type ChildOutput, openChildOutput } from './child-output.ts';
import { endRemains } from './end-remains.ts';
import { MARKER_VARIABLE } from './environment.ts';
import { claimMarker, type LiveChild } from './live-children.ts';
import { type StartedChild, startChild } from './start-child.ts';

/**
 * Runs one program to its end and the end of all that it started, and keeps its output in two
 * files. Implements spec/10 §6 and design §3 ("Engines get…").
 *
 * The promise resolves when the process group is gone, the pipes are let go and strays are ended,
 * so that files the program wrote can be hashed then; where that cannot be had, the outcome is
 * `not-ended`. It settles within 3 s of the deadline or the abort, and within 8 s of an exit before
 * either. If several ends apply, the outcome is the one that makes the evidence weakest. It rejects
 * only when `onStderrLine` threw, after everything has been ended.
 *
 * On Linux strays that left the group are found by their marker. Elsewhere they are not looked
 * for, and one is noticed only if it holds a pipe (then the outcome is `not-ended`).
 */
export async function runChild(request: ChildRequest): Promise<ChildOutcome> {
  const given = request.env[MARKER_VARIABLE];
  const marker = given ? given : crypto.randomUUID();
  const live = claimMarker(marker);
  if (!live) {
    return neverRan({ end: 'start-failed', message: `the marker ${marker} is another child's` });
  }
  try {
    return await runMarked(request, marker, live);
  } finally {
    live.ended();
  }
}

async function runMarked(
  request: ChildRequest,
  marker: string,
  live: LiveChild,
): Promise<ChildOutcome> {
  const output = openChildOutput(request);
  if (!output.ok) return neverRan({ end: 'not-written', message: output.error });
  if (request.signal?.aborted) {
    output.value.close();
    return neverRan({ end: 'interrupted' });
  }

  const env = { ...request.env, [MARKER_VARIABLE]: marker };
  const start = await startChild({ ...request, env });
  if ('refused' in start) {
    output.value.close();
    return neverRan(start.refused);
  }
  live.started(start.child.pid);
  return await watchChild(request, marker, start.child, output.value);
}

async function watchChild(
  request: ChildRequest,
  marker: string,
  child: StartedChild,
  output: ChildOutput,
): Promise<ChildOutcome> {
  const { exit, kill } = awaitExit(child, request);
  output.follow(child.stdout, child.stderr, kill);

  const { ends, durationMs } = await exit;
  const pressed = ends.some(({ end }) => end === 'timed-out' || end === 'interrupted');
  const { strays, left } = await endRemains(child.pid, marker, output.isComplete, pressed);
  output.close();
  // What cannot be ended must not keep the gate from exiting.
  if (left !== undefined) child.events.unref();

  const fault = output.fault();
  if (fault) throw fault.cause;

  const against: (ChildEnd | undefined)[] = [
    left === undefined ? undefined : { end: 'not-ended', message: left },
    output.trouble(),
    request.signal?.aborted ? { end: 'interrupted' } : undefined,
  ];
  return {
    ...weakest([...ends, ...against.filter((end) => end !== undefined)]),
    durationMs,
    stdoutBytes: output.stdoutBytes(),
    stderrTail: output.stderrTail(),
    strays,
  };
}

/** From the end that leaves the least to rely on to the only one that counts as evidence. */
const WEAKEST_FIRST = [
  'not-ended',
  'not-written',
  'interrupted',
  'timed-out',
  'output-too-large',
  'start-failed',
  'not-executable',
  'not-found',
  'signalled',
  'exited',
] as const satisfies readonly ChildEnd['end'][];

function weakest(ends: readonly ChildEnd[]): ChildEnd {
  for (const kind of WEAKEST_FIRST) {
    const end = ends.find((candidate) => candidate.end === kind);
    if (end) return end;
  }
  return { end: 'not-ended', message: 'nothing was seen of its end' };
}

function neverRan(end: ChildEnd): ChildOutcome {
  return { ...end, durationMs: 0, stdoutBytes: 0, stderrTail: '', strays: 0 };
}

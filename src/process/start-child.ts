import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import type { ChildEnd, ChildRequest } from './child.ts';
import { isExecutableFile } from './find-program.ts';

export interface StartedChild {
  readonly pid: number;
  /** When it was started, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly events: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/**
 * Starts a program as the leader of a new session and process group, with no stdin and nothing
 * inherited. Answers the running child, or why there is none.
 *
 * What comes back must be listened to before the next turn of the event loop.
 */
export async function startChild(
  request: Pick<ChildRequest, 'program' | 'args' | 'cwd' | 'env'>,
): Promise<{ readonly child: StartedChild } | { readonly refused: ChildEnd }> {
  const refused = obstacle(request);
  if (refused) return { refused };

  // Loaded here only: it costs more start-up time than all of `status` (spec/10 §7).
  const { execa } = await import('execa');
  const startedAt = performance.now();
  try {
    const child = execa(request.program, request.args, {
      cwd: request.cwd,
      env: request.env,
      extendEnv: false,
      preferLocal: false,
      shell: false,
      detached: true,
      cleanup: false,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      reject: false,
      verbose: 'none',
    });
    if (child.pid !== undefined) {
      // A promise of execa's own settles late or never (spec/10 §6): the events are what counts.
      child.catch(() => undefined);
      const { pid, stdout, stderr } = child;
      return { child: { pid, startedAt, events: child, stdout, stderr } };
    }
    const { cause } = await child;
    return { refused: startFailure(request.program, cause) };
  } catch (cause) {
    return { refused: startFailure(request.program, cause) };
  }
}

/** What would make the start fail in a way that the system's own error does not tell apart. */
function obstacle({ program, cwd }: Pick<ChildRequest, 'program' | 'cwd'>): ChildEnd | undefined {
  if (!isAbsolute(program)) {
    return { end: 'start-failed', message: `${program} is not an absolute path` };
  }
  switch (isExecutableFile(program)) {
    case 'absent':
      return { end: 'not-found', message: `${program} is not there` };
    case 'not-executable':
      return { end: 'not-executable', message: `${program} is not an executable file` };
    case 'yes':
      break;
  }
  if (isFolder(cwd)) return undefined;
  return { end: 'start-failed', message: `the working folder ${cwd} is not there` };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function startFailure(program: string, cause: unknown): ChildEnd {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') {
    return {
      end: 'not-found',
      message: `${program} cannot be started: the interpreter or loader that it names is not there`,
    };
  }
  if (code === 'EACCES') {
    return { end: 'not-executable', message: `${program} may not be executed (EACCES)` };
  }
  const reason = typeof code === 'string' ? code : 'for an unknown reason';
  return { end: 'start-failed', message: `${program} cannot be started (${reason})` };
}

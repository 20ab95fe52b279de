import type { Readable } from 'node:stream';
import { err, ok, type Result } from '../values/result.ts';
import type { ChildEnd, ChildRequest } from './child.ts';
import { lineSplitter } from './lines.ts';
import { type OutputFile, openOutputFile } from './output-file.ts';
import { textTail } from './tail.ts';

const TAIL_CHARACTERS = 4000;

/** The two output files of a child, and what is watched for while they fill. */
export interface ChildOutput {
  /**
   * Keeps what the pipes bring from now on. `onTrouble` is called as soon as the output can no
   * longer be kept whole, and again with each chunk after that.
   */
  readonly follow: (stdout: Readable, stderr: Readable, onTrouble: () => void) => void;
  /** Whether both pipes have ended: no process holds them any more. */
  readonly isComplete: () => boolean;
  /** Lets go of pipes that something still holds, and closes the files. */
  readonly close: () => void;
  /** Why the output is not whole. */
  readonly trouble: () => ChildEnd | undefined;
  /** What the caller's own line handler threw: a bug, not an outcome. */
  readonly fault: () => { readonly cause: unknown } | undefined;
  readonly stdoutBytes: () => number;
  readonly stderrTail: () => string;
}

/** Opens both files, empty; the error says in words which cannot be opened and why. */
export function openChildOutput(request: ChildRequest): Result<ChildOutput, string> {
  const stdoutFile = openOutputFile(request.stdoutFile, request.stdoutLimit);
  if (!stdoutFile.ok) return stdoutFile;
  const stderrFile = openOutputFile(request.stderrFile, request.stderrLimit);
  if (!stderrFile.ok) {
    stdoutFile.value.close();
    return err(stderrFile.error);
  }
  return ok(childOutput(request, stdoutFile.value, stderrFile.value));
}

function childOutput(request: ChildRequest, out: OutputFile, errors: OutputFile): ChildOutput {
  const { onStderrLine } = request;
  const tail = textTail(TAIL_CHARACTERS);
  const lines = onStderrLine && lineSplitter(onStderrLine);
  const pipes: Readable[] = [];
  let ended = 0;
  let readFailure: string | undefined;
  let fault: { readonly cause: unknown } | undefined;

  const guarded = (action: () => void): void => {
    if (fault) return;
    try {
      action();
    } catch (cause) {
      fault = { cause };
    }
  };

  const trouble = (): ChildEnd | undefined => {
    const message = out.failure() ?? errors.failure() ?? readFailure;
    if (message !== undefined) return { end: 'not-written', message };
    if (out.dropped() === 0) return undefined;
    return { end: 'output-too-large', limit: request.stdoutLimit };
  };

  const listen = (
    pipe: Readable,
    name: string,
    onChunk: (chunk: Uint8Array) => void,
    onTrouble: () => void,
  ): void => {
    const reportTrouble = (): void => {
      if (trouble() || fault) onTrouble();
    };
    pipes.push(pipe);
    pipe.on('data', (chunk: Uint8Array) => {
      onChunk(chunk);
      reportTrouble();
    });
    pipe.on('error', (cause) => {
      readFailure ??= `${name} cannot be read: ${cause.message}`;
      reportTrouble();
    });
    pipe.once('close', () => ended++);
  };

  return {
    follow(stdout, stderr, onTrouble) {
      listen(stdout, 'stdout', out.write, onTrouble);
      const keepStderr = (chunk: Uint8Array): void => {
        errors.write(chunk);
        tail.push(chunk);
        guarded(() => lines?.push(chunk));
      };
      listen(stderr, 'stderr', keepStderr, onTrouble);
    },
    isComplete: () => ended === pipes.length,
    close() {
      for (const pipe of pipes) pipe.destroy();
      guarded(() => lines?.end());
      const dropped = errors.dropped();
      errors.close(dropped > 0 ? `[signoff-gate: ${dropped} more bytes were dropped]` : undefined);
      out.close();
    },
    trouble,
    fault: () => fault,
    stdoutBytes: out.bytes,
    stderrTail: tail.text,
  };
}

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { err, ok, type Result } from '../values/result.ts';

/**
 * No link is followed, since an earlier engine could have put one there; and a pipe in its place is
 * an error at once instead of a wait for its reader.
 */
const FLAGS =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_TRUNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

/** A file that takes a child's output up to a limit, and knows what it could not take. */
export interface OutputFile {
  /** Bytes in the file. */
  readonly bytes: () => number;
  /** Bytes that came after the limit and are not in the file. */
  readonly dropped: () => number;
  /** Why the file lacks bytes that it should have; `undefined` while all is well. */
  readonly failure: () => string | undefined;
  /** Writes what the limit leaves room for, before it returns: so a slow disk slows the child. */
  readonly write: (chunk: Uint8Array) => void;
  /** Closes it, after a last line of our own that does not count towards the limit. */
  readonly close: (note?: string) => void;
}

/**
 * Opens a new or emptied file for at most `limit` bytes of output.
 * The error says in words why it cannot be opened.
 */
export function openOutputFile(path: string, limit: number): Result<OutputFile, string> {
  let handle: number;
  try {
    handle = openSync(path, FLAGS, 0o644);
  } catch (cause) {
    return err(`${path} cannot be opened for output: ${reasonOf(cause)}`);
  }

  let bytes = 0;
  let dropped = 0;
  let lastByte = NEWLINE;
  let failure: string | undefined;

  const attempt = (action: () => void): void => {
    try {
      action();
    } catch (cause) {
      failure ??= `${path} cannot be written: ${reasonOf(cause)}`;
    }
  };

  const writeAll = (chunk: Uint8Array): void => {
    for (let done = 0; done < chunk.length; ) {
      const written = writeSync(handle, chunk, done);
      done += written;
      bytes += written;
    }
  };

  return ok({
    bytes: () => bytes,
    dropped: () => dropped,
    failure: () => failure,
    write(chunk) {
      const part = chunk.subarray(0, Math.max(0, limit - bytes));
      dropped += chunk.length - part.length;
      if (failure !== undefined || part.length === 0) return;
      attempt(() => writeAll(part));
      lastByte = part.at(-1) ?? lastByte;
    },
    close(note) {
      if (note !== undefined && failure === undefined) {
        const ownLine = `${lastByte === NEWLINE ? '' : '\n'}${note}\n`;
        attempt(() => writeAll(Buffer.from(ownLine)));
      }
      attempt(() => closeSync(handle));
    },
  });
}

const NEWLINE = 0x0a;

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

import { readSync } from 'node:fs';

/** Larger ones read no faster and cost memory: their text lives until the next full collection. */
const CHUNK_BYTES = 256 * 1024;

/** A longer line is not read: no honest event comes near it, and memory stays bounded. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LF = 0x0a;

/** A part of a file of lines, in file order. */
export type Piece =
  /** One or more whole lines, each with its LF. */
  | { readonly kind: 'lines'; readonly bytes: Buffer }
  /** What stands after the last LF, perhaps nothing: the end of the file. */
  | { readonly kind: 'tail'; readonly bytes: Buffer }
  /** The next line is longer than {@link MAX_LINE_BYTES}: nothing more is read. */
  | { readonly kind: 'too-long' };

/**
 * Reads a file of lines from its start, a chunk at a time. The bytes of a piece are good until the
 * next piece is asked for. An error of the system is thrown.
 */
export function* piecesOf(fd: number): Generator<Piece, void> {
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  // The buffer begins with so many bytes of a line whose LF was not seen yet.
  let held = 0;
  for (let position = 0; ; ) {
    if (held === buffer.length) buffer = twiceAsLarge(buffer);
    const count = readSync(fd, buffer, held, buffer.length - held, position);
    if (count === 0) break;
    position += count;
    const filled = buffer.subarray(0, held + count);
    const firstEnd = filled.indexOf(LF, held);
    if ((firstEnd === -1 ? filled.length : firstEnd) > MAX_LINE_BYTES) {
      yield { kind: 'too-long' };
      return;
    }
    const wholeEnd = filled.lastIndexOf(LF) + 1;
    if (wholeEnd > 0) yield { kind: 'lines', bytes: filled.subarray(0, wholeEnd) };
    filled.copyWithin(0, wholeEnd);
    held = filled.length - wholeEnd;
  }
  yield { kind: 'tail', bytes: buffer.subarray(0, held) };
}

function twiceAsLarge(buffer: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(2 * buffer.length);
  buffer.copy(larger);
  return larger;
}

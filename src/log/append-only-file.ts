import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { err, ok, type Result } from '../values/result.ts';
import { isOpenAt } from './open-at.ts';
import type { OpenLog } from './open-for-append.ts';
import { systemErrorCode } from './system-error.ts';

/**
 * A file that only grows, by whole pieces: each is on the disk when `append` returns, or the file
 * is as it was before. Every answer that is not ok says in words what is wrong.
 *
 * It remembers how long the file is. A file that somebody else made longer or shorter, or put
 * another in the place of, is not written to: what stands in it is not what was judged.
 */
export class AppendOnlyFile {
  readonly #fd: number;
  readonly #path: string;
  #size: number;
  /** Why nothing can be written any more. */
  #ended: string | undefined;

  constructor(open: OpenLog) {
    this.#fd = open.fd;
    this.#path = open.file;
    this.#size = fstatSync(open.fd).size;
  }

  /** In bytes. */
  get size(): number {
    return this.#size;
  }

  /** Reads the last `count` bytes, at most as many as the file has. */
  readEnd(count: number): Result<Buffer, string> {
    const bytes = Buffer.alloc(count);
    try {
      const got = readSync(this.#fd, bytes, 0, count, this.#size - count);
      return got === count ? ok(bytes) : err('it became shorter while it was read');
    } catch (cause) {
      return err(`it cannot be read (${systemErrorCode(cause)})`);
    }
  }

  append(bytes: Buffer): Result<void, string> {
    const hindrance = this.#hindrance();
    if (hindrance !== undefined) return err(hindrance);
    try {
      // One call for the whole piece: a kill between two would leave a half of it.
      const written = writeSync(this.#fd, bytes);
      if (written < bytes.length) return err(this.#takeBack('the disk is full'));
    } catch (cause) {
      return err(this.#takeBack(`it cannot be written (${systemErrorCode(cause)})`));
    }
    try {
      fdatasyncSync(this.#fd);
    } catch (cause) {
      // After a failed sync nobody knows which pages are on the disk: this writer stops here.
      const why = this.#takeBack(`it cannot be made durable (${systemErrorCode(cause)})`);
      this.#ended ??= why;
      return err(why);
    }
    this.#size += bytes.length;
    return ok(undefined);
  }

  /** Takes the last `count` bytes away. */
  dropEnd(count: number): Result<void, string> {
    const hindrance = this.#hindrance();
    if (hindrance !== undefined) return err(hindrance);
    try {
      ftruncateSync(this.#fd, this.#size - count);
      fdatasyncSync(this.#fd);
    } catch (cause) {
      return err(`it cannot be shortened (${systemErrorCode(cause)})`);
    }
    this.#size -= count;
    return ok(undefined);
  }

  close(): void {
    if (this.#ended === CLOSED) return;
    this.#ended = CLOSED;
    closeSync(this.#fd);
  }

  #hindrance(): string | undefined {
    if (this.#ended !== undefined) return this.#ended;
    if (!isOpenAt(this.#fd, this.#path)) return 'another file was put in its place';
    const { size } = fstatSync(this.#fd);
    if (size === this.#size) return undefined;
    return `another program changed it: it has ${size} bytes, not ${this.#size}`;
  }

  /** Undoes a piece that was not written whole. */
  #takeBack(why: string): string {
    try {
      ftruncateSync(this.#fd, this.#size);
      return `${why}; it is as it was before`;
    } catch (cause) {
      this.#ended = `${why}, and its half line cannot be taken back (${systemErrorCode(cause)})`;
      return this.#ended;
    }
  }
}

const CLOSED = 'it was closed';

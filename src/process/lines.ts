const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 1024;

/** One MiB: longer lines are cut. */
export const LINE_LIMIT = 1024 * 1024;

/** Turns chunks of bytes into lines; see {@link lineSplitter}. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Gives the last line when it had no line feed. */
  end(): void;
}

/**
 * Splits bytes that come in chunks into lines, whatever the chunks cut in two. A line ends at LF,
 * and one CR before the LF is dropped. Bytes that are not UTF-8 become U+FFFD. A line of more than
 * `limit` bytes is cut there, at a whole character, and says so, so that memory stays bounded.
 */
export function lineSplitter(onLine: (line: string) => void, limit = LINE_LIMIT): LineSplitter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let kept = new Uint8Array(Math.min(FIRST_CAPACITY, limit));
  let length = 0;
  let last = 0;

  const append = (part: Uint8Array): void => {
    const room = Math.min(part.length, Math.max(0, limit - length));
    if (length + room > kept.length) kept = grown(kept, length + room, limit);
    kept.set(part.subarray(0, room), Math.min(length, limit));
    length += part.length;
    last = part.at(-1) ?? last;
  };

  const finish = (lineFeed: boolean): void => {
    const whole = lineFeed && length > 0 && last === CARRIAGE_RETURN ? length - 1 : length;
    if (whole <= limit) {
      onLine(decoder.decode(kept.subarray(0, whole)));
    } else {
      const cut = characterStart(kept, limit);
      onLine(`${decoder.decode(kept.subarray(0, cut))}… (cut, ${whole - cut} bytes more)`);
    }
  };

  const startNextLine = (): void => {
    length = 0;
    last = 0;
  };

  return {
    push(chunk) {
      let start = 0;
      let feed = chunk.indexOf(LINE_FEED);
      while (feed !== -1) {
        append(chunk.subarray(start, feed));
        finish(true);
        startNextLine();
        start = feed + 1;
        feed = chunk.indexOf(LINE_FEED, start);
      }
      append(chunk.subarray(start));
    },
    end() {
      if (length > 0) finish(false);
      startNextLine();
    },
  };
}

function grown(bytes: Uint8Array, needed: number, limit: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(limit, Math.max(needed, bytes.length * 2)));
  larger.set(bytes);
  return larger;
}

/** The last position at or before `end` that does not cut a character of UTF-8 in two. */
function characterStart(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return sequenceLength(byte) > back ? end - back : end;
  }
  return end;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

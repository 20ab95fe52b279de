/** Keeps the end of a stream of bytes; see {@link textTail}. */
export interface TextTail {
  push(chunk: Uint8Array): void;
  text(): string;
}

/** No UTF-16 unit takes more than three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;

/**
 * Keeps the last `limit` characters (UTF-16 units) of a stream, never more than a few kilobytes.
 * Bytes that are not UTF-8 become U+FFFD; a character that the cut would halve is left out.
 */
export function textTail(limit: number): TextTail {
  const capacity = limit * BYTES_PER_UNIT;
  let kept: Uint8Array = new Uint8Array(0);
  let cut = false;

  return {
    push(chunk) {
      cut ||= kept.length + chunk.length > capacity;
      // Copied in both cases: a view would keep the whole chunk of the pipe in memory.
      kept =
        chunk.length >= capacity
          ? chunk.slice(chunk.length - capacity)
          : Buffer.concat([
              kept.subarray(Math.max(0, kept.length + chunk.length - capacity)),
              chunk,
            ]);
    },
    text() {
      const whole = cut ? kept.subarray(firstCharacter(kept)) : kept;
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole).slice(-limit);
      return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
    },
  };
}

/** The first position that is not inside a character of UTF-8 that began before the cut. */
function firstCharacter(bytes: Uint8Array): number {
  let position = 0;
  while (position < 3 && ((bytes[position] ?? 0) & 0xc0) === 0x80) position++;
  return position;
}

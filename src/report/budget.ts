/** Room kept for the sentence that says what was cut. */
const RESERVE = 4096;

interface Part {
  readonly text: string;
  readonly what: string;
  readonly rank: number;
}

/**
 * Text up to a number of bytes of UTF-8. Its parts stand in the order in which they were added; where
 * there is no room for all, those of a low rank come first, and what is left out is counted and told.
 */
export class Budget {
  readonly #parts: Part[] = [];
  readonly #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes - RESERVE;
  }

  /**
   * @param what the kind of part, in case there is no room: `details of a stage`
   * @param rank 0 for what must be there
   */
  add(text: string, what: string, rank = 0): void {
    this.#parts.push({ text, what, rank });
  }

  text(): string {
    const kept = new Set<Part>();
    const cut = new Map<string, number>();
    let left = this.#bytes;
    // Array.prototype.sort is stable: what has the same rank keeps its order.
    for (const part of [...this.#parts].sort((a, b) => a.rank - b.rank)) {
      const size = Buffer.byteLength(part.text);
      if (size <= left) {
        left -= size;
        kept.add(part);
      } else {
        cut.set(part.what, (cut.get(part.what) ?? 0) + 1);
      }
    }
    const text = this.#parts.filter((part) => kept.has(part)).map((part) => part.text);
    return text.join('') + noteOf(cut);
  }
}

function noteOf(cut: ReadonlyMap<string, number>): string {
  if (cut.size === 0) return '';
  const counts = [...cut].map(([what, count]) => `${count} × ${what}`).join(', ');
  return `\n\n**Left out for want of room: ${counts}.** The report (input \`report\`) has everything.\n`;
}

/** Room kept for the sentence that says what was cut. */
const RESERVE = 4096;

/** Text up to a number of bytes of UTF-8, made of parts that are taken whole or left out and told. */
export class Budget {
  readonly #parts: string[] = [];
  readonly #cut = new Map<string, number>();
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes - RESERVE;
  }

  /** @param what the kind of part, in case it does not fit: `details of stages` */
  add(part: string, what: string): void {
    const size = Buffer.byteLength(part);
    if (size > this.#left) {
      this.#cut.set(what, (this.#cut.get(what) ?? 0) + 1);
      return;
    }
    this.#left -= size;
    this.#parts.push(part);
  }

  text(): string {
    const cut = [...this.#cut].map(([what, count]) => `${count} × ${what}`);
    const note =
      cut.length === 0
        ? ''
        : `\n\n**Cut for want of room: ${cut.join(', ')}.** The report has all.\n`;
    return this.#parts.join('') + note;
  }
}

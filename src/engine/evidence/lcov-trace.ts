import { posix } from 'node:path';
import { printable } from '../../values/text.ts';

/** The lines that one source file has in a report. */
export interface FileLines {
  readonly found: Set<number>;
  readonly hit: Set<number>;
}

const END = 'end_of_record';

/** `LINE,COUNT` and perhaps a checksum of the line. */
const LINE_COUNT = /^(\d+),(\d+)(?:,[^\s,]+)?$/;

/** Records of the format that say nothing of lines. */
const OTHER_RECORDS = new Set('VER FN FNDA FNL FNA FNF FNH BRDA BRF BRH MCDC MCF MCH'.split(' '));

/** How many lines a record has, and how many were hit: what its `DA` lines show is what counts. */
const TOTALS = new Set(['LF', 'LH']);

const MOST_OTHERS = 100;

function newLines(): FileLines {
  return { found: new Set(), hit: new Set() };
}

/** Reads the sections of a trace file, each `SF:` to `end_of_record`, strictly. */
export class TraceReader {
  /** The first files that the report tells of and the flow does not list, as the report has them. */
  readonly others = new Set<string>();
  /** A writer that lost lines of a listed file counted them: what is left shows another coverage. */
  contradiction: string | undefined;
  readonly #listed: ReadonlyMap<string, FileLines>;
  readonly #workspace: string;
  #section: FileLines | 'other' | undefined;
  /** The lines of this record alone: a file may have several. */
  #own = newLines();
  readonly #totals = new Map<string, string>();
  #sections = 0;
  /** A test was named, and no section has followed yet. */
  #isAnnounced = false;

  constructor(listed: ReadonlyMap<string, FileLines>, workspace: string) {
    this.#listed = listed;
    this.#workspace = workspace;
  }

  /** @returns what is wrong with the report, as the end of a sentence */
  read(text: string): string | undefined {
    let number = 0;
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf('\n', start);
      const end = newline < 0 ? text.length : newline;
      const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
      start = end + 1;
      number++;
      const fault = this.#readRecord(line);
      if (fault !== undefined) return `line ${number}, \`${printable(line, 80)}\`, ${fault}`;
    }
    if (this.#section !== undefined) return `it does not end in \`${END}\`: it was cut`;
    if (this.#sections === 0) return 'it holds no record of a file';
    return this.#isAnnounced ? 'it ends before the record that its last `TN` begins' : undefined;
  }

  #readRecord(line: string): string | undefined {
    // Nothing of the format holds one; a disk that lost a block does.
    if (line.includes('\0')) return 'holds a NUL character';
    if (line === '' || line.startsWith('#')) return undefined;
    if (line === END) return this.#close();
    const colon = line.indexOf(':');
    const key = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1);
    if (key === 'SF') return this.#open(value);
    if (key === 'TN') return this.#announce();
    if (key !== 'DA' && !OTHER_RECORDS.has(key) && !TOTALS.has(key))
      return 'is no record of an lcov trace file';
    if (this.#section === undefined) return 'stands outside the record of a file';
    if (TOTALS.has(key)) this.#totals.set(key, value.trim());
    return key === 'DA' ? this.#count(value, this.#section) : undefined;
  }

  #announce(): string | undefined {
    if (this.#section !== undefined) return 'stands within the record of a file';
    this.#isAnnounced = true;
    return undefined;
  }

  #open(path: string): string | undefined {
    if (this.#section !== undefined) return `begins before the last file's \`${END}\``;
    if (path === '') return 'names no file';
    const listed = this.#listed.get(this.#relative(path));
    if (!listed && this.others.size < MOST_OTHERS) this.others.add(path);
    this.#section = listed ?? 'other';
    this.#isAnnounced = false;
    this.#own = newLines();
    this.#totals.clear();
    return undefined;
  }

  #close(): string | undefined {
    if (this.#section === undefined) return 'ends a record that was not begun';
    const [found, hit] = [this.#totals.get('LF'), this.#totals.get('LH')];
    const isListed = this.#section !== 'other';
    this.#section = undefined;
    this.#sections++;
    for (const [what, told, shown] of [
      ['lines', found, this.#own.found.size],
      ['lines hit', hit, this.#own.hit.size],
    ] as const) {
      if (!isListed || told === undefined || told === `${shown}`) continue;
      this.contradiction ??= `a record tells of ${printable(told, 20)} ${what} and shows ${shown}`;
    }
    return undefined;
  }

  #count(value: string, section: FileLines | 'other'): string | undefined {
    const [, lineText, countText] = LINE_COUNT.exec(value) ?? [];
    if (lineText === undefined || countText === undefined) {
      return 'is not a line number and a count of at least 0';
    }
    const line = Number(lineText);
    if (line < 1 || !Number.isSafeInteger(line)) return 'has an impossible line number';
    if (section === 'other') return undefined;
    section.found.add(line);
    this.#own.found.add(line);
    // Counts of one line add up, and none is negative: the sum is above 0 when one of them is, so
    // that no sum is needed and no count is too large.
    if (/[1-9]/.test(countText)) {
      section.hit.add(line);
      this.#own.hit.add(line);
    }
    return undefined;
  }

  /** As the flow would write it; what lies outside the workspace is no path that a flow can list. */
  #relative(path: string): string {
    return posix.relative(this.#workspace, posix.resolve(this.#workspace, path));
  }
}

import { printable } from '../../values/text.ts';

type Attributes = Readonly<Record<string, string>>;

/** What the cases of a suite show. */
export interface SuiteCounts {
  readonly tests: number;
  readonly skipped: number;
}

/** GoogleTest, CTest and their kin say in attributes what became of a case. */
const NOT_RUN = /^(?:not[ _-]?run|disabled|skip(?:ped)?|suppressed|ignored|pending)$/i;
const WELL =
  /^(?:|pass(?:ed)?|ok|success(?:ful)?|succeeded|run|executed|complete(?:d)?|done|finished|fixed|true|yes|1)$/i;
const SAID_IN = ['status', 'result', 'outcome', 'success', 'executed'];

/** In a test case, an element that tells of no good end in other words than the format has. */
const OTHER_END =
  /fail|error|rerun|flak|ignored|disabled|not[ _-]?run|abort|broken|crash|time-?out/i;
const KNOWN = ['failure', 'error', 'system-err'];

function wordsOf(attributes: Attributes): string[] {
  return SAID_IN.map((name) => (attributes[name] ?? '').trim());
}

/** Does a case say of itself that it was not run? */
export function saysNotRun(attributes: Attributes): boolean {
  return wordsOf(attributes).some((word) => NOT_RUN.test(word));
}

/** A word that stands for no good end leaves open what came of the case, or of the suite. */
function doubtfulWord(attributes: Attributes): string | undefined {
  const word = wordsOf(attributes).find((one) => !WELL.test(one) && !NOT_RUN.test(one));
  return word === undefined ? undefined : printable(word, 40);
}

export function doubtOfCase(attributes: Attributes, name: string): string | undefined {
  const word = doubtfulWord(attributes);
  return word && `its attributes tell of failures that no case shows: ${name} says "${word}"`;
}

export function doubtOfChild(element: string): string | undefined {
  return OTHER_END.test(element) && !KNOWN.includes(element)
    ? `a test case holds <${printable(element, 40)}>, and the report no failure for it`
    : undefined;
}

/** A suite whose totals tell of more than its cases show has lost some of them. */
export function doubtOfSuite(attributes: Attributes, shown: SuiteCounts): string | undefined {
  const word = doubtfulWord(attributes);
  if (word !== undefined || saysNotRun(attributes)) {
    return `a suite says "${word ?? 'not run'}", which no case shows`;
  }
  for (const name of ['failures', 'errors']) {
    // Those that a case shows have decided already.
    if (totalOf(attributes, name) > 0) {
      return `its attributes tell of failures that no case shows: ${name}="${said(attributes, name)}"`;
    }
  }
  if (totalOf(attributes, 'tests') > shown.tests) {
    return `a suite tells of ${said(attributes, 'tests')} tests and shows ${shown.tests}`;
  }
  const skipped = Math.max(totalOf(attributes, 'skipped'), totalOf(attributes, 'disabled'));
  return skipped > shown.skipped
    ? `a suite tells of skipped tests and shows ${shown.skipped}`
    : undefined;
}

/** What is no number could be any. */
function totalOf(attributes: Attributes, name: string): number {
  const text = (attributes[name] ?? '').trim();
  if (text === '') return 0;
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}

function said(attributes: Attributes, name: string): string {
  return printable(attributes[name] ?? '', 40);
}

import type { StepOutput } from '../adapter.ts';

/** What one run of yosys-smtbmc came to. Properties are named as in the model that it read. */
export interface SmtbmcReport {
  readonly status: 'PASSED' | 'FAILED' | 'PREUNSAT';
  readonly failed: readonly string[];
  readonly reached: readonly string[];
  readonly unreached: readonly string[];
  /** The last time step that it looked at, counted from 0; for an induction, counted down. */
  readonly step: number;
  readonly isInductive: boolean;
}

/** Nothing else on a line, so that no name in a design can make one up. */
const LINE = /^## +\d+:\d\d:\d\d {2}(\S.*)$/;
const STATUS = /^Status: (PASSED|FAILED|PREUNSAT)$/;
const STEP =
  /^(?:Checking (?:assumptions|assertions|cover reachability)|Trying induction) in step (\d+)\.\.$/;
/** A property without a label is named by its place first: `FILE:L.C-L.C (NAME)`. */
const PROPERTY = /(?:\S+ \((\S+)\)|(\S+))/.source;
const FAILED = new RegExp(`^Assert failed in \\S+: ${PROPERTY}$`);
const REACHED = new RegExp(`^Reached cover statement at ${PROPERTY} in step \\d+\\.$`);
const UNREACHED = new RegExp(`^Unreached cover statement at ${PROPERTY}\\.$`);

/**
 * Reads what yosys-smtbmc printed (0.23). Its exit code is 1 for a failed assert and for a dead
 * solver alike: there is an answer only where the last line, and no other, is a status.
 */
export function readSmtbmc({ exitCode, stdout }: StepOutput): SmtbmcReport | undefined {
  const lines = stdout.split('\n').flatMap((line) => LINE.exec(line)?.[1] ?? []);
  const statuses = lines.flatMap((line) => STATUS.exec(line)?.[1] ?? []);
  const [status] = statuses;
  if (statuses.length !== 1 || !STATUS.test(lines.at(-1) ?? '') || !isStatus(status)) {
    return undefined;
  }
  if ((exitCode === 0) !== (status === 'PASSED')) return undefined;
  return {
    status,
    failed: named(lines, FAILED),
    reached: named(lines, REACHED),
    unreached: named(lines, UNREACHED),
    step: Number(lines.flatMap((line) => STEP.exec(line)?.[1] ?? []).at(-1) ?? 0),
    isInductive: lines.includes('Temporal induction successful.'),
  };
}

function named(lines: readonly string[], what: RegExp): string[] {
  return lines.flatMap((line) => {
    const found = what.exec(line);
    return found?.[1] ?? found?.[2] ?? [];
  });
}

function isStatus(text: string | undefined): text is SmtbmcReport['status'] {
  return text === 'PASSED' || text === 'FAILED' || text === 'PREUNSAT';
}

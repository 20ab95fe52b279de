import type { Mark, Status } from '../proof/assess.ts';

/** Green, red and yellow, as the diagram has them; the word beside it says the rest. */
const STATUS_SIGN: Readonly<Record<Status, string>> = {
  valid: '✅',
  failed: '❌',
  blocked: '🟡',
  stale: '🟡',
  missing: '🟡',
  'in-flight': '🟡',
};

/** A blank that no line is broken at. */
export const FIRM_BLANK = '\u00a0';

export function signedStatus(status: Status): string {
  return `${STATUS_SIGN[status]}${FIRM_BLANK}${status}`;
}

/** What a reviewer must know about a pass, where there is room for a word or two. */
export const MARK_WORDS: Readonly<Partial<Record<Mark, string>>> = {
  unfloored: 'no floor',
  'exit-code-only': 'exit code only',
  'self-reported': 'self-reported',
};

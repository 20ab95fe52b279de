import type { Mark, Status } from '../proof/assess.ts';

export const STATUS_SIGN: Readonly<Record<Status, string>> = {
  valid: '✅',
  failed: '❌',
  blocked: '❔',
  stale: '🔁',
  missing: '⬜',
  'in-flight': '⏳',
};

/** What a reviewer must know about a pass, where there is room for a word or two. */
export const MARK_WORDS: Readonly<Partial<Record<Mark, string>>> = {
  unfloored: 'no floor',
  'exit-code-only': 'exit code only',
  'self-reported': 'self-reported',
};

export function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

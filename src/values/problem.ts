import { printable } from './text.ts';

/**
 * Every problem that can be expected, with the exit code it leads to when it stands alone:
 * 1 not proven, 2 the caller's mistake (usage, flow, log, files), 70 a fault of ours.
 * The table is the closed list: a code that is not here does not compile.
 */
const EXIT_CODE_OF = {
  'usage/unknown-command': 2,
  'usage/unknown-option': 2,
  'usage/bad-value': 2,
  'usage/missing-argument': 2,
  'usage/unknown-stage': 2,
  'usage/no-workspace': 2,
  'usage/exists': 2,

  'flow/missing': 2,
  'flow/ambiguous-file': 2,
  'flow/unreadable': 2,
  'flow/too-large': 2,
  'flow/syntax': 2,
  'flow/schema': 2,
  'flow/unknown-key': 2,
  'flow/bad-name': 2,
  'flow/bad-path': 2,
  'flow/bad-selector': 2,
  'flow/bad-variable': 2,
  'flow/no-stage': 2,
  'flow/cycle': 2,
  'flow/two-owners': 2,
  'flow/unknown-stage': 2,
  'flow/unknown-engine': 2,
  'flow/dead-selector': 2,
  'flow/unlisted-input': 2,
  'flow/unretired-stage': 1,

  'log/unreadable': 2,
  'log/not-utf8': 2,
  'log/corrupt-line': 2,
  'log/line-too-long': 2,
  'log/invalid-record': 2,
  'log/torn-tail': 1,
  'log/anomaly': 1,
  'log/write-failed': 1,
  'log/lock-held': 1,
  'log/lock-unavailable': 2,

  'file/missing': 1,
  'file/unreadable': 1,
  'file/not-regular': 1,
  'file/changed-while-read': 1,
  'file/link-loop': 1,
  'file/link-outside': 1,
  'file/bad-name': 1,
  'file/ambiguous-name': 1,
  'file/write-failed': 1,

  'engine/not-found': 2,
  'engine/not-executable': 2,
  'engine/no-descriptor': 2,
  'engine/unsupported-descriptor': 2,
  'engine/bad-descriptor': 2,
  'engine/bad-arguments': 2,
  'engine/version-mismatch': 1,

  'json/not-utf8': 1,
  'json/syntax': 1,
  'json/duplicate-key': 1,
  'json/too-deep': 1,
  'json/not-an-object': 1,

  'evidence/missing': 1,
  'evidence/unreadable': 1,

  'proof/envelope-missing': 1,
  'proof/envelope-altered': 1,
  'proof/envelope-invalid': 1,

  'trust/no-repository': 1,
  'trust/base-missing': 1,
  'trust/base-unreadable': 1,
  'trust/record-lost': 1,
  'trust/judging-changed': 1,
  'trust/output-differs': 1,
  'trust/not-from-commit': 1,
  'trust/behind-base': 1,
  'trust/not-the-change': 1,
  'trust/link-outside': 1,

  'checkout/lfs-pointer': 1,
  'checkout/submodule-absent': 1,
  'checkout/sparse': 1,

  'gate/nothing-to-judge': 2,
  'gate/interrupted': 1,
  'gate/platform': 2,
} as const satisfies Record<string, 1 | 2 | 70>;

export type ProblemCode = keyof typeof EXIT_CODE_OF;

/** Where in a document or file a problem was found; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** One expected problem: what, where, what to do. */
export interface Problem {
  readonly code: ProblemCode;
  /** One sentence; says what is wrong in the user's words. */
  readonly message: string;
  readonly at?: Place | undefined;
  /** What to do about it. */
  readonly remedy?: string | undefined;
  /** The stage that it concerns, when it concerns one. */
  readonly stage?: string | undefined;
}

export function problem(
  code: ProblemCode,
  message: string,
  more: Omit<Problem, 'code' | 'message'> = {},
): Problem {
  return { code, message, ...more };
}

export function exitCodeOf(code: ProblemCode): 1 | 2 | 70 {
  return EXIT_CODE_OF[code];
}

/** `file:line:column: message (code). Remedy` on one line, safe to print whatever the names hold. */
export function renderProblem(p: Problem): string {
  const place = p.at
    ? `${[p.at.file, p.at.line, p.at.column].filter((x) => x !== undefined).join(':')}: `
    : '';
  const stage = p.stage === undefined ? '' : `stage ${p.stage}: `;
  const remedy = p.remedy === undefined ? '' : ` ${p.remedy}`;
  return printable(`${place}${stage}${p.message} [${p.code}]${remedy}`, 4000);
}

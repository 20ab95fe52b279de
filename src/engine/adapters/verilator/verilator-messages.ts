import type { Finding } from '../../evidence/finding.ts';

/** What Verilator said, by what it means. */
export interface Messages {
  readonly warnings: number;
  readonly errors: number;
  /** How often each code of a warning or error came. */
  readonly codes: Readonly<Record<string, number>>;
  /** The first message, for a summary. */
  readonly first: string | undefined;
  /** Why the tool did not see the design whole; then nothing that it says decides. */
  readonly obstacle: string | undefined;
  readonly findings: readonly Finding[];
}

const MESSAGE = /^%(?:Warning-([A-Z0-9_]+)|Error(?:-([A-Z0-9_]+))?): (.*)$/;
const PLACED = /^(.+?):(\d+):(?:(\d+):)? (.*)$/;

/** Errors that say something about the run, not about the design. */
const OBSTACLES = [
  'Cannot find file containing',
  'Cannot find include file',
  'Cannot open',
  'Specified --top-module',
  'No top level module found',
  'Invalid option',
  'threw signal',
  'Command Failed',
  'Internal Error',
  'Internal error',
  'Unsupported',
  'Unknown warning specified',
];

/** Reads what Verilator printed on stderr (5.006). A line without a code belongs to the one before. */
export function readMessages(stderr: string): Messages {
  const codes: Record<string, number> = {};
  const findings: Finding[] = [];
  let warnings = 0;
  let errors = 0;
  let first: string | undefined;
  let obstacle: string | undefined;
  for (const line of stderr.split('\n')) {
    const found = MESSAGE.exec(line);
    if (!found) continue;
    const [, warning, error, text = ''] = found;
    if (text.startsWith('Exiting due to')) continue;
    const placed = PLACED.exec(text);
    const message = placed?.[4] ?? text;
    const code = warning ?? error ?? 'ERROR';
    if (warning === undefined) errors++;
    else warnings++;
    codes[code] = (codes[code] ?? 0) + 1;
    if (warning === undefined && OBSTACLES.some((sign) => message.includes(sign))) {
      obstacle ??= text;
    }
    first ??= text;
    findings.push({
      severity: warning === undefined ? 'error' : 'warn',
      code,
      message,
      place: placed ? [placed[1], placed[2], placed[3]].filter(Boolean).join(':') : undefined,
    });
  }
  return { warnings, errors, codes, first, obstacle, findings };
}

import type { Finding } from '../../evidence/finding.ts';
import type { RunMessages } from '../simulation/simulation-verdict.ts';

/** What a testbench may print of its own: no evidence, but no pass either. */
const SEVERE = /^\s*(?:ERROR|FATAL|SORRY):/;
/** Anywhere in a line: what was written without an end of line stands before it. */
const PLACED = /(ERROR|FATAL|SORRY|WARNING): ?([^:]+):(\d+): ?(.*)$/;

/**
 * Reads what `vvp` printed (11.0): `$error`, `$fatal` and failed assertions on stdout, its own
 * troubles on either. A system task that complains (`$readmemh: Unable to open …`) says nothing
 * about the design, and all that comes after it may follow from it.
 *
 * @param sources the files that were compiled, as messages name them
 */
export function readRunMessages(
  stdout: readonly string[],
  stderr: string,
  sources: readonly string[],
): RunMessages {
  const findings: Finding[] = [];
  let faults = 0;
  let first: string | undefined;
  let obstacle: string | undefined;
  let doubt = stderr.split('\n').find((line) => /\berror\b|\bsorry\b/i.test(line));
  for (const line of stdout) {
    const [, kind = '', file = '', at, message = ''] = PLACED.exec(line) ?? [];
    if (!sources.includes(file)) {
      if (SEVERE.test(line) || kind === 'ERROR' || kind === 'FATAL') doubt ??= line;
      continue;
    }
    findings.push({
      severity: kind === 'WARNING' ? 'warn' : 'error',
      code: kind,
      message: message === '' ? `${kind.toLowerCase()} without a text` : message,
      place: `${file.replace(/^\.\//, '')}:${at}`,
    });
    if (kind === 'WARNING') continue;
    if (kind === 'SORRY' || message.startsWith('$')) {
      obstacle ??= line;
    } else {
      faults++;
      first ??= `${file}:${at}: ${message}`;
    }
  }
  return { faults, first, obstacle, doubt, findings };
}

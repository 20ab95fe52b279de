import { basename } from 'node:path';
import type { Finding } from '../../evidence/finding.ts';
import type { RunMessages } from '../simulation/simulation-verdict.ts';

const MESSAGE = /%(Error|Warning|Fatal)(?:-\w+)?: (.*)$/;
const ASSERTION = /^(.+?):(\d+): Assertion failed in [^\s:]+(?:: (.*))?$/;
const STOP = /^(.+?):(\d+): Verilog \$stop$/;
/** What a testbench may print of its own: no evidence, but no pass either. */
const SEVERE = /^\s*(?:ERROR|FATAL):/;

/**
 * Reads what a simulation of Verilator (5.006) printed. A failed assertion and `$error` name the file
 * without its folder; the `$stop` that follows names it whole.
 *
 * @param sources the files that were compiled, relative to the workspace
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
  let doubt = stderr.split('\n').find((line) => /\berror\b|\bterminate called\b/i.test(line));
  for (const [index, line] of stdout.entries()) {
    const [, kind, text = ''] = MESSAGE.exec(line) ?? [];
    if (kind === undefined) {
      if (SEVERE.test(line)) doubt ??= line;
      continue;
    }
    const [, name, at, said = 'assertion failed'] = ASSERTION.exec(text) ?? [];
    if (name === undefined || at === undefined) {
      if (/\$readmem file not found/.test(text)) obstacle ??= text;
      else if (STOP.test(text)) doubt ??= text;
      else if (kind !== 'Warning') obstacle ??= text;
      continue;
    }
    const file = wholeName(name, at, stdout[index + 1], sources);
    findings.push({
      severity: kind === 'Warning' ? 'warn' : 'error',
      code: kind.toUpperCase(),
      message: said,
      place: file === undefined ? undefined : `${file}:${at}`,
    });
    if (kind === 'Warning') continue;
    faults++;
    first ??= `${file ?? name}:${at}: ${said}`;
  }
  return { faults, first, obstacle, doubt, findings };
}

/** The one file that a name without a folder can stand for. */
function wholeName(
  name: string,
  at: string,
  next: string | undefined,
  sources: readonly string[],
): string | undefined {
  const [, stopFile = '', stopAt] = STOP.exec(MESSAGE.exec(next ?? '')?.[2] ?? '') ?? [];
  const stopped = stopFile.replace(/^(?:\.\/)+/, '');
  if (stopAt === at && basename(stopped) === name && sources.includes(stopped)) return stopped;
  const [file, second] = sources.filter((source) => basename(source) === name);
  return second === undefined ? file : undefined;
}

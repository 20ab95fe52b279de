import type { Finding } from '../../evidence/finding.ts';

/** What Icarus Verilog said when it compiled, by what it means. */
export interface CompileMessages {
  readonly warnings: number;
  /** Errors at a line of the sources. */
  readonly errors: number;
  /** The first error, or what stands for one, for a summary. */
  readonly first: string | undefined;
  /** Why the tool did not see the sources whole; then nothing that it says decides. */
  readonly obstacle: string | undefined;
  readonly findings: readonly Finding[];
}

const PLACED = /^(.+?):(\d+): (.*)$/;
const KIND = /^(?:[\w.]+ )?(error|warning|sorry): (.*)$/i;

/** Lines of any kind that say something about the run, not about the design. */
const OBSTACLE =
  /: No such file or directory$|\bInclude file .* not found$|\bUnknown module type\b|\bUnable to find the root module\b|\binternal error\b|\bAssertion .* failed\b| - ignored\.$/;
/** Errors that are the tool's own limits. */
const LIMIT = /\bnot (?:yet |currently )?supported\b|\bunsupported\b|\bnot implemented\b/i;
const NOT_KNOWN = ' (or SystemVerilog that this iverilog does not read)';
/** Warnings of something that was written and is left out. */
const LEFT_OUT =
  /\bundefined \(and assumed null\)|^Omitting |\bUse an external preprocessor\b|\bwill not be driven\b/;

/**
 * Reads what `iverilog -Wall` printed on stderr (11.0). A line that begins with blanks belongs to the one before.
 *
 * @param ownFile a source of ours: what is said of it says nothing of the design
 */
export function readCompileMessages(stderr: string, ownFile: string): CompileMessages {
  const findings: Finding[] = [];
  let warnings = 0;
  let errors = 0;
  let first: string | undefined;
  let obstacle: string | undefined;
  for (const line of stderr.split('\n')) {
    const placed = PLACED.exec(line);
    const text = placed?.[3] ?? line;
    if (placed && /^\s*: /.test(text)) continue;
    const [, word, said] = KIND.exec(text) ?? [];
    const kind = word?.toLowerCase() ?? (/\bsyntax error\b/.test(text) ? 'error' : undefined);
    const message = said ?? text;
    if (
      kind === 'sorry' ||
      OBSTACLE.test(line) ||
      (kind !== undefined && line.startsWith(`${ownFile}:`)) ||
      (kind === 'error' && LIMIT.test(message)) ||
      (kind === 'warning' && LEFT_OUT.test(message))
    ) {
      obstacle ??= line;
    }
    if (kind === 'warning') warnings++;
    if (kind === 'error' && placed) errors++;
    if (kind === 'error') first ??= `${line}${/\bsyntax error$/.test(text) ? NOT_KNOWN : ''}`;
    if (kind === undefined || !placed) continue;
    findings.push({
      severity: kind === 'warning' ? 'warn' : 'error',
      code: kind.toUpperCase(),
      message,
      place: `${placed[1]?.replace(/^\.\//, '')}:${placed[2]}`,
    });
  }
  return { warnings, errors, first, obstacle, findings };
}

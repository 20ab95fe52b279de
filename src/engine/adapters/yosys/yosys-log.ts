import type { Finding } from '../../evidence/finding.ts';

/** What Yosys said of a script. */
export interface YosysLog {
  /** Every warning and error that has a place. */
  readonly findings: readonly Finding[];
  /** How many warnings, with a place or without. */
  readonly warnings: number;
  /** The first name that is declared nowhere. */
  readonly undeclared: { readonly name: string; readonly place: string } | undefined;
  /** The error that ended the script. */
  readonly error: YosysError | undefined;
}

export interface YosysError {
  /** The whole message, with its place. */
  readonly text: string;
  /**
   * Does it say that the sources are wrong? Otherwise something is in the way of an answer: a file
   * or a module that is missing, a feature that the tool has not.
   */
  readonly isFault: boolean;
}

const PLACED = /^(.+?):(\d+): (Warning|ERROR): (.*)$/;
const UNDECLARED = /\bWarning: Identifier `\\?(.+)' is implicitly declared\b/;
const NOT_KNOWN = ' (or SystemVerilog that this yosys does not read)';
const PLAIN = /^(Warning|ERROR): (.*)$/;

/** Errors at a place that say something about the run, not about the design. */
const OBSTACLE =
  /\bCan ?not open\b|\bCan't open\b|\bNo such file\b|\bis not part of the design\b|\bnot (?:yet )?(?:supported|implemented)\b|\b[Uu]nsupported\b|\bUnimplemented\b|\b[Ii]nternal error\b|\bAssert `/;
/** Errors of the design that are told without a place. */
const FAULT =
  /\bdoes not have a (?:port|parameter) named\b|^Multiple edge sensitive events found\b/;

/** Reads what Yosys printed (0.23): warnings come on stdout, the error that ends it on stderr. */
export function readYosysLog(stdout: string, stderr: string): YosysLog {
  const findings: Finding[] = [];
  let warnings = 0;
  let undeclared: YosysLog['undeclared'];
  for (const line of stdout.split('\n')) {
    if (!/^(?:.+?:\d+: )?Warning: /.test(line)) continue;
    warnings++;
    const finding = findingIn(line);
    if (finding) findings.push(finding);
    const name = UNDECLARED.exec(line)?.[1];
    if (name !== undefined) undeclared ??= { name, place: finding?.place ?? 'a source' };
  }
  const line = stderr.split('\n').findLast((one) => /^(?:.+?:\d+: )?ERROR: /.test(one));
  if (line === undefined) return { findings, warnings, undeclared, error: undefined };
  const finding = findingIn(line);
  if (finding) findings.push(finding);
  const message = PLAIN.exec(line)?.[2] ?? finding?.message ?? line;
  const isFault = finding === undefined ? FAULT.test(message) : !OBSTACLE.test(message);
  const text = line.replace(/^ERROR: /, '') + (/\bsyntax error\b/.test(line) ? NOT_KNOWN : '');
  return { findings, warnings, undeclared, error: { text, isFault } };
}

function findingIn(line: string): Finding | undefined {
  const found = PLACED.exec(line);
  if (!found) return undefined;
  const [, file, at, word, message = ''] = found;
  return {
    severity: word === 'ERROR' ? 'error' : 'warn',
    code: word === 'ERROR' ? 'ERROR' : 'WARNING',
    message,
    // Line 0 is what it says when it has lost the place.
    place: at === '0' ? file : `${file}:${at}`,
  };
}

/** `file:line:column` of a `src` attribute, which may name several ranges: of the first. */
export function placeOfSource(source: unknown): string | undefined {
  const found = typeof source === 'string' ? /^([^|]+?):(\d+)\.(\d+)(?:-|\||$)/.exec(source) : null;
  return found ? `${found[1]}:${found[2]}:${found[3]}` : undefined;
}

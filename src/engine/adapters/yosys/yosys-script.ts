import { mkdirSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { badValue, unusable } from '../no-answer.ts';
import { textsIn } from '../values.ts';
import { readWritten } from '../written.ts';
import { readYosysLog, type YosysLog } from './yosys-log.ts';

/** What came of one script. */
export interface YosysRun {
  readonly log: YosysLog;
  /** Did it end well, at the end of the script? */
  readonly isDone: boolean;
  /** Every file that was read, as its name was given, the adapter's own left out; known when it is done. */
  readonly opened: readonly string[];
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the commands as one script of Yosys, in a process of its own. A command that fails ends it;
 * that is a run with an error in its log, and the caller says what it means. What a verdict is read
 * from is better written to a file of its own, by `tee -o`: an elaborated source may print any text
 * into the log (`$display` in an `initial` block), and into nothing else.
 *
 * @param name of the script, new for each
 */
export async function runYosys(
  bench: Bench,
  name: string,
  commands: readonly string[],
): Promise<Result<YosysRun, EnvelopeError>> {
  const { folder, nonce } = bench;
  // `tee` and a few others take the quotes around a name for a part of it.
  if (!/^[\w/.+~-]+$/.test(folder)) {
    return err(
      badValue(`yosys cannot write to ${folder}: the name of the folder holds odd characters`),
    );
  }
  const script = join(folder, `${name}.ys`);
  const reads = join(folder, `${name}.reads`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, [...commands, `log ${nonce}`, ''].join('\n'), { flag: 'wx' });
  const done = await bench.step({
    program: 'yosys',
    args: ['-Q', '-E', reads, '-s', script],
    answers: [0, 1],
  });
  if (!done.ok) return done;
  const { exitCode, stdout, stderr } = done.value;
  const log = readYosysLog(stdout, stderr);
  if (exitCode !== 0) return ok({ log, isDone: false, opened: [], exitCode, stdout, stderr });
  const end = stdout.lastIndexOf(`\n${nonce}\n`);
  if (end === -1 || !/^End of script\. Logfile hash: /m.test(stdout.slice(end))) {
    return err(unusable('yosys ended before the end of its script'));
  }
  const list = readWritten(reads);
  if (!list.ok) return err(unusable(list.error));
  const opened = openedFiles(list.value, folder);
  return ok({ log, isDone: true, opened, exitCode, stdout, stderr });
}

/** A line for make, `OUTPUT…: INPUT…`: what the adapter itself wrote lies in its folder. */
function openedFiles(list: string, folder: string): string[] {
  const names = list.match(/(?:\\ |\S)+/g) ?? [];
  return names
    .filter((name) => name !== ':' && !name.startsWith(`${folder}/`))
    .map((name) => normalize(name.replaceAll('\\ ', ' ')));
}

/** The commands that read the sources of a design, with its macros and include folders. */
export function readVerilog(
  bench: Bench,
  options: readonly string[],
): Result<string[], EnvelopeError> {
  const { values } = bench;
  const files = textsIn(values, 'files');
  const folders = textsIn(values, 'include-dirs');
  const defines = textsIn(values, 'defines');
  const odd = oddPath(files) ?? oddWord([...folders, ...defines]);
  if (odd !== undefined) return err(badValue(odd));
  const common = [
    ...options,
    ...folders.map((folder) => `-I${folder}`),
    ...defines.map((define) => `-D${define}`),
  ].join(' ');
  return ok(files.map((file) => `read_verilog ${common} ${quoted(file)}`));
}

/** A file name in a script; {@link oddPath} has had a look at it. */
export function quoted(path: string): string {
  return `"${path}"`;
}

/** Why a script cannot name one of these files; undefined when it can. */
export function oddPath(paths: readonly string[]): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const odd = paths.find((path) => /["\\*?[;\u0000-\u001f\u007f]|^(?:[-+~!#]|<<)/.test(path));
  return odd === undefined
    ? undefined
    : `a script of yosys cannot name the file ${odd}: rename it without quotes, wildcards and the like`;
}

/** As {@link oddPath}, for what yosys takes no quotes around. */
function oddWord(words: readonly string[]): string | undefined {
  const odd = words.find((word) => !/^[\w/.,:=+@%~^$'{}()<>|&-]+$/.test(word));
  return odd === undefined
    ? undefined
    : `a script of yosys cannot hold ${odd}: use no blanks, quotes, semicolons and the like`;
}

import { normalize } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import { readWritten } from '../written.ts';

/** What writes the heads of all modules that are left, black boxes among them, to a file. */
export function dumpModules(path: string): string {
  return `dump -m -o ${path} =w:*`;
}

/** What is left of a design below its top. */
export interface ModulesBelow {
  /** The files that its modules come from, as their names were given. */
  readonly files: ReadonlySet<string>;
  readonly modules: number;
  /** As the sources call them, whatever their parameters are. */
  readonly names: ReadonlySet<string>;
  /** Names of modules whose inside is not looked at. */
  readonly blackBoxes: readonly string[];
}

/** @param path of what {@link dumpModules} wrote, after `hierarchy`, which drops what is not below */
export function readModules(path: string): Result<ModulesBelow, string> {
  const text = readWritten(path);
  if (!text.ok) return text;
  const files = new Set<string>();
  const blackBoxes: string[] = [];
  const names = new Set<string>();
  let modules = 0;
  let isBlackBox = false;
  // The attributes of a module begin at the margin, those of all within it do not.
  for (const line of text.value.split('\n')) {
    const source = /^attribute \\src "(.*)"$/.exec(line)?.[1];
    for (const range of source === undefined ? [] : plain(source).split('|')) {
      files.add(normalize(range.replace(/:\d+\.\d+(?:-\d+\.\d+)?$/, '')));
    }
    if (/^attribute \\blackbox (?!0+$|\d+'0+$)/.test(line)) isBlackBox = true;
    const name = /^module \\?(\S+)$/.exec(line)?.[1];
    if (name === undefined) continue;
    modules++;
    if (isBlackBox) blackBoxes.push(name);
    else names.add(sourceName(name));
    isBlackBox = false;
  }
  return modules === 0
    ? err('no module is left in the hierarchy')
    : ok({ files, modules, names, blackBoxes });
}

/** `$paramod\\fifo\\DEPTH=4` and `$paramod$0123\\fifo` are instances of `fifo`. */
function sourceName(name: string): string {
  return /^\$paramod[^\\]*\\([^\\]+)/.exec(name)?.[1] ?? name;
}

/** RTLIL writes quotes, backslashes and all beyond ASCII as escapes, byte by byte. */
function plain(escaped: string): string {
  return escaped.replace(/(?:\\[0-7]{3})+|\\(.)/g, (run, single?: string) =>
    single === undefined
      ? Buffer.from(
          run.match(/[0-7]{3}/g)?.map((octal) => Number.parseInt(octal, 8)) ?? [],
        ).toString('utf8')
      : single,
  );
}

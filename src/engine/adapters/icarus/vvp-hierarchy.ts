import { err, ok, type Result } from '../../../values/result.ts';
import { END_MODULE } from './vvp-end.ts';

/** What Icarus Verilog built from the sources. */
export interface Hierarchy {
  /** How many instances of modules, the top among them. */
  readonly modules: number;
  /** Every file of which something was compiled, as messages name it. */
  readonly names: readonly string[];
  /** The files whose modules are in it, as the tool was given their names. */
  readonly files: readonly string[];
  /** The file that defines the module at the root. */
  readonly topFile: string;
}

/** `S_0x… .scope module, "dut" "counter" 3 5, 4 1 0, S_0x…;`: where it is instantiated, where defined. */
const MODULE =
  /^S_\w+ \.scope (?:auto)?module, "((?:\\.|[^"\\])*)" "((?:\\.|[^"\\])*)" (\d+) \d+(?:, (\d+) \d+ [01], S_\w+)?;$/;
const NAMES = /^:file_names (\d+);$/;

/** Reads the compiled simulation (11.0): its scopes of modules, and the table of files at its end. */
export function readHierarchy(text: string, top: string): Result<Hierarchy, string> {
  const lines = text.split('\n');
  const table = lines.findLastIndex((line) => NAMES.test(line));
  if (table === -1) return err('the compiled simulation holds no table of files');
  const count = Number(NAMES.exec(lines[table] ?? '')?.[1]);
  const names = lines
    .slice(table + 1, table + 1 + count)
    .flatMap((line) => /^ {4}"(.*)";$/.exec(line)?.[1] ?? []);
  if (names.length !== count) {
    return err('the table of files in the compiled simulation was cut short');
  }
  const files = new Set<string>();
  let topFile: string | undefined;
  let modules = 0;
  for (const line of lines.slice(0, table)) {
    const found = MODULE.exec(line);
    if (!found) continue;
    const [, instance, module, at, definedAt] = found;
    if (module === END_MODULE && definedAt === undefined) continue;
    const file = names[Number(definedAt ?? at)];
    if (file === undefined) return err('the compiled simulation names a file that is not listed');
    modules++;
    files.add(file);
    if (definedAt !== undefined) continue;
    if (topFile !== undefined || instance !== top || module !== top) {
      return err(`the compiled simulation has another root than ${top}`);
    }
    topFile = file;
  }
  if (topFile === undefined) return err(`the compiled simulation has no root ${top}`);
  return ok({ modules, names, files: [...files], topFile });
}

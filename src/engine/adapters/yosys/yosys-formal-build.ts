import { join, normalize, resolve } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { textIn, textsIn } from '../values.ts';
import { buildsNoModule } from '../verilog-text.ts';
import { readClashes } from './yosys-drivers.ts';
import { type FormalModel, readModel } from './yosys-formal-model.ts';
import { dumpModules, readModules } from './yosys-modules.ts';
import { readVerilog, runYosys, type YosysRun } from './yosys-script.ts';
import { unseenProperties } from './yosys-unseen.ts';

/** The models that Yosys made of a design. */
export interface Built {
  readonly model: FormalModel;
  /** Path of the model for searches and inductions. */
  readonly smt2: string;
  /** Path of its twin in which every assert is a cover: is it ever looked at? */
  readonly witness: string;
  readonly modules: number;
  readonly blackBoxes: readonly string[];
  /** Listed files of which nothing is below the top. */
  readonly leftOut: readonly string[];
  /** Why some of the properties in the sources are not in the model. */
  readonly unseen: string | undefined;
  readonly opened: readonly string[];
}

/**
 * Turns a design into the solver's input. No pass that may take an undefined value for a convenient
 * one has a part in it: `opt` drops a register without an initial value whose next value is a
 * constant, merges two of them, and picks the defined side of a multiplexer, each of which hides an
 * error. It would also merge asserts and lose their names. Here all that is undefined is any value.
 *
 * @returns in words, what keeps Yosys from it
 */
export async function buildModel(
  bench: Bench,
): Promise<Result<Built | { readonly obstacle: string }, EnvelopeError>> {
  const { values, folder, workspace } = bench;
  const top = textIn(values, 'top') ?? '';
  const sources = readVerilog(bench, ['-sv', '-formal', '-noblackbox']);
  if (!sources.ok) return sources;
  const modules = join(folder, 'modules.il');
  const drivers = join(folder, 'drivers');
  const cells = join(folder, 'cells.json');
  const registers = join(folder, 'registers.json');
  const smt2 = join(folder, 'model.smt2');
  const witness = join(folder, 'witness.smt2');
  const run = await runYosys(bench, 'model', [
    ...sources.value,
    `hierarchy -check -top ${top}`,
    dumpModules(modules),
    'proc -noopt',
    `write_rtlil ${drivers}.il`,
    `write_json ${drivers}.json`,
    'opt_expr -keepdc',
    // A black box becomes an empty module: its outputs can be anything.
    'setattr -mod -unset blackbox -unset whitebox -unset lib_whitebox -unset keep_hierarchy =*',
    'setattr -unset keep_hierarchy',
    'flatten',
    'opt_clean',
    ANY_VALUE,
    // One enable for the bits of a word, where it is one: the model of a memory is small then.
    'opt_reduce',
    'opt_clean',
    // Not an array of the solver: that would have words beyond the end of the memory.
    'memory_map',
    ANY_VALUE,
    'check -assert',
    'async2sync',
    'dffunmap',
    `json -o ${registers} t:$dff t:$ff`,
    // A property under a clock is looked at one step late otherwise, an assumption too.
    'chformal -early',
    'opt_clean',
    ANY_VALUE,
    `json -o ${cells} t:$assert t:$assume t:$cover t:$live t:$fair`,
    `write_smt2 -wires ${smt2}`,
    'chtype -set $cover t:$assert',
    `write_smt2 -wires ${witness}`,
  ]);
  if (!run.ok) return run;
  const { log, isDone, opened } = run.value;
  for (const finding of log.findings) bench.finding(finding);
  if (!isDone) {
    return log.error
      ? ok({ obstacle: [log.error.text, ...checksOf(run.value)].join(' ') })
      : err(noAnswer('yosys', run.value));
  }
  const clashes = readClashes(drivers, []);
  if (!clashes.ok) return err(unusable(clashes.error));
  for (const finding of clashes.value) bench.finding(finding);
  const [clash] = clashes.value;
  if (clash) return ok({ obstacle: clash.message });
  const model = readModel({ cells, registers, smt2 }, top);
  if (!model.ok) return err(unusable(model.error));
  const found = readModules(modules);
  if (!found.ok) return err(unusable(found.error));
  const leftOut = textsIn(values, 'files').filter(
    (file) => !found.value.files.has(normalize(file)) && !buildsNoModule(resolve(workspace, file)),
  );
  const { modules: count, blackBoxes } = found.value;
  const unseen = unseenProperties(opened, found.value.names, workspace);
  return ok({
    model: model.value,
    smt2,
    witness,
    modules: count,
    blackBoxes,
    leftOut,
    unseen,
    opened,
  });
}

/** What `check -assert` counts, it has said before; the first is enough for a summary. */
function checksOf({ log, stdout }: YosysRun): string[] {
  if (!log.error?.text.includes("in 'check -assert'")) return [];
  const said = /^Warning: (multiple conflicting drivers|found logic loop|.* has no driver).*$/m;
  return said.exec(stdout)?.[0].replace(/:$/, '').split('\n') ?? [];
}

const ANY_VALUE = 'setundef -undriven -anyseq';

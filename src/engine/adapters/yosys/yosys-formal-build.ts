import { join, normalize, resolve } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { textIn, textsIn } from '../values.ts';
import { buildsNoModule } from '../verilog-text.ts';
import { readClashes } from './yosys-drivers.ts';
import { type FormalModel, readModel } from './yosys-formal-model.ts';
import { type Bit, readYosysJson, whereIs, type YosysModule } from './yosys-json.ts';
import { placeOfSource } from './yosys-log.ts';
import { findMisread } from './yosys-misread.ts';
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
  const at = (name: string): string => join(folder, name);
  const read = await runYosys(bench, 'elaborate', [
    ...sources.value,
    `hierarchy -check -top ${top}`,
    dumpModules(at('modules.il')),
    // A table with values that do not matter would become a memory whose contents nobody may choose.
    'proc -noopt -norom',
    `write_rtlil ${at('drivers.il')}`,
    `write_json ${at('drivers.json')}`,
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
    `write_rtlil ${at('flat.il')}`,
    `json -o ${at('flat.json')} t:*ff* t:$assert t:$assume t:$cover t:$live t:$fair`,
  ]);
  if (!read.ok) return read;
  for (const finding of read.value.log.findings) bench.finding(finding);
  const obstacle = obstacleOf(bench, read.value, at);
  if (!obstacle.ok) return obstacle;
  if (obstacle.value !== undefined) return ok({ obstacle: obstacle.value });

  const [smt2, witness] = [at('model.smt2'), at('witness.smt2')];
  const run = await runYosys(bench, 'model', [
    `read_rtlil ${at('flat.il')}`,
    'async2sync',
    'dffunmap',
    `json -o ${at('registers.json')} t:$dff t:$ff t:$anyseq i:*`,
    // A property under a clock is looked at one step late otherwise, an assumption too.
    'chformal -early',
    'opt_clean',
    ANY_VALUE,
    `json -o ${at('cells.json')} t:$assert t:$assume t:$cover t:$live t:$fair`,
    `write_smt2 -wires ${smt2}`,
    'chtype -set $cover t:$assert',
    `write_smt2 -wires ${witness}`,
  ]);
  if (!run.ok) return run;
  if (!run.value.isDone) {
    const { error } = run.value.log;
    return error ? ok({ obstacle: error.text }) : err(noAnswer('yosys', run.value));
  }
  const paths = { cells: at('cells.json'), registers: at('registers.json'), smt2 };
  const model = readModel(paths, top);
  if (!model.ok) return err(unusable(model.error));
  const found = readModules(at('modules.il'));
  if (!found.ok) return err(unusable(found.error));
  const { opened } = read.value;
  const leftOut = textsIn(values, 'files').filter(
    (file) => !found.value.files.has(normalize(file)) && !buildsNoModule(resolve(workspace, file)),
  );
  const { modules, blackBoxes } = found.value;
  const allowed = textsIn(values, 'allow-unreached');
  const unseen = unseenProperties(opened, model.value, allowed, workspace);
  return ok({ model: model.value, smt2, witness, modules, blackBoxes, leftOut, unseen, opened });
}

/** Why the design as it was read can be no model of what the sources say; undefined when it can. */
function obstacleOf(
  bench: Bench,
  run: YosysRun,
  at: (name: string) => string,
): Result<string | undefined, EnvelopeError> {
  const { log, isDone } = run;
  if (!isDone) {
    return log.error
      ? ok([log.error.text, ...checksOf(run)].join(' '))
      : err(noAnswer('yosys', run));
  }
  const misread = findMisread(run, bench.workspace);
  if (misread !== undefined) return ok(misread);
  const clashes = readClashes(at('drivers'), []);
  if (!clashes.ok) return err(unusable(clashes.error));
  for (const finding of clashes.value) bench.finding(finding);
  const [clash] = clashes.value;
  if (clash) return ok(clash.message);
  const modules = readYosysJson(at('drivers.json'));
  if (!modules.ok) return err(unusable(modules.error));
  for (const module of modules.value.values()) {
    const z = whereIs(module, 'z');
    if (z !== undefined) return ok(`the sources give z (${z}), of which yosys has no model`);
  }
  // The world outside may drive it, and the model knows of none.
  const ports = [...(modules.value.get(textIn(bench.values, 'top') ?? '')?.ports ?? [])];
  const inout = ports.find(([, { direction }]) => direction === 'inout');
  if (inout) return ok(`${inout[0]} is an inout, of which yosys has no model`);
  const flat = readYosysJson(at('flat.json'));
  return flat.ok ? ok(deadClock(flat.value)) : err(unusable(flat.error));
}

/** What is looked at under a clock that never ticks is never looked at, and Yosys finds no end. */
function deadClock(flat: ReadonlyMap<string, YosysModule>): string | undefined {
  for (const { cells } of flat.values()) {
    const held = new Set<Bit>();
    for (const { connections } of cells.values()) {
      const [clock] = connections.get('CLK') ?? [];
      if (typeof clock === 'string') for (const bit of connections.get('Q') ?? []) held.add(bit);
    }
    for (const { type, attributes, connections } of cells.values()) {
      const looksAt = [...(connections.get('A') ?? []), ...(connections.get('EN') ?? [])];
      if (!/^\$(?:assert|assume|cover|live|fair)$/.test(type)) continue;
      if (!looksAt.some((bit) => held.has(bit))) continue;
      const place = placeOfSource(attributes['src']) ?? 'one';
      return `a property is looked at under a clock that is a constant, so never (${place})`;
    }
  }
  return undefined;
}

/** What `check -assert` counts, it has said before; the first is enough for a summary. */
function checksOf({ log, stdout }: YosysRun): string[] {
  if (!log.error?.text.includes("in 'check -assert'")) return [];
  const said = /^Warning: (multiple conflicting drivers|found logic loop|.* has no driver).*$/m;
  return said.exec(stdout)?.[0].replace(/:$/, '').split('\n') ?? [];
}

const ANY_VALUE = 'setundef -undriven -anyseq';

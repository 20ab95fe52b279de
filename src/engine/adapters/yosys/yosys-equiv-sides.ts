import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprintFile } from '../../../fingerprint/file.ts';
import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { badValue, noAnswer, unusable } from '../no-answer.ts';
import { textIn, textsIn } from '../values.ts';
import { withoutComments } from '../verilog-text.ts';
import { readGiven, readWritten } from '../written.ts';
import { type LibertyCell, readLibertyCells } from './liberty-cells.ts';
import { readCheck } from './yosys-check.ts';
import { findClashes } from './yosys-drivers.ts';
import { hasAttribute, readYosysJson, whereIs, type YosysModule } from './yosys-json.ts';
import { findMisread } from './yosys-misread.ts';
import { oddPath, quoted, readVerilog, runYosys } from './yosys-script.ts';

/** One of the two designs, flattened to one module. */
export interface Side {
  readonly module: YosysModule;
  /** Path of the design for the next script; its module is called as {@link GOLD} or {@link GATE}. */
  readonly design: string;
}

export interface Sides {
  readonly gold: Side;
  readonly gate: Side;
}

export const GOLD = 'signoff_gold';
export const GATE = 'signoff_gate';

/** What was read; without sides there is a reason. */
export interface ReadSides {
  readonly opened: readonly string[];
  readonly figures: JsonObject;
  readonly sides: Sides | undefined;
  readonly why: string;
}

/** Reads the sources and the netlist, each by itself, and looks whether the netlist is one. */
export async function readSides(bench: Bench): Promise<Result<ReadSides, EnvelopeError>> {
  const { values, workspace } = bench;
  const top = textIn(values, 'top') ?? '';
  const netlist = textIn(values, 'netlist') ?? '';
  const liberty = textIn(values, 'liberty') ?? '';
  const odd = oddPath([netlist, liberty]);
  if (odd !== undefined) return err(badValue(odd));
  const sources = readVerilog(bench, ['-sv']);
  if (!sources.ok) return sources;
  // Only what it says of a function counts: a cell that has none may not be in the netlist.
  const models = `read_liberty -ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch ${quoted(liberty)}`;

  const opened: string[] = [];
  let figures: JsonObject = { top };
  const without = (why: string): Result<ReadSides, EnvelopeError> =>
    ok({ opened, figures, sides: undefined, why });

  const gold = await readSide(bench, 'gold', GOLD, [...sources.value, models]);
  if (!gold.ok) return gold;
  if (typeof gold.value === 'string') return without(gold.value);
  opened.push(...gold.value.opened);
  if (gold.value.misread !== undefined) return without(gold.value.misread);
  const gate = await readSide(bench, 'gate', GATE, [models, `read_verilog ${quoted(netlist)}`]);
  if (!gate.ok) return gate;
  if (typeof gate.value === 'string') return without(gate.value);
  opened.push(...gate.value.opened.filter((file) => !opened.includes(file)));

  const digest = fingerprintFile(resolve(workspace, netlist), netlist);
  if (!digest.ok) return without(digest.error.message);
  figures = { top, netlist: { path: netlist, fingerprint: digest.value } };
  for (const file of textsIn(values, 'files')) {
    if (isSame(workspace, file, netlist, digest.value)) {
      return without(`${netlist} is the same as ${file}: nothing was compared with the sources`);
    }
  }
  const directive = directiveIn(resolve(workspace, netlist));
  if (directive !== undefined) return without(`${netlist} ${directive}`);
  const cells = libertyCells(resolve(workspace, liberty));
  if (!cells.ok) return without(`${liberty} cannot be used: ${cells.error}`);
  const why = whyNoNetlist(gate.value.modules, cells.value);
  if (why !== undefined) return without(`${netlist} ${why}`);
  return ok({ opened, figures, sides: { gold: gold.value, gate: gate.value }, why: '' });
}

interface OneSide extends Side {
  readonly opened: readonly string[];
  readonly misread: string | undefined;
  /** As they were read, with the cells of the technology among them. */
  readonly modules: ReadonlyMap<string, YosysModule>;
}

/** @returns a sentence where there is nothing to compare */
async function readSide(
  bench: Bench,
  side: string,
  name: string,
  reads: readonly string[],
): Promise<Result<OneSide | string, EnvelopeError>> {
  const top = textIn(bench.values, 'top') ?? '';
  const at = (ending: string): string => join(bench.folder, `${side}${ending}`);
  const run = await runYosys(bench, side, [
    ...reads,
    `hierarchy -check -top ${top}`,
    'proc -noopt',
    `write_json ${at('.json')}`,
    `write_rtlil ${at('-drivers.il')}`,
    'opt_expr -keepdc',
    'setattr -mod -unset keep_hierarchy *',
    'flatten',
    'opt_clean',
    `tee -o ${at('-check.txt')} check`,
    'memory -nordff',
    // Words that a memory does not have: they were no wires when the drivers were looked for.
    'setundef -undriven -undef',
    'opt_clean',
    `rename ${top} ${name}`,
    // Drops every other module: the two designs are going to be read into one.
    `hierarchy -top ${name}`,
    `write_json ${at('-flat.json')}`,
    `write_rtlil ${at('.il')}`,
  ]);
  if (!run.ok) return run;
  const { log, isDone, opened } = run.value;
  for (const finding of log.findings) bench.finding(finding);
  if (!isDone) {
    return log.error === undefined ? err(noAnswer('yosys', run.value)) : ok(log.error.text);
  }
  const modules = readYosysJson(at('.json'));
  if (!modules.ok) return err(unusable(modules.error));
  const flat = readYosysJson(at('-flat.json'));
  if (!flat.ok) return err(unusable(flat.error));
  const report = readWritten(at('-check.txt'));
  const checked = report.ok ? readCheck(report.value, flat.value) : undefined;
  if (checked === undefined) return err(unusable('yosys did not say how many problems it found'));
  const module = flat.value.get(name);
  if (module === undefined) return err(unusable(`yosys did not write ${top}`));
  const whose = side === 'gold' ? 'the sources' : 'the netlist';
  const drivers = readWritten(at('-drivers.il'));
  if (!drivers.ok) return err(unusable(drivers.error));
  const findings = [
    ...checked.findings,
    ...findClashes(drivers.value, modules.value, checked.findings),
  ];
  if (checked.problems > 0 || findings.length > 0) {
    for (const finding of findings) bench.finding(finding);
    const [first] = findings;
    return ok(`${plural(findings.length, 'problem')} in ${whose}: ${first?.message ?? ''}`);
  }
  for (const one of modules.value.values()) {
    const z = whereIs(one, 'z');
    if (z !== undefined) return ok(`${whose} give z (${z}), of which yosys has no model`);
  }
  const box = [...module.cells.values()].find(({ type }) => !type.startsWith('$'));
  if (box) return ok(`${whose} hold ${box.type}, of which nobody knows what it does`);
  const misread = findMisread(run.value, bench.workspace);
  return ok({ module, design: at('.il'), opened, misread, modules: modules.value });
}

function libertyCells(path: string): Result<ReadonlyMap<string, LibertyCell>, string> {
  const text = readGiven(path);
  return text.ok ? readLibertyCells(text.value) : text;
}

/** Why what was read is no netlist: it is made of cells of the technology, and of nothing else. */
function whyNoNetlist(
  modules: ReadonlyMap<string, YosysModule>,
  liberty: ReadonlyMap<string, LibertyCell>,
): string | undefined {
  // What has a place in a source is no model of the Liberty file, whatever it is called.
  const isModel = (module: YosysModule | undefined): boolean =>
    module !== undefined && liberty.has(module.name) && !Object.hasOwn(module.attributes, 'src');
  let cells = 0;
  for (const module of modules.values()) {
    if (isModel(module)) continue;
    if (hasAttribute(module, 'blackbox')) return `leaves ${module.name} without contents`;
    if (liberty.has(module.name))
      return `defines ${module.name} itself, a cell of the Liberty file`;
    for (const { type } of module.cells.values()) {
      // Its model would drive the net at all times.
      if (liberty.get(type)?.isTriState)
        return `uses the tri-state ${type}, of which yosys has no model`;
      const why = liberty.get(type)?.unmodelled;
      if (why !== undefined) return `uses ${type}, which ${why}: yosys has no model of that`;
      if (isModel(modules.get(type))) cells++;
      else if (!modules.has(type)) return `holds logic that is no cell (${type})`;
    }
  }
  return cells === 0 ? 'has no cell of the Liberty file' : undefined;
}

/** Two tools may see two netlists in one file: what a directive leaves out depends on who reads it. */
function directiveIn(path: string): string | undefined {
  const text = readGiven(path);
  if (!text.ok) return `cannot be read: ${text.error}`;
  const found = /`(?:if(?:n?def)|els(?:if|e)|include|define)\b/.exec(withoutComments(text.value));
  return found ? `holds ${found[0]}: what it is depends on who reads it` : undefined;
}

function isSame(workspace: string, file: string, netlist: string, digest: string): boolean {
  try {
    const real = realpathSync(resolve(workspace, file));
    if (real === realpathSync(resolve(workspace, netlist))) return true;
    const other = fingerprintFile(real);
    return other.ok && other.value === digest;
  } catch {
    return false;
  }
}

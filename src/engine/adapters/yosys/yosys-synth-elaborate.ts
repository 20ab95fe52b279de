import { join, resolve } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Finding } from '../../evidence/finding.ts';
import type { Bench } from '../adapter.ts';
import { badOutput } from '../deliver.ts';
import { badValue, noAnswer, unusable } from '../no-answer.ts';
import { isOn, textIn, textsIn } from '../values.ts';
import { readGiven, readWritten } from '../written.ts';
import { type LibertyCell, readLibertyCells } from './liberty-cells.ts';
import { type CheckReport, readCheck } from './yosys-check.ts';
import { readClashes } from './yosys-drivers.ts';
import { readYosysJson, type YosysModule } from './yosys-json.ts';
import { findMisread } from './yosys-misread.ts';
import { oddPath, quoted, readVerilog, runYosys } from './yosys-script.ts';
import { findShortfalls, type Shortfalls } from './yosys-synth-shortfalls.ts';

/** What the field of the assertion is to say, and why. */
export interface Opinion {
  readonly clean: boolean | null;
  readonly summary: string;
}

/** The sources as they were read, before anything was optimized away. */
export interface Elaborated {
  readonly opened: readonly string[];
  readonly figures: JsonObject;
  /** Why there is nothing to synthesize; undefined when there is. */
  readonly verdict: Opinion | undefined;
  /** The design, for the next script. */
  readonly design: string;
  readonly liberty: ReadonlyMap<string, LibertyCell>;
  readonly latches: number;
}

/**
 * Reads the sources and looks for what is wrong with them: in the hierarchy as it is written, and
 * flattened, where a loop or a pin without a driver shows that crosses modules.
 */
export async function elaborate(bench: Bench): Promise<Result<Elaborated, EnvelopeError>> {
  const { values, folder } = bench;
  const top = textIn(values, 'top') ?? '';
  const liberty = textIn(values, 'liberty') ?? '';
  const odd = oddPath([liberty]);
  const refused =
    odd === undefined ? badOutput(bench, ['netlist', 'stat'], ['files', 'liberty']) : badValue(odd);
  if (refused) return err(refused);
  const sources = readVerilog(bench, ['-sv']);
  if (!sources.ok) return sources;
  const design = join(folder, 'design.il');
  const drivers = join(folder, 'drivers');
  const report = join(folder, 'check.txt');
  const flatReport = join(folder, 'check-flat.txt');
  const json = join(folder, 'design.json');
  const run = await runYosys(bench, 'elaborate', [
    ...sources.value,
    // After the sources: a module of theirs that has the name of a cell is then an error.
    `read_liberty -lib -ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch ${quoted(liberty)}`,
    `hierarchy -check -top ${top}`,
    'proc -noopt',
    `write_rtlil ${drivers}.il`,
    `write_json ${drivers}.json`,
    'opt_expr -keepdc',
    `write_rtlil ${design}`,
    `tee -o ${report} check`,
    'setattr -mod -unset keep_hierarchy *',
    'flatten',
    `tee -o ${flatReport} check`,
    `write_json ${json}`,
  ]);
  if (!run.ok) return run;
  const { log, isDone, opened } = run.value;
  for (const finding of log.findings) bench.finding(finding);
  const stopped = (clean: boolean | null, summary: string): Result<Elaborated, EnvelopeError> =>
    ok({
      opened,
      figures: { top, warnings: log.warnings },
      verdict: { clean, summary },
      design,
      liberty: new Map(),
      latches: 0,
    });
  if (!isDone) {
    if (log.error === undefined) return err(noAnswer('yosys', run.value));
    return stopped(log.error.isFault ? false : null, log.error.text);
  }

  const misread = findMisread(run.value, bench.workspace);
  if (misread !== undefined) return stopped(null, misread);
  const cells = readLiberty(resolve(bench.workspace, liberty));
  if (!cells.ok) return stopped(null, `${liberty} cannot be used: ${cells.error}`);
  const modules = readYosysJson(json);
  if (!modules.ok) return err(unusable(modules.error));
  const checked = readReports(report, flatReport, modules.value);
  if (!checked.ok) return err(unusable(checked.error));
  const clashes = readClashes(drivers, checked.value.findings);
  if (!clashes.ok) return err(unusable(clashes.error));
  const shortfalls = findShortfalls(modules.value, cells.value);
  const findings = [...checked.value.findings, ...clashes.value, ...shortfalls.findings];
  for (const finding of findings) bench.finding(finding);
  return ok({
    opened,
    figures: {
      top,
      warnings: log.warnings,
      problems: checked.value.problems + clashes.value.length + shortfalls.open,
      latches: shortfalls.latches,
      initial_values: shortfalls.initialValues,
      black_boxes: shortfalls.blackBoxes,
    },
    verdict: opinionOf(bench, findings, shortfalls),
    design,
    liberty: cells.value,
    latches: shortfalls.latches,
  });
}

function readLiberty(path: string): Result<ReadonlyMap<string, LibertyCell>, string> {
  const text = readGiven(path);
  if (!text.ok) return text;
  const cells = readLibertyCells(text.value);
  if (!cells.ok) return cells;
  return cells.value.size === 0 ? err('it has no cell') : cells;
}

/** The flat report names every place; what only the other one has is told as it stands. */
function readReports(
  report: string,
  flatReport: string,
  modules: ReadonlyMap<string, YosysModule>,
): Result<CheckReport, string> {
  const texts = [readWritten(flatReport), readWritten(report)];
  const found: CheckReport[] = [];
  for (const text of texts) {
    if (!text.ok) return text;
    const read = readCheck(text.value, modules);
    if (read === undefined) return err('yosys did not say how many problems it found');
    found.push(read);
  }
  const bad = found.find(({ problems }) => problems > 0) ?? found[0];
  return bad === undefined ? err('nothing was checked') : ok(bad);
}

const FAULTS = ['UNDRIVEN', 'MULTIDRIVEN', 'LOOP', 'CHECK', 'UNCONNECTED'];

function opinionOf(
  { values }: Bench,
  findings: readonly Finding[],
  { latches, triStates, blackBoxes }: Shortfalls,
): Opinion | undefined {
  if (triStates > 0) {
    const why = 'yosys takes z for a value that does not matter, so tri-states would be lost';
    return { clean: null, summary: `${plural(triStates, 'use')} of z in the sources: ${why}` };
  }
  const faults = findings.filter(({ code = '' }) => FAULTS.includes(code));
  if (faults.length > 0) {
    const why = faults[0]?.message ?? '';
    return { clean: false, summary: `${plural(faults.length, 'problem')} in the sources: ${why}` };
  }
  if (latches > 0 && !isOn(values, 'allow-latches')) {
    const message = findings.find(({ code }) => code === 'LATCH')?.message ?? '';
    const count = `${latches} latch${latches === 1 ? '' : 'es'}`;
    return { clean: false, summary: `${count} in the sources: ${message}` };
  }
  const allowed = textsIn(values, 'allow-black-boxes');
  const stray = blackBoxes.filter((name) => !allowed.includes(name));
  if (stray.length > 0) {
    const named = stray.slice(0, 3).join(', ');
    return {
      clean: null,
      summary: `${stray.length} without contents and not named in allow-black-boxes: ${named}`,
    };
  }
  return undefined;
}

import { realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprintFile } from '../../../fingerprint/file.ts';
import type { Fingerprint } from '../../../values/brands.ts';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { badOutput, deliver } from '../deliver.ts';
import { badValue, unusable } from '../no-answer.ts';
import { pathFrom } from '../source-texts.ts';
import { numberIn, textIn, textsIn } from '../values.ts';
import { modulesDefined } from '../verilog-text.ts';
import { readGiven, readWritten } from '../written.ts';
import { readStaConstraints } from './opensta-constraints.ts';
import { PATHS } from './opensta-defaults.ts';
import { readStaMessages, type StaMessages } from './opensta-messages.ts';
import { readStaRecords, type StaRecords } from './opensta-records.ts';
import { oddName, staScript } from './opensta-script.ts';
import { readSpef, type SpefNets } from './opensta-spef.ts';
import { judgeTiming, type StaJudgement } from './opensta-verdict.ts';

export async function analyze(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const { values, workspace, folder, nonce } = bench;
  const given = {
    top: textIn(values, 'top') ?? '',
    netlist: textIn(values, 'netlist') ?? '',
    sdc: textIn(values, 'sdc') ?? '',
    spef: textIn(values, 'spef'),
    liberties: textsIn(values, 'liberty'),
  };
  const paths = numberIn(values, 'max-paths') ?? PATHS;
  const files = [given.netlist, given.sdc, ...given.liberties];
  if (given.spef !== undefined) files.push(given.spef);
  const odd = oddName([...files, folder]);
  if (odd !== undefined) return err(badValue(odd));
  const badReport = badOutput(bench, ['report'], ['netlist', 'sdc', 'liberty', 'spef']);
  if (badReport) return err(badReport);

  const opened = files.map((file) => pathFrom(workspace, file));
  const early = (summary: string): Result<AdapterAnswer, EnvelopeError> =>
    ok({ payload: { met: null, summary, top: given.top }, opened });
  const before = digestOf(workspace, given.netlist);
  if (!before.ok) return early(before.error);
  const twice = definedTwice(given.netlist, workspace);
  if (twice !== undefined) return early(twice);
  const library = faultOfLibraries(given.liberties, workspace);
  if (library !== undefined) return early(library);

  const at = (name: string): string => join(folder, name);
  const written = { records: at('records'), constraints: at('constraints'), report: at('report') };
  const script = staScript({ ...given, ...written, paths, nonce });
  writeFileSync(at('script.tcl'), script, { flag: 'wx' });
  const done = await bench.step({
    program: 'sta',
    args: ['-no_init', '-no_splash', '-exit', at('script.tcl')],
  });
  if (!done.ok) return done;
  const messages = readStaMessages(done.value.stdout, done.value.stderr);
  const text = readWritten(written.records);
  const records = text.ok ? readStaRecords(text.value, nonce) : text;
  if (!records.ok) return err(unusable(records.error));
  const after = digestOf(workspace, given.netlist);
  if (!after.ok || after.value !== before.value) {
    return early(`${given.netlist} changed while it was read`);
  }
  const spef = records.value.stopped ? ok(undefined) : spefNets(given.spef, workspace);
  if (!spef.ok) return early(`${given.spef} ${spef.error}`);
  const judged = judge(bench, messages, records.value, written.constraints, spef.value);
  if (!judged.ok) return err(unusable(judged.error));
  for (const finding of judged.value.findings) bench.finding(finding);

  const { met, summary, figures } = judged.value;
  const report = textIn(values, 'report');
  if (met !== null && report !== undefined) {
    const failed = deliver(bench, written.report, report);
    if (failed) return err(failed);
  }
  return ok({
    payload: {
      met,
      summary,
      top: given.top,
      ...figures,
      netlist: { path: given.netlist, fingerprint: before.value },
      ...(met === null || report === undefined ? {} : { report_path: report }),
    },
    opened: [
      ...new Set([...opened, ...records.value.sdcFiles.map((file) => pathFrom(workspace, file))]),
    ],
  });
}

function judge(
  { values }: Bench,
  messages: StaMessages,
  records: StaRecords,
  constraints: string,
  spef: SpefNets | undefined,
): Result<StaJudgement, string> {
  const rules = {
    allowUnconstrained: textsIn(values, 'allow-unconstrained'),
    allowWarnings: textsIn(values, 'allow-warnings'),
    spef,
    most: numberIn(values, 'max-paths') ?? PATHS,
  };
  if (records.stopped) return ok(judgeTiming(messages, records, readStaConstraints(''), rules));
  const text = readWritten(constraints);
  return text.ok ? ok(judgeTiming(messages, records, readStaConstraints(text.value), rules)) : text;
}

/** The digest of the file itself, also where the path is a link to it. */
function digestOf(workspace: string, path: string): Result<Fingerprint, string> {
  let real: string;
  try {
    real = realpathSync(resolve(workspace, path));
  } catch {
    return err(`${path} is not there`);
  }
  const digest = fingerprintFile(real, path);
  return digest.ok ? digest : err(digest.error.message);
}

/** Of two modules of one name the tool takes the last, without a word. */
function definedTwice(netlist: string, workspace: string): string | undefined {
  const text = readGiven(resolve(workspace, netlist));
  if (!text.ok) return text.error;
  const names = modulesDefined(text.value).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `${netlist} defines the module ${twice} twice`;
}

/**
 * A Liberty file may include others, which the tool does not name; and of two cells of one name,
 * those of two corners say, it takes the last, without a word.
 */
function faultOfLibraries(liberties: readonly string[], workspace: string): string | undefined {
  const definedIn = new Map<string, string>();
  // One file twice is what the tool itself warns of.
  const files = new Map(liberties.map((liberty) => [pathFrom(workspace, liberty), liberty]));
  for (const liberty of files.values()) {
    const text = readGiven(resolve(workspace, liberty));
    if (!text.ok) return text.error;
    if (/\binclude_file\b/.test(text.value)) {
      return `${liberty} includes another file: put its text there, or list it in liberty`;
    }
    for (const cell of cellNames(text.value)) {
      const other = definedIn.get(cell);
      if (other === liberty) return `${liberty} defines the cell ${cell} twice`;
      if (other !== undefined) {
        return `${liberty} defines the cell ${cell}, as ${other} does: give the files of one corner`;
      }
      definedIn.set(cell, liberty);
    }
  }
  return undefined;
}

function cellNames(liberty: string): string[] {
  const code = liberty.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  return [...code.matchAll(/\bcell\s*\(\s*"?([^")\s]+)"?\s*\)/g)].map(([, name = '']) => name);
}

function spefNets(
  spef: string | undefined,
  workspace: string,
): Result<SpefNets | undefined, string> {
  if (spef === undefined) return ok(undefined);
  const text = readGiven(resolve(workspace, spef));
  return text.ok ? readSpef(text.value) : err(`cannot be read: ${text.error}`);
}

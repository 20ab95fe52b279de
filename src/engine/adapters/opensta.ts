import { realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprintFile } from '../../fingerprint/file.ts';
import type { Fingerprint } from '../../values/brands.ts';
import { err, ok, type Result } from '../../values/result.ts';
import type { EnvelopeError } from '../envelope.ts';
import type { Adapter, AdapterAnswer, Bench } from './adapter.ts';
import { badOutput, deliver } from './deliver.ts';
import { badValue, unusable } from './no-answer.ts';
import { readStaConstraints } from './opensta/opensta-constraints.ts';
import { readStaMessages, type StaMessages } from './opensta/opensta-messages.ts';
import { readStaRecords, type StaRecords } from './opensta/opensta-records.ts';
import { oddName, staScript } from './opensta/opensta-script.ts';
import { judgeTiming, type StaJudgement } from './opensta/opensta-verdict.ts';
import { ONE_PATH, TOP } from './parameters.ts';
import { pathFrom } from './source-texts.ts';
import { numberIn, textIn, textsIn } from './values.ts';
import { readGiven, readWritten } from './written.ts';

/** Patterns of names; the gate takes none of them for files. */
const NAME_PATTERN = { type: 'string', minLength: 1, format: 'name-pattern' };

/** Paths of the report and findings, when nothing else is said. */
const PATHS = 10;

/**
 * Static timing analysis by OpenSTA. The tool says "met" of whatever it was given, half a set of
 * constraints and no path at all included: so every end of a path is looked for, and a pass needs
 * each of them timed, for setup and for hold.
 */
export const opensta: Adapter = {
  name: 'opensta',
  revision: 1,
  programs: [{ name: 'sta', version: ['-version'], tested: '>=2.0.17 <2.1.0', package: 'opensta' }],
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'opensta',
    summary: 'Static timing analysis of a netlist with OpenSTA, setup and hold together.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: [
        '--top',
        '{top}',
        '--netlist',
        '{netlist}',
        '--sdc',
        '{sdc}',
        '--liberty',
        '{liberty}',
      ],
      optional: [
        { arg: 'spef', flag: '--spef' },
        { arg: 'allow-unconstrained', flag: '--allow-unconstrained' },
        { arg: 'allow-warnings', flag: '--allow-warning' },
        { arg: 'report', flag: '--report' },
        { arg: 'max-paths', flag: '--max-paths' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'netlist', 'sdc', 'liberty'],
      properties: {
        top: TOP,
        netlist: { ...ONE_PATH, description: 'The netlist, as Verilog, all modules in one file.' },
        sdc: { ...ONE_PATH, description: 'The constraints; it may source others.' },
        liberty: {
          type: 'array',
          minItems: 1,
          items: ONE_PATH,
          description: 'The Liberty files of one corner.',
        },
        spef: { ...ONE_PATH, description: 'The parasitics; without it, nets have no delay.' },
        'allow-unconstrained': {
          type: 'array',
          items: NAME_PATTERN,
          description:
            'Ports and pins (`*` and `?` may be used) that need no constraint, path or driver.',
        },
        'allow-warnings': {
          type: 'array',
          items: NAME_PATTERN,
          description: 'Texts of warnings (`*` and `?` may be used) that are no reason to doubt.',
        },
        report: { ...ONE_PATH, description: 'Where the worst paths go, as text.' },
        'max-paths': {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
          description: `Most paths in the report, and violations shown: ${PATHS} when not given.`,
        },
      },
    },
    artifacts: [{ role: 'timing_report', field: 'report_path' }],
    assertion: {
      id: 'timing-met',
      field: 'met',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'One corner. What exceptions in the SDC leave out (false paths, disabled arcs) is left out.',
      'An SDC is a program. It runs apart from the rest, with the commands of SDC alone, and can still constrain in any way.',
      'Slews, loads and fanouts are not judged, nor noise; without SPEF, wires have no delay.',
    ],
  },
  run: analyze,
};

async function analyze(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
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
  const included = includedLiberty(given.liberties, workspace);
  if (included !== undefined) return early(included);

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
  const judged = judge(bench, messages, records.value, written.constraints, given.spef);
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
  spef: string | undefined,
): Result<StaJudgement, string> {
  const rules = {
    allowUnconstrained: textsIn(values, 'allow-unconstrained'),
    allowWarnings: textsIn(values, 'allow-warnings'),
    hasParasitics: spef !== undefined,
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

/** A Liberty file may include others, which the tool does not name. */
function includedLiberty(liberties: readonly string[], workspace: string): string | undefined {
  for (const liberty of liberties) {
    const text = readGiven(resolve(workspace, liberty));
    if (!text.ok) return text.error;
    if (/\binclude_file\b/.test(text.value)) {
      return `${liberty} includes another file: put its text there, or list it in liberty`;
    }
  }
  return undefined;
}

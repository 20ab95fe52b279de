import { join } from 'node:path';
import { err, ok, type Result } from '../../values/result.ts';
import type { EnvelopeError } from '../envelope.ts';
import type { Adapter, AdapterAnswer, AdapterProgram, Bench } from './adapter.ts';
import { badValue } from './no-answer.ts';
import { DEFINES, FILES, INCLUDE_DIRS, ONE_PATH, TOP } from './parameters.ts';
import {
  MIN_CHECKS,
  minChecksIn,
  PLUSARGS,
  plusargsOf,
  RESULT_PATTERN,
  readerFor,
} from './simulation/simulation-parameters.ts';
import { type Judgement, judgeRun } from './simulation/simulation-verdict.ts';
import {
  definesNamedModule,
  namedDataFiles,
  pathFrom,
  type SourceTexts,
  whyNotSimulated,
} from './source-texts.ts';
import { isOn, numberIn, textIn, textsIn } from './values.ts';
import { build, elaborate, seedIn } from './verilator/verilator-build.ts';
import { judgeCoverage } from './verilator/verilator-coverage.ts';
import type { Elaboration } from './verilator/verilator-elaboration.ts';
import { MODEL, whyUnended } from './verilator/verilator-main.ts';
import { VERILATOR } from './verilator/verilator-programs.ts';
import { readRunMessages } from './verilator/verilator-run-messages.ts';
import { buildsNoModule } from './verilog-text.ts';

const COVERAGE: readonly AdapterProgram[] = [
  {
    name: 'verilator_coverage',
    version: ['--version'],
    tested: '>=5.6.0 <5.7.0',
    package: 'verilator',
  },
  {
    name: 'verilator_coverage_bin_dbg',
    beside: {
      program: 'verilator_coverage',
      paths: ['verilator_coverage_bin_dbg', '../share/verilator/bin/verilator_coverage_bin_dbg'],
    },
    package: 'verilator',
  },
];

/**
 * Verilator as a simulator, with a main program of ours. The verdict comes from the result line of
 * the testbench (docs/testbench.md), bound to the run, from failed assertions, from what was
 * elaborated, and, where it is asked for, from the lines that were reached.
 */
export const verilatorSim: Adapter = {
  name: 'verilator-sim',
  revision: 1,
  programs: [
    ...VERILATOR,
    {
      // It is compiled into every simulation.
      name: 'verilated.cpp',
      beside: {
        program: 'verilator',
        paths: ['../share/verilator/include/verilated.cpp', '../include/verilated.cpp'],
      },
      package: 'verilator',
    },
    { name: 'make', version: ['--version'], tested: '>=4.3.0 <4.4.0', package: 'make' },
    { name: 'g++', version: ['--version'], tested: '>=12.0.0 <13.0.0', package: 'g++' },
    ...COVERAGE,
  ],
  spares: (values) => (isOn(values, 'coverage') ? [] : COVERAGE.map(({ name }) => name)),
  descriptor: {
    schema: 'vyges-tool-descriptor/1.1',
    name: 'verilator-sim',
    summary:
      'Runs a self-checking testbench with Verilator: its checks and assertions pass, enough lines are reached.',
    maturity: 'workflow-validated',
    invocation: {
      args_template: ['--top', '{top}', '{files}'],
      optional: [
        { arg: 'include-dirs', flag: '-I' },
        { arg: 'defines', flag: '-D' },
        { arg: 'plusargs', flag: '--plusarg' },
        { arg: 'min-checks', flag: '--min-checks' },
        { arg: 'result-pattern', flag: '--result-pattern' },
        { arg: 'seed', flag: '--seed' },
        { arg: 'coverage', flag: '--coverage' },
        { arg: 'min-line-coverage', flag: '--min-line-coverage' },
        { arg: 'coverage-files', flag: '--coverage-file' },
        { arg: 'allow-coverage-off', flag: '--allow-coverage-off' },
      ],
    },
    inputs: {
      type: 'object',
      required: ['top', 'files'],
      properties: {
        top: { ...TOP, description: 'The module of the testbench.' },
        files: FILES,
        'include-dirs': INCLUDE_DIRS,
        defines: DEFINES,
        plusargs: PLUSARGS,
        'min-checks': MIN_CHECKS,
        'result-pattern': RESULT_PATTERN,
        seed: {
          type: 'integer',
          minimum: 1,
          maximum: 2147483647,
          description: 'Where $urandom and values without a start begin; 1 when not given.',
        },
        coverage: {
          type: 'boolean',
          description: 'Count the lines that the simulation reaches, against min-line-coverage.',
        },
        'min-line-coverage': {
          type: 'number',
          minimum: 0,
          maximum: 1,
          description: 'The share of lines that must be reached; needed with coverage.',
        },
        'coverage-files': {
          type: 'array',
          minItems: 1,
          items: ONE_PATH,
          description:
            'The files whose lines count; when not given, all that hold modules but the one of the testbench.',
        },
        'allow-coverage-off': {
          type: 'boolean',
          description: 'Accept sources that keep lines out of coverage.',
        },
      },
    },
    assertion: {
      id: 'simulation-passed',
      field: 'passed',
      pass_when: { is_true: true },
      summary_field: 'summary',
    },
    provenance_limitations: [
      'How many checks were made is the word of the testbench.',
      'A bit is 0 or 1: where it would be unknown or floating it has a value of chance, and a check may pass by it.',
      'A line counts as reached when every branch that begins on it was taken.',
      'Files that are read while the simulation runs are seen if their names stand in the sources or the arguments.',
    ],
  },
  run: simulate,
};

async function simulate(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const { values, workspace, folder, nonce } = bench;
  const plusargs = plusargsOf(values, nonce);
  if (!plusargs.ok) return plusargs;
  const reader = readerFor(values, nonce);
  if (!reader.ok) return reader;
  const refused = whyRefused(bench);
  if (refused !== undefined) return err(badValue(refused));

  const elaborated = await elaborate(bench);
  if (!elaborated.ok) return elaborated;
  if ('answer' in elaborated.value) return ok(elaborated.value.answer);
  const { found, sources, figures } = elaborated.value;
  const coverage = isOn(values, 'coverage') ? join(folder, 'coverage.dat') : undefined;
  const built = await build(bench, coverage, figures);
  if (!built.ok) return built;
  if (built.value) return ok(built.value);

  const settings = [...textsIn(values, 'plusargs'), ...textsIn(values, 'defines')];
  const data = namedDataFiles(sources, settings, workspace);
  const ran = await bench.step({
    program: join(folder, 'obj', MODEL),
    args: plusargs.value,
    // 1 is ours: an assertion failed, or $stop was called.
    answers: [0, 1],
  });
  if (!ran.ok) return ran;
  const lines = ran.value.stdout.split('\n');
  const said = readRunMessages(lines, ran.value.stderr, found.files);
  for (const finding of said.findings) bench.finding(finding);
  const results = reader.value(lines);
  if (!results.ok) return results;
  const judged = judgeRun('the simulation', ran.value, said, results.value, minChecksIn(values));
  if (!judged.ok) return judged;

  const answer = (judgement: Judgement): Result<AdapterAnswer, EnvelopeError> =>
    ok({
      payload: {
        passed: judgement.passed,
        summary: judgement.summary,
        ...figures,
        ...judged.value.figures,
        seed: seedIn(bench),
        ...judgement.figures,
      },
      opened: [...new Set([...sources.keys(), ...data])],
    });
  if (judged.value.passed !== true) return answer({ ...judged.value, figures: {} });
  const [result] = results.value.lines;
  const why = whyUnended(lines, nonce, result?.index ?? 0) ?? whyNotWhole(bench, found, sources);
  if (why !== undefined) return answer({ passed: null, summary: why, figures: {} });
  if (coverage === undefined) return answer({ ...judged.value, figures: {} });

  const covered = await judgeCoverage(bench, coverage, coverageFiles(bench), sources);
  if (!covered.ok) return covered;
  const { passed, summary, figures: lineFigures } = covered.value;
  return answer({
    passed,
    summary: passed === true ? `${judged.value.summary}; ${summary}` : summary,
    figures: lineFigures,
  });
}

/** Why a pass proves nothing of the listed files all the same. */
function whyNotWhole(bench: Bench, found: Elaboration, sources: SourceTexts): string | undefined {
  const { values, workspace } = bench;
  const top = textIn(values, 'top') ?? '';
  if (found.top !== top) return `${top} is not what was elaborated`;
  return whyNotSimulated(textsIn(values, 'files'), found.moduleFiles, sources, top, workspace);
}

function coverageFiles(bench: Bench): string[] {
  const { values, workspace } = bench;
  const named = pathsOf(bench, 'coverage-files');
  if (named.length > 0) return named;
  const top = textIn(values, 'top') ?? '';
  return pathsOf(bench, 'files').filter((file) => {
    const path = join(workspace, file);
    return !file.endsWith('.vlt') && !buildsNoModule(path) && !definesNamedModule(path, top);
  });
}

function pathsOf({ values, workspace }: Bench, name: string): string[] {
  return textsIn(values, name).map((file) => pathFrom(workspace, file));
}

function whyRefused(bench: Bench): string | undefined {
  const { values } = bench;
  const files = textsIn(values, 'files');
  // It loses its way in names with blanks, and replaces $NAME from the environment.
  const odd = [...files, ...textsIn(values, 'include-dirs')].find((path) =>
    /[\s"'`$\\]/.test(path),
  );
  if (odd !== undefined) return `verilator cannot be given the path ${JSON.stringify(odd)}`;
  const foreign = files.find((path) => !/\.(?:v|sv|vh|svh|vlt)$/i.test(path));
  if (foreign !== undefined) {
    return `${foreign}: verilator-sim takes sources that end in .v, .sv, .vh, .svh or .vlt`;
  }
  if (isOn(values, 'coverage') && numberIn(values, 'min-line-coverage') === undefined) {
    return 'parameter `min-line-coverage`: it is needed with coverage';
  }
  const idle = ['min-line-coverage', 'coverage-files', 'allow-coverage-off'].find((name) =>
    Object.hasOwn(values, name),
  );
  if (!isOn(values, 'coverage') && idle !== undefined) {
    return `parameter \`${idle}\`: it has no meaning without coverage: true`;
  }
  return undefined;
}

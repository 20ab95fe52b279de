import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { badValue } from '../no-answer.ts';
import { minChecksIn, plusargsOf, readerFor } from '../simulation/simulation-parameters.ts';
import { type Judgement, judgeRun } from '../simulation/simulation-verdict.ts';
import {
  definesNamedModule,
  namedDataFiles,
  pathFrom,
  type SourceTexts,
  whyNotSimulated,
} from '../source-texts.ts';
import { isOn, numberIn, textIn, textsIn } from '../values.ts';
import { buildsNoModule } from '../verilog-text.ts';
import { build, elaborate, seedIn } from './verilator-build.ts';
import { judgeCoverage } from './verilator-coverage.ts';
import type { Elaboration } from './verilator-elaboration.ts';
import { MODEL, whyUnended } from './verilator-main.ts';
import { readRunMessages } from './verilator-run-messages.ts';

export async function simulate(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
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

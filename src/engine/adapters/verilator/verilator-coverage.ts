import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import { readLcov } from '../../evidence/lcov.ts';
import type { Bench } from '../adapter.ts';
import { unusable } from '../no-answer.ts';
import type { Judgement } from '../simulation/simulation-verdict.ts';
import { pathFrom, type SourceTexts } from '../source-texts.ts';
import { isOn, numberIn, textsIn } from '../values.ts';
import { readWritten } from '../written.ts';
import { coverageEnd } from './verilator-main.ts';

/**
 * Judges the lines that a simulation has reached, of the listed files alone. `verilator_coverage`
 * takes a file that is empty or cut for one with little in it: it is looked at before.
 *
 * @param data absolute path of what the simulation has written
 */
export async function judgeCoverage(
  bench: Bench,
  data: string,
  files: readonly string[],
  sources: SourceTexts,
): Promise<Result<Judgement, EnvelopeError>> {
  const { folder, workspace, nonce, values } = bench;
  if (files.length === 0) {
    const why = 'every listed file is of the testbench: name those that count in coverage-files';
    return ok({ passed: null, summary: why, figures: {} });
  }
  const written = readWritten(data);
  if (!written.ok) return err(unusable(written.error));
  const damage = damageIn(written.value, nonce);
  if (damage !== undefined) return err(unusable(`coverage.dat ${damage}`));
  const info = join(folder, 'coverage.info');
  const converted = await bench.step({
    program: 'verilator_coverage',
    args: ['--write-info', info, data],
  });
  if (!converted.ok) return converted;
  const trace = readWritten(info);
  if (!trace.ok) return err(unusable(trace.error));
  const minLineCoverage = numberIn(values, 'min-line-coverage') ?? 1;
  const read = readLcov(trace.value, { minLineCoverage, files, workspace });
  if (!read.ok) return err(unusable(read.error.message));
  const { passed, summary, lines, lines_hit, line_coverage, files: covered } = read.value;
  const reason = passed === null ? `: name those that have lines in coverage-files` : '';
  const off = switchedOff(bench, files, sources);
  const isAllowed = isOn(values, 'allow-coverage-off');
  const figures = {
    line_coverage,
    lines,
    lines_hit,
    covered_files: covered,
    min_line_coverage: minLineCoverage,
    coverage_off: off.length,
    coverage_off_allowed: isAllowed,
  };
  const place = plural(off.length, 'place');
  if (passed === true && off.length > 0 && !isAllowed) {
    const named = off.slice(0, 3).join(', ');
    const why = `lines are kept out of coverage at ${place}: ${named}`;
    return ok({ passed: null, summary: why, figures });
  }
  const allowed = isAllowed ? `; lines kept out of it are allowed (${place})` : '';
  return ok({
    passed: typeof passed === 'boolean' ? passed : null,
    summary: `${String(summary)}${reason}${allowed}`,
    figures,
  });
}

/** What is wrong with the data of a simulation, as the end of a sentence. */
export function damageIn(text: string, nonce: string): string | undefined {
  const [head, ...points] = text.split('\n');
  if (head !== '# SystemC::Coverage-3') return 'is not what the simulation writes';
  if (points.pop() !== '' || points.pop() !== coverageEnd(nonce)) return 'was cut short';
  const odd = points.findIndex((line) => !/^C '[^']+' \d+$/.test(line));
  return odd === -1 ? undefined : `is damaged at line ${odd + 2}`;
}

const OFF = /\bcoverage_(?:block_)?off\b/;

/** Where the files that count, what they include and configurations keep lines out, in comments mostly. */
function switchedOff(
  { values, workspace }: Bench,
  files: readonly string[],
  sources: SourceTexts,
): string[] {
  const listed = textsIn(values, 'files').map((file) => pathFrom(workspace, file));
  return [...sources].flatMap(([file, text]) => {
    const isOther = listed.includes(file) && !files.includes(file) && !file.endsWith('.vlt');
    if (isOther) return [];
    return text
      .split('\n')
      .flatMap((line, index) => (OFF.test(line) ? [`${file}:${index + 1}`] : []));
  });
}

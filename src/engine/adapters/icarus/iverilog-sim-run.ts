import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { badValue, noAnswer, unusable } from '../no-answer.ts';
import { minChecksIn, plusargsOf, readerFor } from '../simulation/simulation-parameters.ts';
import { judgeRun } from '../simulation/simulation-verdict.ts';
import {
  checkedBranch,
  namedDataFiles,
  optimisticComparisons,
  pathFrom,
  readSources,
  type SourceTexts,
  whyNotSimulated,
  withIncludes,
} from '../source-texts.ts';
import { isOn, textIn, textsIn } from '../values.ts';
import { readWritten } from '../written.ts';
import { readCompileMessages } from './iverilog-messages.ts';
import { END_MODULE, endModule, whyUnended } from './vvp-end.ts';
import { type Hierarchy, readHierarchy } from './vvp-hierarchy.ts';
import { readRunMessages } from './vvp-messages.ts';

/** `iverilog` exits with the number of errors, `vvp` with what `$finish_and_return` is given. */
const ANY_CODE = Array.from({ length: 256 }, (_, code) => code);

export async function simulate(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const { values, workspace, folder, nonce } = bench;
  const files = textsIn(values, 'files');
  const top = textIn(values, 'top') ?? '';
  const plusargs = plusargsOf(values, nonce);
  if (!plusargs.ok) return plusargs;
  const reader = readerFor(values, nonce);
  if (!reader.ok) return reader;
  const refused = whyRefused([...files, ...textsIn(values, 'include-dirs')]);
  if (refused !== undefined) return err(badValue(refused));

  const compiledPath = join(folder, 'sim.vvp');
  const openedPath = join(folder, 'opened');
  const endPath = join(folder, 'end.v');
  writeFileSync(endPath, endModule(nonce));
  const compiled = await bench.step({
    program: 'iverilog',
    args: [
      '-g2012',
      '-Wall',
      // A module without a time unit, as ours is, would be told of every time.
      '-Wno-timescale',
      '-s',
      END_MODULE,
      '-s',
      top,
      '-M',
      openedPath,
      '-o',
      compiledPath,
      ...textsIn(values, 'include-dirs').map((dir) => `-I${dir}`),
      ...textsIn(values, 'defines').map((define) => `-D${define}`),
      endPath,
      ...files,
    ],
    answers: ANY_CODE,
  });
  if (!compiled.ok) return compiled;
  const messages = readCompileMessages(compiled.value.stderr, endPath);
  for (const finding of messages.findings) bench.finding(finding);
  const compile = { top, compile_warnings: messages.warnings, compile_errors: messages.errors };
  const compileFailed = (passed: false | null, summary: string) =>
    ok({ payload: { passed, summary, ...compile }, opened: [] });
  if (messages.obstacle !== undefined) return compileFailed(null, messages.obstacle);
  if (compiled.value.exitCode !== 0) {
    if (messages.errors === 0) return err(noAnswer('iverilog', compiled.value));
    const count = plural(messages.errors, 'error');
    return compileFailed(false, `${count} in the sources: ${messages.first ?? ''}`);
  }
  if (messages.first !== undefined) return compileFailed(null, messages.first);

  const built = readBuilt({ compiledPath, openedPath, endPath }, top, workspace);
  if (!built.ok) return err(unusable(built.error));
  const { hierarchy, sources } = built.value;
  const data = namedDataFiles(
    sources,
    [...textsIn(values, 'plusargs'), ...textsIn(values, 'defines')],
    workspace,
  );

  const ran = await bench.step({
    program: 'vvp',
    args: ['-N', compiledPath, ...plusargs.value],
    answers: ANY_CODE,
  });
  if (!ran.ok) return ran;
  const lines = ran.value.stdout.split('\n');
  const said = readRunMessages(lines, ran.value.stderr, hierarchy.names);
  for (const finding of said.findings) bench.finding(finding);
  const results = reader.value(lines);
  if (!results.ok) return results;
  const judged = judgeRun('vvp', ran.value, said, results.value, minChecksIn(values));
  if (!judged.ok) return judged;

  const optimistic = withIncludes(hierarchy.topFile, sources).flatMap((file) =>
    optimisticComparisons(file, sources),
  );
  const isAllowed = isOn(values, 'allow-x-optimism');
  const evidence = {
    ...compile,
    ...judged.value.figures,
    modules: hierarchy.modules,
    files: hierarchy.files.length,
    optimistic_comparisons: optimistic.length,
    x_optimism_allowed: isAllowed,
  };
  const answer = (passed: boolean | null, summary: string): Result<AdapterAnswer, EnvelopeError> =>
    ok({
      payload: { passed, summary, ...evidence },
      opened: [...new Set([...sources.keys(), ...data])],
    });
  const { passed, summary } = judged.value;
  if (passed !== true) return answer(passed, summary);
  const [result] = results.value.lines;
  const why =
    whyUnended(lines, nonce, result?.index ?? 0) ??
    whyNotSimulated(files, hierarchy.files, sources, top, workspace) ??
    whyUnchecked(sources);
  if (why !== undefined) return answer(null, why);
  const count = plural(optimistic.length, 'comparison');
  if (isAllowed) {
    return answer(
      true,
      `${summary}; comparisons that unknown values slip through are allowed (${count})`,
    );
  }
  if (optimistic.length === 0) return answer(true, summary);
  return answer(
    null,
    `${count} with == or !=, which unknown values slip through, at ${optimistic.slice(0, 3).join(', ')}: use === and !==, or say allow-x-optimism`,
  );
}

/** It takes these words for none (11.0): a case that none of its branches is for goes unseen. */
function whyUnchecked(sources: SourceTexts): string | undefined {
  const place = checkedBranch(sources);
  return (
    place && `the branches at ${place} are unique or have priority, which iverilog does not check`
  );
}

interface Built {
  readonly hierarchy: Hierarchy;
  /** Everything that was compiled, by path from the workspace. */
  readonly sources: SourceTexts;
}

function readBuilt(
  {
    compiledPath,
    openedPath,
    endPath,
  }: Readonly<Record<'compiledPath' | 'openedPath' | 'endPath', string>>,
  top: string,
  workspace: string,
): Result<Built, string> {
  const compiled = readWritten(compiledPath);
  if (!compiled.ok) return compiled;
  const hierarchy = readHierarchy(compiled.value, top);
  if (!hierarchy.ok) return hierarchy;
  const opened = readWritten(openedPath);
  if (!opened.ok) return opened;
  const listed = opened.value.split('\n').filter((line) => line !== '' && line !== endPath);
  const sources = readSources(
    listed.map((file) => pathFrom(workspace, file)),
    workspace,
  );
  if (!sources.ok) return sources;
  const files = [...new Set(hierarchy.value.files.map((file) => pathFrom(workspace, file)))];
  const topFile = pathFrom(workspace, hierarchy.value.topFile);
  if (!sources.value.has(topFile))
    return err(`the file that defines ${top} is not among those read`);
  return ok({ hierarchy: { ...hierarchy.value, files, topFile }, sources: sources.value });
}

/** It hands the names on in a list, a line each, and takes what ends in .vhd for another language. */
function whyRefused(paths: readonly string[]): string | undefined {
  const odd = paths.find((path) => /[\r\n]|^\s|\s$/.test(path));
  if (odd !== undefined) return `iverilog cannot be given the path ${JSON.stringify(odd)}`;
  const vhdl = paths.find((path) => /\.vhdl?$/i.test(path));
  return vhdl === undefined
    ? undefined
    : `${vhdl}: iverilog-sim simulates Verilog and SystemVerilog`;
}

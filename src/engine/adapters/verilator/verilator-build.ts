import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import { plural, printable } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { pathFrom, readSources, type SourceTexts } from '../source-texts.ts';
import { numberIn, textIn, textsIn } from '../values.ts';
import { readWritten } from '../written.ts';
import { type Elaboration, readElaboration } from './verilator-elaboration.ts';
import { MODEL, simulationMain } from './verilator-main.ts';
import { readMessages } from './verilator-messages.ts';

/** What Verilator makes of the sources. */
export interface Elaborated {
  readonly found: Elaboration;
  /** Everything that was compiled, by path from the workspace. */
  readonly sources: SourceTexts;
  /** Fields of the payload. */
  readonly figures: JsonObject;
}

/** Has Verilator read the sources; where what it says is an answer already, the answer. */
export async function elaborate(
  bench: Bench,
): Promise<Result<Elaborated | { readonly answer: AdapterAnswer }, EnvelopeError>> {
  const { workspace, folder, values } = bench;
  const xml = join(folder, 'elaborated.xml');
  const done = await bench.step({
    program: 'verilator',
    args: ['--xml-only', '--xml-output', xml, ...sourceArguments(bench)],
    answers: [0, 1],
  });
  if (!done.ok) return done;
  const messages = readMessages(done.value.stderr);
  for (const finding of messages.findings) bench.finding(finding);
  const compile = {
    top: textIn(values, 'top') ?? '',
    compile_warnings: messages.warnings,
    compile_errors: messages.errors,
  };
  const answered = compileAnswer(done.value.stderr, done.value.exitCode, compile);
  if (answered) return ok({ answer: answered });
  if (done.value.exitCode !== 0) return err(noAnswer('verilator', done.value));

  const written = readWritten(xml);
  if (!written.ok) return err(unusable(written.error));
  const read = readElaboration(written.value, workspace);
  if (!read.ok) return err(unusable(read.error));
  const files = read.value.files.map((file) => pathFrom(workspace, file));
  const moduleFiles = read.value.moduleFiles.map((file) => pathFrom(workspace, file));
  const sources = readSources(files, workspace);
  if (!sources.ok) return err(unusable(sources.error));
  const { modules, cells } = read.value;
  return ok({
    found: { ...read.value, files, moduleFiles },
    sources: sources.value,
    figures: { ...compile, modules, cells, files: moduleFiles.length },
  });
}

/** Compiles the simulation; an answer where that says something about the sources. */
export async function build(
  bench: Bench,
  coverage: string | undefined,
  figures: JsonObject,
): Promise<Result<AdapterAnswer | undefined, EnvelopeError>> {
  const main = join(bench.folder, 'main.cpp');
  writeFileSync(main, simulationMain({ nonce: bench.nonce, seed: seedIn(bench), coverage }));
  const done = await bench.step({
    program: 'verilator',
    args: [
      ...['--cc', '--exe', '--build', '-j', '2', '--prefix', MODEL],
      // Compiling takes longer than most simulations; no cache of the user's may come between.
      ...['OPT_FAST=-O0', 'OPT_SLOW=-O0', 'OPT_GLOBAL=-O0', 'OBJCACHE='].flatMap((setting) => [
        '-MAKEFLAGS',
        setting,
      ]),
      ...(coverage === undefined ? [] : ['--coverage-line']),
      main,
      ...sourceArguments(bench),
    ],
    answers: [0, 1, 2],
  });
  if (!done.ok) return done;
  const answered = compileAnswer(done.value.stderr, done.value.exitCode, figures);
  if (answered) return ok(answered);
  return done.value.exitCode === 0 ? ok(undefined) : err(noAnswer('verilator', done.value));
}

/** What Verilator said of the sources, where it is an answer: the design was not seen whole, or is at fault. */
function compileAnswer(
  stderr: string,
  exitCode: number,
  figures: JsonObject,
): AdapterAnswer | undefined {
  const messages = readMessages(stderr);
  const answer = (passed: false | null, summary: string): AdapterAnswer => ({
    payload: { passed, summary: printable(summary), ...figures },
    opened: [],
  });
  // What failed below it, in make or the C++ compiler, stands in the lines before.
  const isBelow = messages.obstacle?.startsWith('Command Failed') === true;
  if (messages.obstacle !== undefined && !isBelow) return answer(null, messages.obstacle);
  const errors = messages.findings.filter(
    ({ severity, place }) => severity === 'error' && place !== undefined,
  );
  const [first] = errors;
  if (exitCode === 0 || first === undefined) return undefined;
  const count = plural(errors.length, 'error');
  return answer(false, `${count} in the sources: ${first.place}: ${first.message}`);
}

function sourceArguments({ values, folder }: Bench): string[] {
  return [
    ...['--timing', '--assert', '-Wno-fatal', '--x-assign', 'unique', '--x-initial', 'unique'],
    ...['--top-module', textIn(values, 'top') ?? '', '--Mdir', join(folder, 'obj')],
    ...textsIn(values, 'include-dirs').map((dir) => `-I${dir}`),
    ...textsIn(values, 'defines').map((define) => `-D${define}`),
    ...textsIn(values, 'files'),
  ];
}

/** Where `$urandom` and values without a start begin. */
export function seedIn({ values }: Bench): number {
  return numberIn(values, 'seed') ?? 1;
}

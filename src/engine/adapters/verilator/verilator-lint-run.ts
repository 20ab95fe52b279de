import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { err, ok, type Result } from '../../../values/result.ts';
import { plural } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { AdapterAnswer, Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { textIn, textsIn } from '../values.ts';
import { buildsNoModule } from '../verilog-text.ts';
import { type Elaboration, readElaboration } from './verilator-elaboration.ts';
import { readMessages } from './verilator-messages.ts';
import { waiversIn } from './verilator-waivers.ts';

export async function lint(bench: Bench): Promise<Result<AdapterAnswer, EnvelopeError>> {
  const { values, workspace, folder } = bench;
  const files = textsIn(values, 'files');
  const top = textIn(values, 'top') ?? '';
  const common = [
    '-Wall',
    '-Wno-fatal',
    ...textsIn(values, 'waive').map((code) => `-Wno-${code}`),
    ...textsIn(values, 'include-dirs').map((dir) => `-I${dir}`),
    ...textsIn(values, 'defines').map((define) => `-D${define}`),
    '--top-module',
    top,
    '--Mdir',
    join(folder, 'obj'),
    ...files,
  ];
  const linted = await bench.step({
    program: 'verilator',
    args: ['--lint-only', ...common],
    answers: [0, 1],
  });
  if (!linted.ok) return linted;
  const messages = readMessages(linted.value.stderr);
  for (const finding of messages.findings) bench.finding(finding);
  const counts = {
    top,
    warnings: messages.warnings,
    errors: messages.errors,
    codes: messages.codes,
  };
  if (messages.obstacle !== undefined) {
    // The design was not seen whole: nothing that was or was not said about it counts.
    return ok({
      payload: { clean: null, summary: messages.obstacle, ...counts },
      opened: [],
    });
  }
  if (linted.value.exitCode !== 0) {
    if (messages.errors === 0) return err(noAnswer('verilator', linted.value));
    const summary = `${plural(messages.errors, 'error')} in the sources: ${messages.first ?? ''}`;
    return ok({ payload: { clean: false, summary, ...counts }, opened: [] });
  }

  const xml = join(folder, 'elaborated.xml');
  const elaborated = await bench.step({
    program: 'verilator',
    args: ['--xml-only', '--xml-output', xml, ...common],
  });
  if (!elaborated.ok) return elaborated;
  const read = readXml(xml, workspace);
  if (!read.ok) return err(unusable(read.error));
  const found = read.value;
  const waivers = waiversIn(found.files, textsIn(values, 'waive'), workspace);
  if (!waivers.ok) return err(unusable(waivers.error));
  const evidence = {
    ...counts,
    files: files.filter((file) => found.files.includes(normal(file))).length,
    modules: found.modules,
    cells: found.cells,
    waivers: waivers.value.map(({ name }) => name),
    waiver_count: waivers.value.length,
  };
  const answer = (clean: boolean | null, summary: string): Result<AdapterAnswer, EnvelopeError> =>
    ok({ payload: { clean, summary, ...evidence }, opened: found.files });

  if (messages.warnings > 0) {
    return answer(false, `${plural(messages.warnings, 'warning')}: ${messages.first ?? ''}`);
  }
  const why = whyOpen(found, files, top, workspace);
  if (why !== undefined) return answer(null, why);
  const allowed = textsIn(values, 'allow-waivers');
  const stray = waivers.value.filter((waiver) => !waiver.isAllowed(allowed));
  if (stray.length > 0) {
    const named = stray.slice(0, 3).map(({ name }) => name);
    return answer(
      null,
      `${plural(stray.length, 'waiver')} not named in allow-waivers: ${named.join(', ')}`,
    );
  }
  const waived = waivers.value.length > 0 ? `, ${plural(waivers.value.length, 'waiver')}` : '';
  return answer(true, `no warning in ${plural(found.modules, 'module')} below ${top}${waived}`);
}

/** Why a run without a message proves nothing all the same. */
function whyOpen(
  found: Elaboration,
  files: readonly string[],
  top: string,
  workspace: string,
): string | undefined {
  if (found.top !== top) return `${top} is not what was elaborated`;
  for (const file of files) {
    const path = normal(file);
    if (!found.files.includes(path)) return `${path} was not read`;
    if (!found.moduleFiles.includes(path) && !buildsNoModule(join(workspace, path))) {
      return `no module of ${path} was elaborated below ${top}`;
    }
  }
  return undefined;
}

function readXml(xml: string, workspace: string): Result<Elaboration, string> {
  try {
    return readElaboration(readFileSync(xml, 'utf8'), workspace);
  } catch (cause) {
    return err(`what verilator elaborated cannot be read: ${String(cause)}`);
  }
}

function normal(file: string): string {
  return file.replace(/^(?:\.\/)+/, '');
}

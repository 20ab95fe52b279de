import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve } from 'node:path';
import { veripowerConsequences } from '../flow/presets/veripower/veripower.ts';
import type { StageAssessment } from '../proof/assess.ts';
import { printable } from '../values/text.ts';
import { type Answer, jsonAnswer, refusal, textAnswer } from './answer.ts';
import { COMMON, choosesPreset, type Positionals, parse, wantsJson } from './options.ts';
import { answerPreset } from './preset.ts';
import { answerAbout } from './with-workspace.ts';

const PATHS: Positionals = { least: 1, most: 10_000, names: 'PATH' };

/** `consequences PATH…`: by path, the valid conclusions that a change there would end. */
export function consequences(args: readonly string[]): Answer {
  const isJson = wantsJson(args);
  const parsed = parse(args, COMMON, PATHS);
  if (!parsed.ok) return refusal(parsed.error, isJson);
  const { values, positionals } = parsed.value;
  const answer = (paths: ReadonlyMap<string, readonly string[]>): Answer => {
    if (isJson) return jsonAnswer(0, { paths: Object.fromEntries(paths) });
    const lines = [...paths].map(
      ([path, stages]) => `${printable(path)}: ${stages.join(', ') || 'none'}`,
    );
    return textAnswer(0, lines.join('\n'));
  };
  const inside = (path: string): string => pathInWorkspace(path, values.workspace ?? '.');
  if (choosesPreset(values)) {
    return answerPreset(
      values.workspace ?? '.',
      isJson,
      (workspace) => veripowerConsequences(workspace, positionals.map(inside)),
      (found) => answer(new Map(positionals.map((path) => [path, found.get(inside(path)) ?? []]))),
    );
  }
  return answerAbout(args, PATHS, ({ assessment }) =>
    answer(
      new Map(
        positionals.map((path) => [
          path,
          assessment.stages
            .filter((stage) => stage.status === 'valid' && hasRecorded(stage, inside(path)))
            .map(({ stage }) => stage.name),
        ]),
      ),
    ),
  );
}

/** A path as the log has it: from the workspace, or from the current folder if it is there. */
function pathInWorkspace(path: string, workspace: string): string {
  const plain = posix.normalize(path);
  if (existsSync(join(workspace, plain)) && !isAbsolute(path)) return plain;
  try {
    const root = realpathSync(workspace);
    const absolute = resolve(path);
    const real = join(realpathSync(dirname(absolute)), basename(absolute));
    if (real.startsWith(`${root}/`)) return relative(root, real);
  } catch {
    // It is not there: then it is what the log calls it.
  }
  return plain;
}

/** Whether the run that a stage rests on recorded the path, or a folder that it lies in. */
function hasRecorded({ stage, outcome }: StageAssessment, path: string): boolean {
  const proof = outcome?.proofs.find(({ name }) => name === stage.name);
  const outputs = outcome?.outputs ?? {};
  return (
    Object.hasOwn(proof?.inputs ?? {}, path) ||
    Object.hasOwn(outputs, path) ||
    Object.keys(outputs).some((output) => output.endsWith('/') && path.startsWith(output))
  );
}

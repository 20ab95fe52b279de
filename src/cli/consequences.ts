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
  if (choosesPreset(values)) {
    return answerPreset(
      values.workspace ?? '.',
      isJson,
      (workspace) => veripowerConsequences(workspace, positionals),
      answer,
    );
  }
  return answerAbout(args, PATHS, ({ assessment }) =>
    answer(
      new Map(
        positionals.map((path) => [
          path,
          assessment.stages
            .filter((stage) => stage.status === 'valid' && hasRecorded(stage, path))
            .map(({ stage }) => stage.name),
        ]),
      ),
    ),
  );
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

import { type Problem, problem } from '../../../values/problem.ts';
import { listed } from './doubt.ts';
import { EVENTS_FILE } from './event.ts';
import type { Evidence } from './evidence.ts';
import { textRepr } from './python-text.ts';
import { recordedPath } from './recorded-path.ts';

/** Recorded paths that are not looked for, as they lead out of the workspace (spec/06 §6.2). */
export function refusedPaths({ stage, record, inputs, outputs }: Evidence): Problem[] {
  const found = [...Object.keys(inputs), ...Object.keys(outputs)].flatMap((path) => {
    const checked = recordedPath(path);
    if (checked.ok) return [];
    const message = `the recorded path ${textRepr(path)} is refused: ${checked.why}`;
    return [
      problem('file/bad-name', message, {
        at: { file: EVENTS_FILE, line: record.outcome.line },
        stage: stage.name,
        remedy: 'What a stage reads and writes must be inside the workspace.',
      }),
    ];
  });
  return listed(found, 'refused paths');
}

import * as core from '@actions/core';
import type { JudgedStage } from '../report/result.ts';
import type { ActionInputs } from './inputs.ts';
import type { WorkspacePass } from './pass.ts';

/** Before anything else: whatever happens from here on, nothing but a judgement says proven. */
export function setFirstOutputs(): void {
  core.setOutput('verdict', 'not-proven');
}

/** Sets what the later steps of a job read. A stage of one of several workspaces is FOLDER:STAGE. */
export function setOutputs(
  passes: readonly WorkspacePass[],
  mode: ActionInputs['mode'],
  reports: readonly string[],
): void {
  const names = (holds: (stage: JudgedStage) => boolean): string[] =>
    passes.flatMap(({ folder, result }) =>
      (result?.stages ?? [])
        .filter(holds)
        .map(({ assessment }) => (passes.length > 1 ? `${folder}:` : '') + assessment.stage.name),
    );
  const list = (name: string, holds: (stage: JudgedStage) => boolean): void =>
    core.setOutput(name, JSON.stringify(names(holds)));
  list('proven', ({ assessment }) => assessment.status === 'valid');
  list('not-proven', ({ assessment }) => assessment.status !== 'valid');
  list('stale', ({ assessment }) => assessment.status === 'stale');
  list('reran', ({ how }) => how === 'ran');
  list('restored', ({ how }) => how === 'restored');
  list('unfloored', ({ assessment }) => assessment.marks.includes('unfloored'));
  core.setOutput('report', reports.join('\n'));
  const isProven =
    mode !== 'plan' && passes.length > 0 && passes.every(({ result }) => result?.isProven);
  core.setOutput('verdict', isProven ? 'proven' : 'not-proven');
}

import * as core from '@actions/core';
import type { Status } from '../proof/assess.ts';
import type { How } from '../report/result.ts';
import { isProven, type WorkspacePass } from './pass.ts';

/** Before anything else: whatever happens from here on, nothing but a judgement says proven. */
export function setFirstOutputs(): void {
  core.setOutput('verdict', 'not-proven');
}

/** One stage as the outputs name it. */
interface Row {
  readonly name: string;
  readonly status: Status;
  readonly how: How;
  readonly isUnfloored: boolean;
}

/** Sets what the later steps of a job read, the verdict last. */
export function setOutputs(passes: readonly WorkspacePass[], reports: readonly string[]): void {
  const rows = passes.flatMap((pass) => rowsOf(pass, passes.length > 1));
  const list = (name: string, holds: (row: Row) => boolean): void =>
    core.setOutput(name, JSON.stringify(rows.filter(holds).map((row) => row.name)));
  list('proven', ({ status }) => status === 'valid');
  list('not-proven', ({ status }) => status !== 'valid');
  list('stale', ({ status }) => status === 'stale');
  list('reran', ({ how }) => how === 'ran');
  list('restored', ({ how }) => how === 'restored');
  list('unfloored', ({ isUnfloored }) => isUnfloored);
  core.setOutput('report', reports.join('\n'));
  core.setOutput('verdict', wholeVerdict(passes));
}

/** One that was taken on trust makes the whole no better than that. */
function wholeVerdict(passes: readonly WorkspacePass[]): 'proven' | 'trusted' | 'not-proven' {
  if (passes.length === 0 || !passes.every(isProven)) return 'not-proven';
  const isOnTrust = passes.some(
    ({ outcome }) => outcome.kind === 'judged' && outcome.reported.result.trust === 'log',
  );
  return isOnTrust ? 'trusted' : 'proven';
}

/** A stage of one of several workspaces is FOLDER:STAGE. */
function rowsOf({ folder, outcome }: WorkspacePass, isOneOfMany: boolean): Row[] {
  const named = (stage: string): string =>
    isOneOfMany ? `${folder === '' ? '.' : folder}:${stage}` : stage;
  switch (outcome.kind) {
    case 'judged':
      return outcome.reported.result.stages.map(({ assessment, how }) => ({
        name: named(assessment.stage.name),
        status: assessment.status,
        how,
        isUnfloored: assessment.marks.includes('unfloored'),
      }));
    case 'planned':
      return Object.entries(outcome.plan.stages).map(([stage, { status }]) => ({
        name: named(stage),
        status,
        how: 'not-run',
        isUnfloored: false,
      }));
    case 'refused':
      return [];
  }
}

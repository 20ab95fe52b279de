import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/gate/judge.ts';
import { takeSnapshot } from '../../src/gate/snapshot.ts';
import type { Workspace } from '../../src/gate/workspace.ts';
import { indexHistory } from '../../src/log/history.ts';
import type { StageAssessment, Status } from '../../src/proof/assess.ts';
import type { VerdictStatus } from '../../src/proof/verdict.ts';
import { type Problem, problem } from '../../src/values/problem.ts';
import { flowOf } from '../flow/flow-file.ts';
import { assessmentOf } from '../support/assessment.ts';

const FLOW = 'stages:\n  a: { run: x, inputs: [x] }\n  b: { run: x, inputs: [x] }\n';

function judgement(
  stages: readonly (readonly [Status, VerdictStatus])[],
  problems: readonly Problem[] = [],
): ReturnType<typeof judge> {
  const flow = flowOf(FLOW);
  const workspace: Workspace = { root: tmpdir(), name: 'ws', flow, searchPath: '' };
  const known = stages.map(
    ([status, verdict], index): StageAssessment =>
      assessmentOf(flow, index === 0 ? 'a' : 'b', { status, verdict }),
  );
  const log = { records: [], tornTail: undefined, endsWithNewline: true };
  const view = { log, history: indexHistory([]) };
  const snapshot = takeSnapshot(workspace);
  return judge(workspace, { stages: known, problems, view, snapshot }, new Map());
}

const STATUSES: readonly Status[] = ['missing', 'in-flight', 'blocked', 'failed', 'valid', 'stale'];
const VERDICTS: readonly VerdictStatus[] = ['pass', 'fail', 'unknown', 'not_applicable'];

describe('proven', () => {
  test('is two valid passes', () => {
    expect(
      judgement([
        ['valid', 'pass'],
        ['valid', 'pass'],
      ]).isProven,
    ).toBe(true);
  });

  test('is a valid pass beside a stage that makes no claim', () => {
    expect(
      judgement([
        ['valid', 'not_applicable'],
        ['valid', 'pass'],
      ]).isProven,
    ).toBe(true);
  });
});

describe('not proven', () => {
  test.each(STATUSES.filter((status) => status !== 'valid'))(
    'is one stage that is %s',
    (status) => {
      for (const verdict of VERDICTS) {
        expect(
          judgement([
            ['valid', 'pass'],
            [status, verdict],
          ]).isProven,
        ).toBe(false);
        expect(
          judgement([
            [status, verdict],
            ['valid', 'pass'],
          ]).isProven,
        ).toBe(false);
      }
    },
  );

  test('is no claim at all, and that is told', () => {
    const result = judgement([
      ['valid', 'not_applicable'],
      ['valid', 'not_applicable'],
    ]);
    expect(result.isProven).toBe(false);
    expect(result.problems.map(({ code }) => code)).toEqual(['gate/nothing-to-judge']);
  });

  test('is no stage', () => {
    expect(judgement([]).isProven).toBe(false);
  });

  test('is anything that is wrong beside the stages', () => {
    const wrong = problem('log/torn-tail', 'cut');
    expect(
      judgement(
        [
          ['valid', 'pass'],
          ['valid', 'pass'],
        ],
        [wrong],
      ).isProven,
    ).toBe(false);
  });
});

test('what is wrong is told once, however often it was found', () => {
  const wrong = problem('log/torn-tail', 'cut');
  expect(judgement([['valid', 'pass']], [wrong, { ...wrong }]).problems).toEqual([wrong]);
});

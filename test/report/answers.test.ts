import { describe, expect, test } from 'vitest';
import {
  validateAnswerExplain,
  validateAnswerJudgement,
  validateAnswerPlan,
  validateAnswerRefusal,
  validateAnswerStatus,
} from '../../src/generated/validators.js';
import type { Mark, StageAssessment, Status } from '../../src/proof/assess.ts';
import {
  explainAnswer,
  judgementAnswer,
  planAnswer,
  problemDocument,
  refusalAnswer,
  statusAnswer,
} from '../../src/report/answers.ts';
import type { GateResult, How } from '../../src/report/result.ts';
import { problem } from '../../src/values/problem.ts';
import { flowOf } from '../flow/flow-file.ts';
import { assessmentOf } from '../support/assessment.ts';

const FLOW = `stages:
  constructor: { run: x, inputs: [a], outputs: [b] }
  timing: { run: x, inputs: [b] }
  review: { by: person, inputs: [b] }
`;

type Known = readonly [string, Status, How, readonly Mark[], string?];

function result(isProven: boolean, stages: readonly Known[]): GateResult {
  const flow = flowOf(FLOW);
  return {
    workspace: 'ws',
    flow: 'flow',
    isProven,
    trust: 'own',
    stages: stages.map(([name, status, how, marks, held]) => ({
      assessment: assessmentOf(flow, name, { status, marks }),
      how,
      held,
    })),
    problems: [problem('file/unreadable', 'no', { stage: 'timing' })],
  };
}

describe('the judgement as a document', () => {
  const answer = judgementAnswer(
    result(false, [
      ['constructor', 'valid', 'ran', ['unfloored', 'exit-code-only']],
      ['timing', 'stale', 'not-run', [], 'it needs constructor'],
      ['review', 'valid', 'reused', ['self-reported']],
    ]),
  );

  test('has its published shape', () => {
    expect(validateAnswerJudgement(JSON.parse(JSON.stringify(answer)))).toBe(true);
  });

  test('counts what a reviewer must see', () => {
    expect(answer.counts).toEqual({
      stages: 3,
      proven: 2,
      ran: 1,
      restored: 0,
      reused: 1,
      unfloored: 1,
      exit_code_only: 1,
      self_reported: 1,
    });
  });

  test('says of a stage that was held why, and what it would have to run for', () => {
    expect(answer.stages['timing']?.reason).toBe(
      'not run: it needs constructor (it has not been run)',
    );
  });

  test('has a stage under every name, whatever the name', () => {
    expect(Object.keys(answer.stages)).toEqual(['constructor', 'timing', 'review']);
  });

  test.each([
    [true, 'proven'],
    [false, 'not-proven'],
  ])('takes the verdict from the judgement and from nothing else: %s', (isProven, verdict) => {
    expect(judgementAnswer(result(isProven, [['timing', 'valid', 'ran', []]])).verdict).toBe(
      verdict,
    );
  });
});

describe('the other answers', () => {
  const flow = flowOf(FLOW);
  const stages: StageAssessment[] = flow.stages.map(({ name }) =>
    assessmentOf(flow, name, {
      changes: [{ what: 'input', name: 'a', recorded: null, current: 'x', detail: 'why' }],
    }),
  );
  const whole = { workspace: 'ws', flow: 'flow', problems: [problem('log/torn-tail', 'cut')] };

  test.each([
    ['status', statusAnswer(whole, stages, false), validateAnswerStatus],
    [
      'plan',
      planAnswer(
        whole,
        stages.map((assessment) => ({ assessment, action: 'run', reason: 'why' })),
      ),
      validateAnswerPlan,
    ],
    ['refusal', refusalAnswer(whole.problems), validateAnswerRefusal],
  ])('%s has its published shape', (_, answer, validate) => {
    expect(validate(JSON.parse(JSON.stringify(answer)))).toBe(true);
  });

  test('explain has its published shape', () => {
    for (const stage of stages) {
      expect(validateAnswerExplain(JSON.parse(JSON.stringify(explainAnswer(whole, stage))))).toBe(
        true,
      );
    }
  });

  test('a refusal gives every reason', () => {
    const answer = refusalAnswer([problem('flow/cycle', 'one'), problem('flow/no-stage', 'two')]);
    expect(answer).toMatchObject({ ok: false, reason: 'one; two' });
    expect(answer.problems).toHaveLength(2);
  });
});

describe('a problem as a document', () => {
  test('says what is known and nothing of what is not', () => {
    expect(problemDocument(problem('flow/no-stage', 'none'))).toEqual({
      code: 'flow/no-stage',
      message: 'none',
    });
    expect(
      problemDocument(
        problem('flow/cycle', 'a ring', {
          at: { file: 'signoff.yaml', line: 3, column: 5 },
          stage: 'lint',
          remedy: 'Break it.',
        }),
      ),
    ).toEqual({
      code: 'flow/cycle',
      message: 'a ring',
      file: 'signoff.yaml',
      line: 3,
      column: 5,
      stage: 'lint',
      remedy: 'Break it.',
    });
  });

  test.each(['log/not-utf8', 'json/not-utf8', 'proof/envelope-altered'] as const)(
    'has a code that its schema takes: %s',
    (code) => {
      expect(validateAnswerRefusal(refusalAnswer([problem(code, 'what')]))).toBe(true);
    },
  );
});

import { describe, expect, test } from 'vitest';
import type { Status } from '../../src/proof/assess.ts';
import type { Change } from '../../src/proof/changes.ts';
import { decideStage } from '../../src/schedule/decide.ts';
import { problem } from '../../src/values/problem.ts';
import { flowOf } from '../flow/flow-file.ts';
import { assessmentOf } from '../support/assessment.ts';

const FLOW = `stages:
  synth: { run: x, inputs: [a], outputs: [b] }
  timing: { run: x, inputs: [b] }
  review: { by: person, inputs: [b] }
`;
const STATUSES: readonly Status[] = ['missing', 'in-flight', 'blocked', 'failed', 'valid', 'stale'];
const NOTHING = { isLeftOut: false, isForced: false };
const CHANGE: Change = { what: 'input', name: 'a', recorded: null, current: null };

describe('a stage whose needs are all valid', () => {
  test.each([
    ['missing', 'run'],
    ['in-flight', 'run'],
    ['blocked', 'run'],
    ['stale', 'run'],
    ['valid', 'reuse'],
    ['failed', 'reuse'],
  ] as const)('%s: %s', (status, action) => {
    const flow = flowOf(FLOW);
    const needs = [assessmentOf(flow, 'synth', { status: 'valid' })];
    const found = decideStage(assessmentOf(flow, 'timing', { status }), needs, NOTHING);
    expect(found.action).toBe(action);
    expect(found.reason).toContain('it has not been run');
  });

  test.each([
    ['something that it read changed', { changes: [CHANGE] }],
    ['something that it reads cannot be read', { problems: [problem('file/unreadable', 'no')] }],
  ])('failed and %s: run', (_, known) => {
    const timing = assessmentOf(flowOf(FLOW), 'timing', { status: 'failed', ...known });
    expect(decideStage(timing, [], NOTHING).action).toBe('run');
  });

  test.each(STATUSES)('%s and asked for: run', (status) => {
    const timing = assessmentOf(flowOf(FLOW), 'timing', { status });
    expect(decideStage(timing, [], { isLeftOut: false, isForced: true }).action).toBe('run');
  });
});

describe('a stage that needs one which is not valid', () => {
  const others = STATUSES.filter((status) => status !== 'valid');

  test.each(others)('is held, and the one is named: %s', (status) => {
    const flow = flowOf(FLOW);
    const needs = [assessmentOf(flow, 'synth', { status })];
    for (const wish of [NOTHING, { isLeftOut: false, isForced: true }]) {
      expect(decideStage(assessmentOf(flow, 'timing', {}), needs, wish)).toEqual({
        action: 'hold',
        reason: `it needs synth, which is ${status}`,
      });
    }
  });

  test('is not touched when it holds by itself', () => {
    const flow = flowOf(FLOW);
    const needs = [assessmentOf(flow, 'synth', { status: 'failed' })];
    const timing = assessmentOf(flow, 'timing', { status: 'valid' });
    expect(decideStage(timing, needs, NOTHING).action).toBe('reuse');
  });
});

describe('a stage that was not asked for', () => {
  test.each([
    ['missing', 'hold'],
    ['stale', 'hold'],
    ['blocked', 'hold'],
    ['valid', 'reuse'],
    ['failed', 'reuse'],
  ] as const)('%s: %s', (status, action) => {
    const timing = assessmentOf(flowOf(FLOW), 'timing', { status });
    expect(decideStage(timing, [], { isLeftOut: true, isForced: false }).action).toBe(action);
  });
});

test.each(STATUSES)('a stage that a person judges is never run: %s', (status) => {
  const review = assessmentOf(flowOf(FLOW), 'review', { status });
  expect(decideStage(review, [], { isLeftOut: false, isForced: true }).action).toBe('judge');
});

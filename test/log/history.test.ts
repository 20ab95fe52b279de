import { describe, expect, test } from 'vitest';
import { type History, indexHistory, type StageHistory } from '../../src/log/history.ts';
import { readLog } from '../../src/log/read.ts';
import type { JsonObject } from '../../src/values/strict-json.ts';
import { dispatchEvent, logText, outcomeEvent } from './helpers/events.ts';
import { unwrap } from './helpers/expect-result.ts';
import { workspaceWithLog } from './helpers/workspace.ts';

function historyOf(...events: readonly JsonObject[]): History {
  return indexHistory(unwrap(readLog(workspaceWithLog(logText(...events)).file)).records);
}

function lint(...events: readonly JsonObject[]): StageHistory {
  const stage = historyOf(...events).stages.get('lint');
  if (stage === undefined) expect.fail('the log says nothing about lint');
  return stage;
}

describe('a correct sequence of runs', () => {
  test('is told by stage, in file order, without anomalies', () => {
    const { stages } = historyOf(
      dispatchEvent('lint', 1),
      dispatchEvent('synth', 1),
      outcomeEvent('lint', 1, { verdict: 'fail' }),
      { type: 'pin', rule: 'lint', run: 9 },
      dispatchEvent('lint', 2),
      outcomeEvent('synth', 1),
      outcomeEvent('lint', 2),
    );
    expect([...stages.keys()]).toEqual(['lint', 'synth']);
    const stage = stages.get('lint');
    expect(stage?.dispatches.map((r) => [r.line, r.event.run])).toEqual([
      [1, 1],
      [5, 2],
    ]);
    expect(stage?.outcomes.map((r) => [r.line, r.event.verdict])).toEqual([
      [3, 'fail'],
      [7, 'pass'],
    ]);
    expect(stage?.lastOutcome?.line).toBe(7);
    expect(stage).toMatchObject({ inFlight: [], nextRun: 3, anomalies: [] });
  });

  test('a stage that no event names is not there, whatever its name', () => {
    const { stages } = historyOf();
    expect(stages.get('constructor')).toBeUndefined();
    expect(stages.size).toBe(0);
  });

  test.each(['constructor', '__proto__', 'toString'])('a stage may be called %s', (name) => {
    const { stages } = historyOf(dispatchEvent(name, 1), outcomeEvent(name, 1));
    expect([...stages.keys()]).toEqual([name]);
    expect(stages.get(name)?.lastOutcome?.event.rule).toBe(name);
  });
});

test('the last outcome is the last in the file, not the one with the highest run', () => {
  const stage = lint(
    dispatchEvent('lint', 1),
    dispatchEvent('lint', 2),
    outcomeEvent('lint', 2),
    outcomeEvent('lint', 1, { verdict: 'fail' }),
  );
  expect(stage.lastOutcome?.event).toMatchObject({ run: 1, verdict: 'fail' });
});

describe('in flight', () => {
  test('are the runs that were dispatched and have no outcome', () => {
    const stage = lint(
      dispatchEvent('lint', 3),
      dispatchEvent('lint', 1),
      dispatchEvent('lint', 2),
      outcomeEvent('lint', 1),
    );
    expect(stage.inFlight).toEqual([3, 2]);
  });

  test('is no run whose outcome stands before its dispatch', () => {
    expect(lint(outcomeEvent('lint', 1), dispatchEvent('lint', 1)).inFlight).toEqual([]);
  });

  test('is a run once, however often it was dispatched', () => {
    expect(lint(dispatchEvent('lint', 1), dispatchEvent('lint', 1)).inFlight).toEqual([1]);
  });
});

describe('the next run', () => {
  test('is above the highest number of any dispatch', () => {
    expect(lint(dispatchEvent('lint', 7), dispatchEvent('lint', 2)).nextRun).toBe(8);
  });

  test('is above the highest number of any outcome', () => {
    expect(lint(dispatchEvent('lint', 1), outcomeEvent('lint', 9)).nextRun).toBe(10);
  });

  test('is above the count of dispatches when numbers repeat', () => {
    const stage = lint(...[1, 1, 1, 1].map((run) => dispatchEvent('lint', run)));
    expect(stage.nextRun).toBe(5);
  });
});

describe('an anomaly names both lines:', () => {
  test('a second dispatch of one run', () => {
    const stage = lint(dispatchEvent('lint', 1), { type: 'note' }, dispatchEvent('lint', 1));
    expect(stage.anomalies).toEqual([
      { line: 3, run: 1, message: 'run 1 is dispatched on line 3, and was already on line 1' },
    ]);
  });

  test('a second outcome of one run, which is all the same the last outcome', () => {
    const stage = lint(
      dispatchEvent('lint', 1),
      outcomeEvent('lint', 1, { verdict: 'fail' }),
      outcomeEvent('lint', 1),
    );
    expect(stage.anomalies).toEqual([
      {
        line: 3,
        run: 1,
        message:
          'run 1 is ended on line 3, and was already on line 2: two runs under one number, as when branches that each ran it are merged',
      },
    ]);
    expect(stage.lastOutcome?.line).toBe(3);
  });

  test('an outcome before its dispatch', () => {
    expect(lint(outcomeEvent('lint', 1), dispatchEvent('lint', 1)).anomalies).toEqual([
      { line: 1, run: 1, message: 'run 1 ends on line 1 and is dispatched only on line 2' },
    ]);
  });

  test('an outcome without any dispatch', () => {
    expect(lint(outcomeEvent('lint', 4)).anomalies).toEqual([
      { line: 1, run: 4, message: 'run 4 ends on line 1 and has no dispatch' },
    ]);
  });

  test('several of them stand in file order', () => {
    const stage = lint(
      outcomeEvent('lint', 2),
      dispatchEvent('lint', 1),
      dispatchEvent('lint', 1),
      outcomeEvent('lint', 1),
      outcomeEvent('lint', 1),
    );
    expect(stage.anomalies.map((a) => a.line)).toEqual([1, 3, 5]);
  });

  test('runs of one number in two stages are none', () => {
    const { stages } = historyOf(dispatchEvent('lint', 1), dispatchEvent('synth', 1));
    expect([...stages.values()].flatMap((stage) => stage.anomalies)).toEqual([]);
  });
});

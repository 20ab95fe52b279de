import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/flow/stage.ts';
import { type Called, callCommand, engineRoom, outputAt } from '../support/engine-room.ts';

/** What the evidence of a command names is told as events, so that people see it at its line. */

function writes(text: string, kind: 'junit' | 'sarif'): Promise<Called> {
  const room = engineRoom({ report: text });
  const { path } = outputAt('evidence');
  const evidence: Evidence = {
    kind,
    path,
    ...(kind === 'junit' ? { allowSkipped: false } : {}),
  } as Evidence;
  return callCommand(room, 'cp report evidence', evidence);
}

function sarif(...results: readonly object[]): Promise<Called> {
  return writes(JSON.stringify({ version: '2.1.0', runs: [{ results }] }), 'sarif');
}

function at(uri: unknown, startLine?: unknown): object {
  const physicalLocation = { artifactLocation: { uri }, region: { startLine } };
  return { message: { text: 'x' }, locations: [{ physicalLocation }] };
}

function toldBy({ events }: Called): unknown[] {
  return events.map(({ severity, code, raw_msg, file }) => [severity, code, raw_msg, file]);
}

describe.concurrent('a SARIF log', () => {
  test('tells its findings and notes with rule, file and line, and no suppressed ones', async () => {
    const place = at('rtl/a.v', 7);
    const called = await sarif(
      { ...place, ruleId: 'W-1', level: 'error' },
      { ...place, message: { text: 'two\nlines' } },
      { ...place, level: 'note' },
      { ...place, level: 'none' },
      { ...place, suppressions: [{ status: 'accepted' }] },
      { ...place, kind: 'pass' },
    );
    expect(toldBy(called)).toEqual([
      ['error', 'W-1', 'x', 'rtl/a.v:7'],
      ['warn', 'FINDING', 'two\\nlines', 'rtl/a.v:7'],
      ['info', 'FINDING', 'x', 'rtl/a.v:7'],
    ]);
    expect(called.envelope.logs).toMatchObject({ count: 3 });
    expect(called).toMatchObject({ isValid: true, verdict: { status: 'fail' } });
  });

  test('may name files in any way, or none', async () => {
    const called = await sarif(
      at('file:///ws/a%20b.v', 1),
      at('100%.v', 2),
      at('a.v'),
      at(5, 1),
      at('a.v', 'one'),
      { locations: [] },
      { locations: 'here', message: 'odd' },
    );
    expect(called.events.map(({ file }) => file)).toEqual([
      '/ws/a b.v:1',
      '100%.v:2',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(called.isValid).toBe(true);
  });
});

test('a JUnit report tells every failure and error, with the place that the case gives', async () => {
  const called = await writes(
    `<testsuite><testcase name="good"/>
<testcase classname="t" name="a" file="sim/t.py" line="41"><failure message="no &amp; no"/></testcase>
<testcase name="b" file="sim/t.py"><error type="Timeout"/></testcase></testsuite>`,
    'junit',
  );
  expect(toldBy(called)).toEqual([
    ['error', 'failure', 't.a: no & no', 'sim/t.py:41'],
    ['error', 'error', 'b: Timeout', undefined],
  ]);
  expect(called).toMatchObject({ isValid: true, verdict: { status: 'fail' } });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import {
  checkPass,
  codesIn,
  type Pass,
  prove,
  runPass,
  stageIn,
  statusesIn,
} from '../support/gate.ts';
import { judges, type LogLine, makeWorkspace, type TestWorkspace } from '../support/workspace.ts';

const FLOW = `stages:
  lint:
    uses: ./lint.sh
    inputs: [a.v]
  review:
    by: person
    inputs: [docs/**]
`;

/** A person's judgement of docs/a.md, as a tool of theirs would write it into the log. */
function judgement(run: number, verdict: string): LogLine[] {
  const found = fingerprintFile(workspace.at('docs/a.md'));
  const inputs = { 'docs/a.md': found.ok ? found.value : 'missing' };
  const common = { ts: '2026-01-01T10:00:00Z', rule: 'review', run };
  return [
    { ...common, type: 'dispatch', workdir: 'docs', params: {} },
    {
      ...common,
      type: 'outcome',
      verdict,
      outputs: {},
      proofs: [{ name: 'review', verdict, inputs, oracle: { ref: 'reviewed', grade: 'human' } }],
      tool_versions: {},
    },
  ];
}

let workspace: TestWorkspace;
let log: readonly LogLine[];

beforeAll(async () => {
  workspace = makeWorkspace({
    flow: FLOW,
    files: { 'a.v': 'module a;\n', 'docs/a.md': 'words\n' },
    engines: { 'lint.sh': { does: judges('a.v') } },
  });
  await runPass(workspace);
  for (const event of judgement(1, 'pass')) workspace.appendToLog(`${JSON.stringify(event)}\n`);
  log = workspace.log();
  expect(checkPass(workspace).answer).toMatchObject({ verdict: 'proven', problems: [] });
});

function lookAt(events: readonly LogLine[]): Pass {
  workspace.write('events.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return checkPass(workspace);
}

const [DISPATCH, OUTCOME] = [0, 1];

describe('a judgement by a person', () => {
  test('counts, and is marked as nothing that the gate saw', () => {
    const pass = lookAt(log);
    expect(stageIn(pass, 'review')).toMatchObject({
      status: 'valid',
      verdict: 'pass',
      marks: ['self-reported'],
    });
    expect(pass.answer.counts).toMatchObject({ self_reported: 1 });
  });

  test('is never run by the gate', async () => {
    const alone = makeWorkspace({ flow: FLOW, files: { 'a.v': 'a', 'docs/a.md': 'words\n' } });
    alone.engine('lint.sh', { does: judges('a.v') });
    const pass = await runPass(alone);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(statusesIn(pass)).toEqual({ lint: 'valid', review: 'missing' });
    expect(alone.log().some(({ rule }) => rule === 'review')).toBe(false);
  });

  test('ends with the files that it is about', () => {
    workspace.write('docs/a.md', 'other words\n');
    const pass = lookAt(log);
    workspace.write('docs/a.md', 'words\n');
    expect(statusesIn(pass)).toEqual({ lint: 'valid', review: 'stale' });
  });

  test('may be a fail', () => {
    const pass = lookAt([...log.slice(0, 2), ...judgement(1, 'fail')]);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(stageIn(pass, 'review')).toMatchObject({ status: 'failed', verdict: 'fail' });
  });

  test('is taken back by a later one', () => {
    const pass = lookAt([...log, ...judgement(2, 'fail')]);
    expect(stageIn(pass, 'review')).toMatchObject({ status: 'failed', run: 2 });
  });

  test('is open while it is asked for and not given', () => {
    const pass = lookAt([...log, ...judgement(2, 'pass').slice(0, 1)]);
    expect(statusesIn(pass)).toMatchObject({ review: 'in-flight' });
    expect(pass.answer.verdict).toBe('not-proven');
  });
});

describe('a log that no sequence of runs could have written proves nothing', () => {
  const anomalous: [string, (events: readonly LogLine[]) => LogLine[], RegExp][] = [
    [
      'an outcome without dispatch',
      (events) => events.filter((_, i) => i !== DISPATCH),
      /has no dispatch/,
    ],
    [
      'an outcome before its dispatch',
      ([dispatch, outcome, ...rest]) =>
        [outcome, dispatch, ...rest].flatMap((event) => event ?? []),
      /dispatched only on line 2/,
    ],
    [
      'a dispatch twice',
      (events) => [...events, events[DISPATCH]].flatMap((e) => e ?? []),
      /already on line 1/,
    ],
    [
      'an outcome twice',
      (events) => [...events, events[OUTCOME]].flatMap((e) => e ?? []),
      /already on line 2/,
    ],
    [
      'an outcome twice with another verdict',
      (events) => [
        ...events,
        ...events
          .filter((_, i) => i === OUTCOME)
          .map((e) => ({ ...e, verdict: 'blocked', proofs: [] })),
      ],
      /already on line 2/,
    ],
  ];

  test.each(anomalous)('%s', (_, change, message) => {
    const pass = lookAt(change(log));
    expect(pass.answer.verdict).toBe('not-proven');
    expect(codesIn(pass)).toContain('log/anomaly');
    const found = pass.problems.find(({ code }) => code === 'log/anomaly');
    expect(found?.message).toMatch(message);
    expect(found?.at).toMatchObject({ file: 'events.jsonl', line: expect.any(Number) });
    expect(found?.stage).toBe('lint');
  });

  test('any line that is missing, and any two', () => {
    for (let first = 0; first < log.length; first++) {
      for (let second = first; second < log.length; second++) {
        const rest = log.filter((_, index) => index !== first && index !== second);
        expect(lookAt(rest).answer.verdict).toBe('not-proven');
      }
    }
  });

  test('no line at all', () => {
    const pass = lookAt([]);
    expect(statusesIn(pass)).toEqual({ lint: 'missing', review: 'missing' });
    expect(pass.answer.verdict).toBe('not-proven');
  });
});

describe('two verdicts for one run key', () => {
  const again = (verdict: 'pass' | 'fail', run: number): LogLine[] =>
    log
      .slice(0, 2)
      .map((event) => ({ ...event, run, ...(event.type === 'outcome' ? { verdict } : {}) }));

  test.each(['pass', 'fail'] as const)(
    'are not reproducible, whichever came first: %s last',
    (last) => {
      const first = last === 'pass' ? 'fail' : 'pass';
      const pass = lookAt([...again(first, 1), ...again(last, 2), ...log.slice(2)]);
      expect(pass.answer.verdict).toBe('not-proven');
      expect(pass.problems).toMatchObject([
        { code: 'log/anomaly', stage: 'lint', at: { file: 'events.jsonl', line: 4 } },
      ]);
      expect(pass.problems[0]?.message).toMatch(/not reproducible: run 2 says .* line 2 says/);
    },
  );

  test('are none when one of them is no conclusion', () => {
    const blocked = again('pass', 1).map((event) =>
      event.type === 'outcome' ? { ...event, verdict: 'blocked', proofs: [] } : event,
    );
    workspace.write(
      '.signoff/runs/lint/2/envelope.json',
      workspace.read('.signoff/runs/lint/1/envelope.json'),
    );
    const pass = lookAt([...blocked, ...again('pass', 2), ...log.slice(2)]);
    expect(pass.answer).toMatchObject({ verdict: 'proven', problems: [] });
  });

  test('are of the past when the stage has another run key now', () => {
    const now = again('pass', 3).map((event) => ({
      ...event,
      run_key: `blake3:${'1'.repeat(64)}`,
    }));
    workspace.write(
      '.signoff/runs/lint/3/envelope.json',
      workspace.read('.signoff/runs/lint/1/envelope.json'),
    );
    const pass = lookAt([...again('fail', 1), ...again('pass', 2), ...now, ...log.slice(2)]);
    expect(pass.answer).toMatchObject({ verdict: 'proven', problems: [] });
  });
});

test('a stage with `inputs: none` may say now this and now that', async () => {
  const free = makeWorkspace({
    flow: 'stages:\n  lint:\n    uses: ./lint.sh\n    inputs: none\n',
    files: { 'a.v': 'BUG\n' },
    engines: { 'lint.sh': { does: judges('a.v') } },
  });
  expect(statusesIn(await runPass(free))).toEqual({ lint: 'failed' });
  free.write('a.v', 'fine\n');
  await runPass(free, { rerun: true });
  expect((await runPass(free)).answer).toMatchObject({ verdict: 'proven', problems: [] });
});

describe('what the log may hold besides', () => {
  test.each([
    [
      'an event of a type that nobody knows',
      { ts: '2026-01-01T10:00:00Z', type: 'weather', sky: 'blue' },
    ],
    ['a field more', { ts: '2026-01-01T10:00:00Z', type: 'note', text: 'words', __proto__: null }],
  ])('%s', (_, event) => {
    expect(lookAt([event, ...log]).answer.verdict).toBe('proven');
  });

  test('stages named like what every object has', () => {
    const stray = { ...log[DISPATCH], type: 'dispatch', rule: 'constructor' };
    const pass = lookAt([...log, stray]);
    expect(pass.answer.verdict).toBe('not-proven');
    expect(codesIn(pass)).toEqual(['flow/unretired-stage']);
  });
});

test('a stage is proven by its last outcome, not by its best', async () => {
  const flaky = makeWorkspace({
    flow: 'stages:\n  lint:\n    uses: ./lint.sh\n    inputs: [a.v]\n',
    files: { 'a.v': 'fine\n' },
    engines: { 'lint.sh': { does: judges('a.v') } },
  });
  await prove(flaky);
  flaky.write('a.v', 'BUG\n');
  expect(statusesIn(await runPass(flaky))).toEqual({ lint: 'failed' });
  flaky.write('a.v', 'fine\n');
  const pass = checkPass(flaky);
  expect(pass.answer.verdict).toBe('not-proven');
  expect(statusesIn(pass)).toEqual({ lint: 'failed' });
  await prove(flaky);
});

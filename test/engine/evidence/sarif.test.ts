import { describe, expect, test } from 'vitest';
import { readSarif } from '../../../src/engine/evidence/sarif.ts';
import type { JsonObject } from '../../../src/values/strict-json.ts';

function read(log: JsonObject): JsonObject {
  const result = readSarif(log);
  if (!result.ok) expect.fail(result.error.message);
  return result.value;
}

/** A log of one run with these results. */
function log(results: readonly unknown[], run: Readonly<Record<string, unknown>> = {}): JsonObject {
  return { version: '2.1.0', runs: [{ tool: {}, results, ...run }] };
}

const ERROR = { ruleId: 'R1', level: 'error', message: { text: 'x' } };

describe('the results of a log', () => {
  test.each<[string, readonly unknown[], JsonObject]>([
    ['none: clean', [], { clean: true, findings: 0 }],
    ['an error', [ERROR], { clean: false, findings: 1 }],
    ['a warning', [{ ...ERROR, level: 'warning' }], { clean: false, findings: 1 }],
    ['one of no level, which is a warning', [{ ruleId: 'R1' }], { clean: false, findings: 1 }],
    ['one of a level that is not known', [{ level: 'fatal' }], { clean: false, findings: 1 }],
    ['one of a level that is no text', [{ level: 0 }], { clean: false, findings: 1 }],
    ['a note', [{ level: 'note' }], { clean: true, findings: 0, notes: 1 }],
    ['a failure of level none', [{ level: 'none' }], { clean: null, findings: 0, notes: 0 }],
    ['one that passed', [{ kind: 'pass' }], { clean: true, findings: 0 }],
    ['one that does not apply', [{ kind: 'notApplicable', level: 'none' }], { clean: true }],
    ['information', [{ kind: 'informational' }], { clean: true }],
    ['one that wants a review', [{ kind: 'review' }], { clean: null }],
    ['one that is open', [{ kind: 'open' }], { clean: null }],
    ['one of a kind that is not known', [{ kind: 'Pass' }], { clean: null }],
    ['one that passed and is an error', [{ kind: 'pass', level: 'error' }], { clean: null }],
    [
      'information that is a warning',
      [{ kind: 'informational', level: 'warning' }],
      { clean: null },
    ],
    [
      'one that is gone since the baseline',
      [{ ...ERROR, baselineState: 'absent' }],
      { clean: true },
    ],
    ['one that was there before', [{ ...ERROR, baselineState: 'unchanged' }], { clean: false }],
    ['no object', ['R1'], { clean: null }],
    ['null', [null], { clean: null }],
    ['an open one beside an error', [{ kind: 'open' }, ERROR], { clean: false }],
  ])('%s', (_, results, expected) => {
    expect(read(log(results))).toMatchObject({ runs: 1, results: results.length, ...expected });
  });
});

describe('a suppressed result', () => {
  test.each<[string, unknown, boolean]>([
    ['in the source', [{ kind: 'inSource' }], true],
    ['accepted', [{ kind: 'external', status: 'accepted' }], true],
    ['twice', [{ kind: 'inSource' }, { kind: 'external', status: 'accepted' }], true],
    ['under review', [{ kind: 'external', status: 'underReview' }], false],
    ['rejected', [{ kind: 'external', status: 'rejected' }], false],
    ['accepted once and rejected once', [{ status: 'accepted' }, { status: 'rejected' }], false],
    ['in the source and under review', [{ kind: 'inSource' }, { status: 'underReview' }], false],
    ['in a status that is not known', [{ status: 'maybe' }], false],
    ['in a status that is no text', [{ status: true }], false],
    ['by nothing', [], false],
    ['by a text', 'all', false],
    ['by a list of texts', ['inSource'], false],
    ['by null', null, false],
  ])('%s', (_, suppressions, isSuppressed) => {
    expect(read(log([{ ...ERROR, suppressions }]))).toMatchObject({
      clean: isSuppressed,
      findings: isSuppressed ? 0 : 1,
      suppressed: isSuppressed ? 1 : 0,
    });
  });
});

describe('a log that does not say what was looked at leaves the verdict open', () => {
  test.each<[string, JsonObject]>([
    ['no run', { version: '2.1.0', runs: [] }],
    ['a run without results', { version: '2.1.0', runs: [{ tool: {} }] }],
    ['a run whose results are null', { version: '2.1.0', runs: [{ results: null }] }],
    ['a run whose results are an object', { version: '2.1.0', runs: [{ results: {} }] }],
    ['a run that is no object', { version: '2.1.0', runs: ['run'] }],
    ['one run of two without results', { version: '2.1.0', runs: [{ results: [] }, {}] }],
    ['a failed execution', log([], { invocations: [{ executionSuccessful: false }] })],
    [
      'one failed execution of two',
      log([], { invocations: [{ executionSuccessful: true }, { executionSuccessful: false }] }),
    ],
    ['executions that are no list', log([], { invocations: {} })],
    ['an execution that is no object', log([], { invocations: [null] })],
  ])('%s', (_, sarif) => {
    expect(read(sarif)['clean']).toBeNull();
  });

  test('but an error in another run is one', () => {
    const sarif = { version: '2.1.0', runs: [{}, { results: [ERROR] }] };
    expect(read(sarif)).toMatchObject({ clean: false, runs: 2 });
  });

  test('and executions that went well, or are not told, say nothing against it', () => {
    expect(read(log([], { invocations: [{ executionSuccessful: true }] }))['clean']).toBe(true);
    expect(read(log([], { invocations: [] }))['clean']).toBe(true);
    expect(read(log([]))['clean']).toBe(true);
  });
});

describe('what is no log of 2.x is refused', () => {
  test.each<[string, JsonObject]>([
    ['another major', { version: '1.0.0', runs: [] }],
    ['a major that begins with 2', { version: '20.1', runs: [] }],
    ['no version', { runs: [] }],
    ['a version that is a number', { version: 2.1, runs: [] }],
    ['no runs', { version: '2.1.0' }],
    ['runs that are an object', { version: '2.1.0', runs: { results: [] } }],
  ])('%s', (_, sarif) => {
    expect(readSarif(sarif)).toMatchObject({ ok: false, error: { code: 'evidence/unreadable' } });
  });
});

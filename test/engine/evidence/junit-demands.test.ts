import { describe, expect, test } from 'vitest';
import { type JunitDemands, readJunit } from '../../../src/engine/evidence/junit.ts';
import type { JsonObject } from '../../../src/values/strict-json.ts';

/** What a flow may demand of the test cases of a report: how many ran, and which. */

function read(xml: string, demands: Partial<JunitDemands>): JsonObject {
  const result = readJunit(xml, { allowSkipped: false, ...demands });
  if (!result.ok) expect.fail(result.error.message);
  return result.value;
}

function suite(...cases: string[]): string {
  return `<testsuites><testsuite name="s">${cases.join('')}</testsuite></testsuites>`;
}

function passed(name: string, classname = 'fifo'): string {
  return `<testcase classname="${classname}" name="${name}"/>`;
}
function skipped(name: string, classname = 'fifo'): string {
  return `<testcase classname="${classname}" name="${name}"><skipped/></testcase>`;
}
function failed(name: string): string {
  return `<testcase classname="fifo" name="${name}"><failure/></testcase>`;
}

describe('the least number of tests', () => {
  const three = [passed('a'), passed('b'), passed('c')];

  test.each([1, 2, 3])('%i of three that ran are enough', (minTests) => {
    expect(read(suite(...three), { minTests })['passed']).toBe(true);
  });

  test('one more than ran is not, and both numbers are told', () => {
    const payload = read(suite(...three), { minTests: 4 });
    expect(payload).toMatchObject({ passed: null, tests: 3 });
    expect(payload['summary']).toBe('3 of at least 4 tests ran');
  });

  test.each<[string, string]>([
    ['skipped', skipped('d')],
    ['not run by its status', '<testcase name="d" status="notrun"/>'],
    ['skipped deep inside', '<testcase name="d"><attempt><skipped/></attempt></testcase>'],
    [
      'skipped behind what it printed',
      '<testcase name="d"><system-out/><run><skipped/></run></testcase>',
    ],
    ['skipped under a prefix', '<j:testcase name="d"><j:skipped/></j:testcase>'],
    ['in a suite that was skipped', `<testsuite>${passed('d')}<skipped/></testsuite>`],
    ['in a suite that was skipped first', `<testsuite><skipped/>${passed('d')}</testsuite>`],
    [
      'in a suite of a suite that was skipped',
      `<testsuite><testsuite>${passed('d')}</testsuite><skipped/></testsuite>`,
    ],
  ])('a case that is %s did not run', (_, other) => {
    const xml = suite(...three, other);
    const payload = read(xml, { allowSkipped: true, minTests: 4 });
    expect(payload).toMatchObject({ passed: null, summary: '3 of at least 4 tests ran' });
    expect(read(xml, { allowSkipped: true, minTests: 3 })['passed']).toBe(true);
  });

  test('what is skipped after a suite of skipped cases counts again', () => {
    const xml = suite(`<testsuite>${passed('a')}<skipped/></testsuite>`, passed('b'));
    expect(read(xml, { allowSkipped: true, minTests: 1 })['passed']).toBe(true);
    expect(read(xml, { allowSkipped: true, minTests: 2 })['passed']).toBeNull();
  });

  test('attributes of a suite do not count', () => {
    const xml = `<testsuite tests="99">${passed('a')}</testsuite>`;
    expect(read(xml, { minTests: 2 })['passed']).toBeNull();
  });

  test('a failure decides, however few ran', () => {
    expect(read(suite(failed('a')), { minTests: 100, tests: ['b'] })).toMatchObject({
      passed: false,
      failures: 1,
    });
  });

  test('an empty report tells that it is empty, and how many are missing', () => {
    expect(read(suite(), { minTests: 2 })['summary']).toBe(
      'the report holds no test case; 0 of at least 2 tests ran',
    );
  });

  test('and a skipped one is told beside it', () => {
    const summary = read(suite(passed('a'), skipped('b')), { minTests: 2 })['summary'];
    expect(summary).toMatch(/1 test\(s\) were skipped.*; 1 of at least 2 tests ran/);
  });
});

describe('tests that must be among those that ran and passed', () => {
  const xml = suite(passed('reset'), passed('full', 'fifo.flags'), '<testcase name="bare"/>');

  test.each([
    'reset',
    'fifo.reset',
    'fifo::reset',
    'full',
    'fifo.flags.full',
    'fifo.flags::full',
    'bare',
  ])('%s is', (name) => {
    expect(read(xml, { tests: [name] })['passed']).toBe(true);
  });

  test.each([
    'rese',
    'Reset',
    'reset ',
    'fifo',
    'fifo.full',
    'fifo:reset',
    '.bare',
    '::bare',
    '__proto__',
    'constructor',
    'toString',
  ])('%s is not', (name) => {
    const payload = read(xml, { tests: [name, 'reset'] });
    expect(payload).toMatchObject({
      passed: null,
      summary: `missing among the tests that ran: \`${name}\``,
    });
  });

  test('a case without a name answers to none', () => {
    const nameless = suite('<testcase classname="fifo"/>', '<testcase name="" classname="fifo"/>');
    for (const name of ['fifo', 'fifo.', 'fifo::', 'undefined']) {
      expect(read(nameless, { tests: [name] })['passed']).toBeNull();
    }
  });

  test('a case of such a name as objects have is found', () => {
    const report = suite(passed('__proto__'), passed('constructor'));
    expect(read(report, { tests: ['__proto__', 'fifo.constructor'] })['passed']).toBe(true);
  });

  test('the first few that are missing are named, and how many more', () => {
    const payload = read(xml, { tests: ['reset', 'a', 'b', 'c', 'd', 'e'] });
    expect(payload['summary']).toBe('missing among the tests that ran: `a`, `b`, `c` and 2 more');
  });

  test('a name cannot disturb what is shown', () => {
    const payload = read(xml, { tests: [`a\n\u202e${'x'.repeat(5000)}`] });
    expect(payload['summary']).toMatch(/^missing among the tests that ran: `a\\n\\u\{202e\}x+…/);
    expect(String(payload['summary']).length).toBeLessThan(250);
  });

  test.each([true, false])('a skipped one is not, skipping allowed: %s', (allowSkipped) => {
    const payload = read(suite(passed('a'), skipped('b')), { allowSkipped, tests: ['a', 'b'] });
    expect(payload['passed']).toBeNull();
    expect(payload['summary']).toContain('skipped, but must run: `b`');
  });

  test('one in a suite that was skipped is not', () => {
    const report = suite(passed('a'), `<testsuite>${passed('b')}<skipped/></testsuite>`);
    expect(read(report, { allowSkipped: true, tests: ['a'] })['passed']).toBe(true);
    expect(read(report, { allowSkipped: true, tests: ['b'] })).toMatchObject({
      passed: null,
      summary: 'skipped, but must run: `b`',
    });
  });

  test('one of two of the name was skipped: which is meant must be said', () => {
    const report = suite(passed('a', 'rx'), skipped('a', 'tx'));
    expect(read(report, { allowSkipped: true, tests: ['a'] })['passed']).toBeNull();
    expect(read(report, { allowSkipped: true, tests: ['rx.a'] })['passed']).toBe(true);
    expect(read(report, { allowSkipped: true, tests: ['tx::a'] })['passed']).toBeNull();
  });

  test('a failing one fails, with others missing', () => {
    const payload = read(suite(failed('a')), { tests: ['a', 'b'] });
    expect(payload).toMatchObject({ passed: false, first_failed: 'fifo.a' });
    expect(payload).not.toHaveProperty('summary');
  });

  test('one that failed by its status alone is no pass', () => {
    const report = suite(passed('b'), '<testcase name="a" status="failed"/>');
    expect(read(report, { tests: ['a'] })['passed']).toBeNull();
  });

  test('one that is named only in a comment or in text is missing', () => {
    const report = suite(passed('b'), '<!-- <testcase name="a"/> --><system-out>a</system-out>');
    expect(read(report, { tests: ['a'] })['passed']).toBeNull();
  });

  test('both demands hold at once, and both are told', () => {
    const payload = read(suite(passed('a')), { minTests: 2, tests: ['a', 'b'] });
    expect(payload['summary']).toBe(
      '1 of at least 2 tests ran; missing among the tests that ran: `b`',
    );
  });
});

test('a report that is cut is no evidence, whatever it held by then', () => {
  const xml = suite(passed('a'), passed('b'));
  const demands = { allowSkipped: false, minTests: 2, tests: ['a', 'b'] };
  expect(readJunit(xml, demands)).toMatchObject({ ok: true, value: { passed: true } });
  for (let length = 0; length < xml.length; length++) {
    expect(readJunit(xml.slice(0, length), demands).ok).toBe(false);
  }
});

test('many suites that were skipped are read in bounded time', () => {
  const nested = `${'<testsuite><skipped/><testcase name="a"/>'.repeat(50_000)}${'</testsuite>'.repeat(50_000)}`;
  const started = performance.now();
  expect(read(suite(passed('b'), nested), { allowSkipped: true, tests: ['b'] })['passed']).toBe(
    true,
  );
  expect(performance.now() - started).toBeLessThan(10_000);
});

import { describe, expect, test } from 'vitest';
import { readJunit } from '../../../src/engine/evidence/junit.ts';
import type { JsonObject } from '../../../src/values/strict-json.ts';

const STRICT = { allowSkipped: false };

function read(xml: string, options = STRICT): JsonObject {
  const result = readJunit(xml, options);
  if (!result.ok) expect.fail(result.error.message);
  return result.value;
}

function refusal(xml: string): string {
  const result = readJunit(xml, STRICT);
  if (result.ok) expect.fail(`it was read: ${JSON.stringify(result.value)}`);
  expect(result.error.code).toBe('evidence/unreadable');
  return result.error.message;
}

/** What stands in one suite. */
function suite(content: string, attributes = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="s"${attributes}>${content}</testsuite></testsuites>`;
}

const PASSED = '<testcase classname="fifo" name="reset"/>';
const FAILED = '<testcase classname="fifo" name="full"><failure message="no"/></testcase>';
const SKIPPED = '<testcase classname="fifo" name="later"><skipped/></testcase>';

describe('the test cases of a report are counted', () => {
  test.each<[string, string, JsonObject]>([
    ['one that passed', suite(PASSED), { passed: true, tests: 1 }],
    ['several that passed', suite(PASSED.repeat(3)), { passed: true, tests: 3 }],
    ['one that failed', suite(PASSED + FAILED), { passed: false, tests: 2, failures: 1 }],
    [
      'one in error',
      suite(`${PASSED}<testcase name="x"><error/></testcase>`),
      { passed: false, errors: 1 },
    ],
    ['a skipped one', suite(PASSED + SKIPPED), { passed: null, tests: 2, skipped: 1 }],
    ['none', suite(''), { passed: null, tests: 0 }],
    ['no suite', '<testsuites/>', { passed: null, tests: 0 }],
    ['a suite as the root', `<testsuite>${PASSED}</testsuite>`, { passed: true, tests: 1 }],
    [
      'a case right under the root',
      `<testsuites>${PASSED}</testsuites>`,
      { passed: true, tests: 1 },
    ],
    [
      'suites in suites',
      suite(`${PASSED}<testsuite><testsuite>${FAILED}</testsuite>${PASSED}</testsuite>`),
      { passed: false, tests: 3, failures: 1 },
    ],
    [
      'a failure in the last of many suites',
      `<testsuites>${`<testsuite>${PASSED}</testsuite>`.repeat(50)}<testsuite>${FAILED}</testsuite></testsuites>`,
      { passed: false, tests: 51, failures: 1 },
    ],
    [
      'a case with output and properties',
      suite(
        '<properties><property name="seed" value="1"/></properties><testcase name="x"><system-out>error: failure</system-out></testcase><system-err/>',
      ),
      { passed: true, tests: 1 },
    ],
    [
      'a skip that also failed',
      suite('<testcase><skipped/><failure/></testcase>'),
      { passed: false },
    ],
    [
      'two failures in one case',
      suite('<testcase><failure/><failure/></testcase>'),
      { passed: false, tests: 1 },
    ],
    [
      'a case that is skipped twice',
      suite('<testcase><skipped/><skipped/></testcase>'),
      { skipped: 1 },
    ],
  ])('%s', (_, xml, counts) => {
    expect(read(xml)).toMatchObject(counts);
  });

  test('and the first that failed is named', () => {
    expect(read(suite(PASSED + FAILED + FAILED.replace('full', 'empty')))).toEqual({
      passed: false,
      tests: 3,
      failures: 2,
      errors: 0,
      skipped: 0,
      first_failed: 'fifo.full',
    });
    expect(read(suite(PASSED))).not.toHaveProperty('first_failed');
    expect(read(suite(`${PASSED}<error/>`))).not.toHaveProperty('first_failed');
  });
});

describe('attributes are not believed', () => {
  test.each<[string, string, boolean | null]>([
    [
      'no failures, where a case failed',
      suite(FAILED, ' tests="1" failures="0" errors="0"'),
      false,
    ],
    ['a hundred tests, where there is none', suite('', ' tests="100" failures="0"'), null],
    ['a hundred tests, where there is one', suite(PASSED, ' tests="100"'), null],
    [
      'a hundred tests in a suite beside one that has its own',
      `<testsuites><testsuite tests="1">${PASSED}</testsuite><testsuite tests="100"/></testsuites>`,
      null,
    ],
    ['as many tests as there are', suite(`${PASSED}${PASSED}`, ' tests="2"'), true],
    ['fewer tests than there are', suite(`${PASSED}${PASSED}`, ' tests="1"'), true],
    ['skipped tests that no case shows', suite(PASSED, ' tests="1" skipped="1"'), null],
    ['disabled tests that no case shows', suite(PASSED, ' disabled="4"'), null],
    ['a failure that no case shows', suite(PASSED, ' failures="1"'), null],
    ['an error that no case shows', suite(PASSED, ' errors="2"'), null],
    [
      'a failure on the root that no case shows',
      `<testsuites failures="1"><testsuite>${PASSED}</testsuite></testsuites>`,
      null,
    ],
    ['a failure with a prefix', suite('<testcase><j:failure/></testcase>'), false],
    ['a failure in another case', suite('<testcase><Failure/></testcase>'), false],
    ['failures that are no number', suite(PASSED, ' failures="none" errors=""'), null],
    ['a number with a comma', suite(PASSED, ' failures="1,000"'), null],
    ['errors that are not told', suite(PASSED, ' errors=""'), true],
    ['a suite that failed', suite(PASSED, ' status="failed"'), null],
    ['a suite that was skipped', suite(PASSED, ' status="skipped"'), null],
    [
      'a status of having passed on a case that failed',
      suite('<testcase status="passed"><failure/></testcase>'),
      false,
    ],
  ])('%s', (_, xml, passed) => {
    expect(read(xml)['passed']).toBe(passed);
  });

  test.each([
    'status=" FAILED "',
    'status="errored"',
    'status="aborted"',
    'status="timed out"',
    'status="KO"',
    'status="unknown"',
    'result="inconclusive"',
    'outcome="failed"',
    'success="false"',
    'executed="false"',
  ])('a case that says %s has come to no good end', (said) => {
    expect(read(suite(`<testcase name="a" ${said}/>`))['passed']).toBeNull();
  });

  test.each([
    'status="run" result="completed"',
    'status="passed"',
    'status="OK"',
    'executed="True" success="True"',
    'outcome="Passed"',
    'status=""',
  ])('a case that says %s has', (said) => {
    expect(read(suite(`<testcase name="a" ${said}/>`))['passed']).toBe(true);
  });

  test.each([
    ...['failed', 'fail', 'failures', 'rerunFailure', 'rerunError', 'flakyFailure'],
    ...['ignored', 'disabled', 'not-run'],
  ])('a case that holds <%s> neither passed nor failed', (element) => {
    expect(read(suite(`<testcase name="a"><${element}/></testcase>`))['passed']).toBeNull();
  });

  test.each([
    'status="notrun"',
    'status="disabled"',
    'status="skipped"',
    'status="NotRun"',
    'status="pending"',
    'result="skipped"',
    'result="suppressed"',
  ])('but for those that say a case was not run: %s', (attribute) => {
    expect(read(suite(`${PASSED}<testcase name="x" ${attribute}/>`))).toMatchObject({
      passed: null,
      tests: 2,
      skipped: 1,
    });
  });

  test.each([
    'status="failed"',
    'status="fail"',
    'status="error"',
    'result="failure"',
    'result="FAILED"',
  ])('and those that say a case failed, which then must show it: %s', (attribute) => {
    expect(read(suite(`${PASSED}<testcase name="x" ${attribute}/>`))['passed']).toBeNull();
    const shown = `<testcase name="x" ${attribute}><failure/></testcase>`;
    expect(read(suite(shown))['passed']).toBe(false);
  });

  test.each([
    'status="run"',
    'status="passed"',
    'result="completed"',
    'status="run" result="completed"',
  ])('a case that was run is one that passed: %s', (attribute) => {
    expect(read(suite(`<testcase name="x" ${attribute}/>`))['passed']).toBe(true);
  });
});

describe('a failure counts wherever it stands', () => {
  test.each<[string, string]>([
    ['in a suite whose setup failed', suite(`${PASSED}<error message="setup"/>`)],
    ['in the root', `<testsuites><failure/><testsuite>${PASSED}</testsuite></testsuites>`],
    ['in something inside a case', suite('<testcase><attempt><failure/></attempt></testcase>')],
  ])('%s', (_, xml) => {
    expect(read(xml)['passed']).toBe(false);
  });

  test('but not in text, in a comment, or under another name', () => {
    const text = '<system-out><![CDATA[<failure/>]]>&lt;error/&gt;</system-out>';
    const comment = '<!-- <failure/> -->';
    const other = '<attempt/><properties><property name="failure"/></properties>';
    expect(read(suite(`<testcase>${text}${comment}${other}</testcase>`))['passed']).toBe(true);
  });
});

test('a suite that was skipped leaves the verdict open, with cases beside it', () => {
  const xml = suite(`${PASSED}<testsuite><skipped/></testsuite>`);
  expect(read(xml)).toMatchObject({ passed: null, tests: 1, skipped: 1 });
  expect(read(xml, { allowSkipped: true })['passed']).toBe(true);
});

describe('skipped cases, where the flow allows them', () => {
  const options = { allowSkipped: true };

  test('do not count against those that passed', () => {
    expect(read(suite(PASSED + SKIPPED), options)).toMatchObject({ passed: true, skipped: 1 });
  });

  test('are no pass by themselves: nothing was run', () => {
    expect(read(suite(SKIPPED + SKIPPED), options)).toMatchObject({ passed: null, tests: 2 });
  });

  test('excuse no failure and no empty report', () => {
    expect(read(suite(SKIPPED + FAILED), options)['passed']).toBe(false);
    expect(read(suite(''), options)['passed']).toBeNull();
  });
});

describe('a report that is damaged is no evidence', () => {
  const whole = suite(PASSED.repeat(20));

  test('wherever it was cut', () => {
    for (let length = 0; length < whole.length; length += 7) refusal(whole.slice(0, length));
    refusal(whole.slice(0, -1));
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['text', 'all tests passed'],
    ['JSON', '{"tests":1}'],
    ['two roots', `<testsuites>${PASSED}</testsuites><testsuites/>`],
    ['text after the root', `<testsuites>${PASSED}</testsuites>done`],
    ['tags that cross', `<testsuites><testsuite></testsuites></testsuite>`],
    ['an attribute twice', '<testsuites><testcase name="a" name="b"/></testsuites>'],
    ['an attribute without quotes', '<testsuites><testcase name=a/></testsuites>'],
    ['a bare ampersand', suite('<testcase name="a&b"/>')],
    ['a control character', suite('<testcase name="a\u0001b"/>')],
    ['an entity that is not defined', suite(`<testcase name="&lol;"/>`)],
    ['a character reference beyond Unicode', suite('<testcase name="&#x110000;"/>')],
    ['a declaration in the middle', suite('<?xml version="1.0"?>')],
    ['a comment without end', suite('<!-- <testcase>')],
    ['another root', `<html><testsuites>${PASSED}</testsuites></html>`],
    ['another root of a similar name', `<TestSuites>${PASSED}</TestSuites>`],
    ['a root in a namespace', `<j:testsuites xmlns:j="x"><j:testcase/></j:testsuites>`],
  ])('%s', (_, xml) => {
    expect(refusal(xml)).toContain('the JUnit report cannot be used');
  });
});

describe('a document type is no way in', () => {
  test('it expands nothing, so that no bomb goes off', () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`,
    );
    const bomb = `<?xml version="1.0"?><!DOCTYPE testsuites [<!ENTITY l0 "lol">${levels.join('')}]>`;
    const start = performance.now();
    refusal(`${bomb}<testsuites><testcase name="&l30;"/></testsuites>`);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('it reads no file', () => {
    const doctype = '<!DOCTYPE testsuites [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
    refusal(`${doctype}<testsuites><testcase name="&x;"/></testsuites>`);
  });

  test('it gives no attribute a value', () => {
    const doctype = '<!DOCTYPE testsuites [<!ATTLIST testcase status CDATA "passed">]>';
    expect(read(`${doctype}<testsuites>${FAILED}</testsuites>`)['passed']).toBe(false);
  });

  test('one without entities does no harm', () => {
    expect(read(`<!DOCTYPE testsuites><testsuites>${PASSED}</testsuites>`)['passed']).toBe(true);
  });
});

test('a deep or large report is read in bounded time', () => {
  const deep = `${'<testsuite>'.repeat(50_000)}${FAILED}${'</testsuite>'.repeat(50_000)}`;
  expect(read(deep)['passed']).toBe(false);
  expect(read(suite(PASSED.repeat(100_000)))).toMatchObject({ passed: true, tests: 100_000 });
});

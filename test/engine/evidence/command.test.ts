import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../../src/flow/stage.ts';
import { checkWorkspacePath } from '../../../src/values/workspace-path.ts';
import { callCommand, engineRoom } from '../../support/engine-room.ts';

function path(text: string) {
  const checked = checkWorkspacePath(text);
  if (!checked.ok) throw new Error(checked.why);
  return checked.path;
}

const JUNIT: Evidence = { kind: 'junit', path: path('out/r.xml'), allowSkipped: false };
const SARIF: Evidence = { kind: 'sarif', path: path('out/r.sarif') };
const DEMANDING: Evidence = { ...JUNIT, minTests: 2, tests: ['a'] };
const LCOV: Evidence = {
  kind: 'lcov',
  path: path('out/r.info'),
  minLineCoverage: 0.5,
  files: [path('a.v')],
};
const JSON_REPORT: Evidence = {
  kind: 'json',
  path: path('out/r.json'),
  assertion: { id: 'met', field: 'met', pass_when: { is_true: true } },
};
const CHECKED = { floors: { checked: { min: 1 } } };

const PASSED = '<testsuite><testcase/></testsuite>';
const FAILED = '<testsuite><testcase><failure/></testcase></testsuite>';

/** A command that writes a file and ends with a code. */
function writing(file: string, text: string, code = 0): string {
  return `mkdir -p out; printf '%s' '${text}' > '${file}'; exit ${code}`;
}

function lcov(...records: string[]): string {
  return ['TN:verilator_coverage', 'SF:a.v', ...records, 'end_of_record', ''].join('\n');
}

function sarif(...levels: string[]): string {
  const results = levels.map((level) => ({ level }));
  return JSON.stringify({ version: '2.1.0', runs: [{ results }] });
}

describe.concurrent('the verdict of a command', () => {
  const junit = (xml: string, code?: number): string => writing('out/r.xml', xml, code);
  const json = (text: string, code?: number): string => writing('out/r.json', text, code);
  const cases: [string, Evidence, string, string | 'error', object?][] = [
    ['tests passed', JUNIT, junit(PASSED), 'pass'],
    ['a test failed', JUNIT, junit(FAILED), 'fail'],
    ['a test failed, and the command says so', JUNIT, junit(FAILED, 1), 'fail'],
    ['tests passed, and the command says no', JUNIT, junit(PASSED, 1), 'error'],
    ['no test', JUNIT, junit('<testsuites/>'), 'unknown'],
    ['no test, and the command says no', JUNIT, junit('<testsuites/>', 2), 'error'],
    [
      'a test skipped',
      JUNIT,
      junit('<testsuite><testcase><skipped/></testcase></testsuite>'),
      'unknown',
    ],
    ['a report that is cut', JUNIT, junit('<testsuite><testcase/>'), 'error'],
    ['a report of half a failure', JUNIT, junit('<testsuite><testcase><failure/>', 1), 'error'],
    ['no report', JUNIT, 'true', 'error'],
    [
      'the tests that were asked for',
      DEMANDING,
      junit('<testsuite><testcase name="a"/><testcase/></testsuite>'),
      'pass',
    ],
    [
      'fewer tests than were asked for',
      DEMANDING,
      junit('<testsuite><testcase name="a"/></testsuite>'),
      'unknown',
    ],
    [
      'not the tests that were asked for',
      DEMANDING,
      junit('<testsuite><testcase name="b"/><testcase/></testsuite>'),
      'unknown',
    ],
    ['fewer tests, of which one failed', DEMANDING, junit(FAILED), 'fail'],
    ['fewer tests, and the command says no', DEMANDING, junit(PASSED, 1), 'error'],
    ['enough lines', LCOV, writing('out/r.info', lcov('DA:1,1', 'DA:2,0')), 'pass'],
    ['too few lines', LCOV, writing('out/r.info', lcov('DA:1,0')), 'fail'],
    [
      'too few lines, and the command says so',
      LCOV,
      writing('out/r.info', lcov('DA:1,0'), 1),
      // A simulation that crashed covers little: that says nothing of the design.
      'error',
    ],
    [
      'enough lines, and the command says no',
      LCOV,
      writing('out/r.info', lcov('DA:1,1'), 1),
      'error',
    ],
    ['no line of the file', LCOV, writing('out/r.info', lcov('LF:9', 'LH:9')), 'unknown'],
    ['a count below zero', LCOV, writing('out/r.info', lcov('DA:1,-1')), 'error'],
    ['an empty trace file', LCOV, writing('out/r.info', ''), 'error'],
    ['no trace file', LCOV, 'true', 'error'],
    ['no findings', SARIF, writing('out/r.sarif', sarif()), 'pass'],
    ['a finding', SARIF, writing('out/r.sarif', sarif('error')), 'fail'],
    [
      'a finding, and the command says so',
      SARIF,
      writing('out/r.sarif', sarif('error'), 1),
      'fail',
    ],
    ['no findings, and the command says no', SARIF, writing('out/r.sarif', sarif(), 1), 'error'],
    [
      'a log without runs',
      SARIF,
      writing('out/r.sarif', '{"version":"2.1.0","runs":[]}'),
      'unknown',
    ],
    ['a log that is no SARIF', SARIF, writing('out/r.sarif', '{"runs":[]}'), 'error'],
    [
      'a log with a key twice',
      SARIF,
      writing('out/r.sarif', '{"version":"2.1.0","version":"2.1.0","runs":[]}'),
      'error',
    ],
    ['the field is true', JSON_REPORT, json('{"met":true,"checked":1}'), 'pass', CHECKED],
    ['the field is false', JSON_REPORT, json('{"met":false}'), 'fail', CHECKED],
    [
      'the field is false, and the command says so',
      JSON_REPORT,
      json('{"met":false}', 3),
      'fail',
      CHECKED,
    ],
    [
      'the field is true, and the command says no',
      JSON_REPORT,
      json('{"met":true,"checked":1}', 3),
      'error',
      CHECKED,
    ],
    ['nothing was checked', JSON_REPORT, json('{"met":true,"checked":0}'), 'unknown', CHECKED],
    ['nothing says what was checked', JSON_REPORT, json('{"met":true}'), 'unknown', CHECKED],
    ['the field is absent', JSON_REPORT, json('{"checked":1}'), 'unknown', CHECKED],
    ['the field is a text', JSON_REPORT, json('{"met":"true","checked":1}'), 'unknown', CHECKED],
    ['the report says NaN', JSON_REPORT, json('{"met":true,"checked":NaN}'), 'error', CHECKED],
    ['the report is a list', JSON_REPORT, json('[{"met":true}]'), 'error', CHECKED],
    ['a file came back', { kind: 'exit-code' }, 'echo x > made', 'pass', { outputs: ['made'] }],
    ['no file came back', { kind: 'exit-code' }, 'true', 'unknown', { outputs: ['made'] }],
    ['no file was asked for', { kind: 'exit-code' }, 'echo x > made', 'unknown', { outputs: [] }],
    [
      'a file came back, and the command says no',
      { kind: 'exit-code' },
      'echo x > made; false',
      'error',
      { outputs: ['made'] },
    ],
    ['there is no evidence', { kind: 'none' }, 'true', 'unknown'],
    ['there is no evidence, and the command says no', { kind: 'none' }, 'false', 'error'],
  ];

  test.each(cases)('%s (%j)', async (_, evidence, script, verdict, more = {}) => {
    const { envelope, isValid } = await callCommand(engineRoom(), script, evidence, more);
    expect(isValid).toBe(true);
    expect(envelope.engineering.status).toBe(verdict === 'error' ? 'unknown' : verdict);
    expect(envelope.status).toBe(verdict === 'error' ? 'error' : 'ok');
    expect(envelope.error === null).toBe(verdict !== 'error');
  });

  test('counts lines of files by their absolute path too', async () => {
    const script = 'mkdir out; printf "SF:$PWD/a.v\\nDA:1,1\\nend_of_record\\n" > out/r.info';
    const { envelope } = await callCommand(engineRoom(), script, LCOV);
    expect(envelope).toMatchObject({
      engineering: {
        status: 'pass',
        assertion: 'coverage-met',
        summary: 'line coverage is 1 (1 of 1 line), and at least 0.5 is needed',
      },
      result: { passed: true, lines: 1, lines_hit: 1, line_coverage: 1, files: 1 },
    });
  });

  test('names its evidence in the payload', async () => {
    const { envelope } = await callCommand(engineRoom(), junit(FAILED, 1), JUNIT);
    expect(envelope).toMatchObject({
      tool: 'sh',
      engineering: { assertion: 'tests-passed' },
      result: { passed: false, tests: 1, failures: 1 },
      provenance: { maturity: 'discovered', descriptor: null },
    });
  });
});

describe.concurrent('evidence that cannot be read is an error that says why', () => {
  const cases: [string, string, RegExp, string][] = [
    ['it is not there', 'true', /did not write its evidence out\/r\.xml/, 'output_unparsable'],
    ['it is not there after a failure', 'exit 7', /exited with code 7/, 'engine_nonzero'],
    ['it is a folder', 'mkdir -p out/r.xml', /no regular file/, 'output_unparsable'],
    [
      'it is a pipe, which is not waited for',
      'mkdir out; mkfifo out/r.xml',
      /no regular file/,
      'output_unparsable',
    ],
    [
      'it is a link',
      `mkdir out; echo '${PASSED}' > real; ln -s ../real out/r.xml`,
      /no regular file/,
      'output_unparsable',
    ],
    [
      'it is not UTF-8',
      `mkdir out; printf '<testsuite><testcase name="\\351"/></testsuite>' > out/r.xml`,
      /not valid UTF-8/,
      'output_unparsable',
    ],
    [
      'it is UTF-16',
      `mkdir out; printf '\\377\\376<\\0t\\0' > out/r.xml`,
      /not valid UTF-8/,
      'output_unparsable',
    ],
    [
      'it is larger than 64 MiB',
      'mkdir out; truncate -s 65M out/r.xml',
      /larger than/,
      'output_unparsable',
    ],
  ];

  test.each(cases)('%s', async (_, script, why, code) => {
    const { envelope } = await callCommand(engineRoom(), script, JUNIT);
    expect(envelope.error).toMatchObject({ code, message: expect.stringMatching(why) });
    expect(envelope.engineering.status).toBe('unknown');
    expect(envelope.result).toBeNull();
  });

  test('a byte order mark before a report of tests does no harm', async () => {
    const script = `mkdir out; printf '\\357\\273\\277${PASSED}' > out/r.xml`;
    expect((await callCommand(engineRoom(), script, JUNIT)).verdict.status).toBe('pass');
  });
});

import { describe, expect, it } from 'vitest';
import { checkPass, runPass, stageIn } from '../support/gate.ts';
import { makeWorkspace } from '../support/workspace.ts';

const JSON_EVIDENCE = `evidence: { json: r.json, assertion: { id: clean, field: ok, pass_when: { is_true: true } } }
    floors: { seen.files: { min: 2 } }`;
const JUNIT = 'evidence: { junit: r.xml }';
const DEMANDING = 'evidence: { junit: r.xml, min-tests: 2, tests: [a, c] }';
const LCOV = 'evidence: { lcov: r.info, min-line-coverage: 0.75, files: [a.v] }';
const SARIF = 'evidence: { sarif: r.sarif }';
const EXIT = 'evidence: exit-code\n    outputs: [r.txt]';

function junit(...cases: string[]): string {
  return `printf '%s' '<testsuite tests="${cases.length}">${cases.join('')}</testsuite>' > r.xml`;
}
const PASSED = '<testcase name="a"/>';
const FAILED = '<testcase name="b"><failure message="x"/></testcase>';
const SKIPPED = '<testcase name="c"><skipped/></testcase>';

const ALSO_PASSED = '<testcase name="c"/>';

/** Writes a trace file whose lines have these counts. */
function lcov(path: string, ...counts: string[]): string {
  const records = counts.map((count, index) => `DA:${index + 1},${count}`);
  const lines = ['TN:verilator_coverage', `SF:${path}`, ...records, 'end_of_record'];
  return `printf '%s\\n' ${lines.map((line) => `"${line}"`).join(' ')} > r.info`;
}

function sarif(run: string): string {
  return `printf '%s' '{"version": "2.1.0", "runs": [${run}]}' > r.sarif`;
}
const TOOL = '"tool": {"driver": {"name": "t"}}';

/** What a command does, under which evidence, and what that amounts to. */
const CASES: readonly [string, string, string, string, RegExp][] = [
  ['an exit code of 0 with a new output', EXIT, 'echo done > r.txt', 'valid', /./],
  ['an exit code of 0 without the output', EXIT, 'true', 'blocked', /output|outputs/],
  ['an exit code of 1', EXIT, 'echo done > r.txt; exit 1', 'blocked', /exited with code 1/],
  ['a signal', EXIT, 'echo done > r.txt; kill -9 $$', 'blocked', /SIGKILL/],
  ['a pipe whose first part fails', EXIT, 'false | cat > r.txt', 'blocked', /exited with code 1/],
  ['a command that fails before the last', EXIT, 'false; echo done > r.txt', 'blocked', /exited/],

  ['a report of passed tests', JUNIT, junit(PASSED, PASSED), 'valid', /./],
  ['a report with a failed test', JUNIT, junit(PASSED, FAILED), 'failed', /./],
  ['a failed test and an exit code of its own', JUNIT, `${junit(FAILED)}; exit 3`, 'failed', /./],
  [
    'passed tests and an exit code that says otherwise',
    JUNIT,
    `${junit(PASSED)}; exit 3`,
    'blocked',
    /exited with code 3/,
  ],
  ['a report without a test', JUNIT, junit(), 'blocked', /./],
  [
    'a report that tells of more tests than it shows',
    JUNIT,
    junit(PASSED).replace('tests="1"', 'tests="99"'),
    'blocked',
    /tells of 99 tests and shows 1/,
  ],
  ['a report with a skipped test', JUNIT, junit(PASSED, SKIPPED), 'blocked', /inconclusive/],
  [
    'a skipped test where that is allowed',
    'evidence: { junit: r.xml, allow-skipped: true }',
    junit(PASSED, SKIPPED),
    'valid',
    /./,
  ],
  [
    'nothing but skipped tests, where that is allowed',
    'evidence: { junit: r.xml, allow-skipped: true }',
    junit(SKIPPED),
    'blocked',
    /./,
  ],
  ['a report that was cut', JUNIT, `${junit(PASSED)}; truncate -s -5 r.xml`, 'blocked', /./],
  ['a report that was not written', JUNIT, 'true', 'blocked', /did not write its evidence r\.xml/],
  [
    'a report that is a link',
    JUNIT,
    `${junit(PASSED)}; mv r.xml x.xml; ln -s x.xml r.xml`,
    'blocked',
    /no regular file/,
  ],
  ['a report that is a FIFO', JUNIT, 'mkfifo r.xml', 'blocked', /no regular file/],
  [
    'a report in Latin-1',
    JUNIT,
    `printf '<testsuite><testcase name="\\351"/></testsuite>' > r.xml`,
    'blocked',
    /UTF-8/,
  ],

  ['all tests that are asked for', DEMANDING, junit(PASSED, ALSO_PASSED), 'valid', /./],
  [
    'fewer tests than are asked for',
    DEMANDING,
    junit(PASSED),
    'blocked',
    /1 of at least 2 tests ran/,
  ],
  [
    'as many tests, of which one is another',
    DEMANDING,
    junit(PASSED, '<testcase name="d"/>'),
    'blocked',
    /missing among the tests that ran: `c`/,
  ],
  [
    'a test that is asked for and skipped, where that is allowed',
    'evidence: { junit: r.xml, allow-skipped: true, tests: [c] }',
    junit(PASSED, SKIPPED),
    'blocked',
    /skipped, but must run: `c`/,
  ],
  ['a failed test beside missing ones', DEMANDING, junit(FAILED), 'failed', /./],

  ['a trace file with enough lines hit', LCOV, lcov('a.v', '1', '2', '0', '1'), 'valid', /./],
  ['the same by absolute paths', LCOV, lcov('$PWD/a.v', '1', '2', '0', '1'), 'valid', /./],
  [
    'a trace file with too few lines hit',
    LCOV,
    lcov('a.v', '1', '0', '0', '1'),
    'failed',
    /line coverage is 0\.5 \(2 of 4 lines\), and at least 0\.75 is needed/,
  ],
  ['a trace file of another file', LCOV, lcov('b.v', '1'), 'blocked', /no line of `a\.v`.*`b\.v`/],
  ['a trace file without a line', LCOV, lcov('a.v'), 'blocked', /no line of `a\.v`/],
  ['a trace file with a count below zero', LCOV, lcov('a.v', '-1'), 'blocked', /count/],
  [
    'a trace file that was cut',
    LCOV,
    `${lcov('a.v', '1')}; truncate -s -5 r.info`,
    'blocked',
    /no record of an lcov trace file/,
  ],
  ['an empty trace file', LCOV, ': > r.info', 'blocked', /no record of a file/],
  [
    'a trace file that was not written',
    LCOV,
    'true',
    'blocked',
    /did not write its evidence r\.info/,
  ],
  [
    'enough lines hit and an exit code that says otherwise',
    LCOV,
    `${lcov('a.v', '1')}; exit 3`,
    'blocked',
    /exited with code 3/,
  ],

  [
    'a JSON report that holds',
    JSON_EVIDENCE,
    `echo '{"ok": true, "seen": {"files": 2}}' > r.json`,
    'valid',
    /./,
  ],
  [
    'a JSON report that does not hold',
    JSON_EVIDENCE,
    `echo '{"ok": false, "seen": {"files": 2}}' > r.json`,
    'failed',
    /./,
  ],
  [
    'a JSON report under its floor',
    JSON_EVIDENCE,
    `echo '{"ok": true, "seen": {"files": 1}}' > r.json`,
    'blocked',
    /floor not reached/,
  ],
  [
    'a JSON report without the floor',
    JSON_EVIDENCE,
    `echo '{"ok": true}' > r.json`,
    'blocked',
    /floor not reached/,
  ],
  [
    'a JSON report with a word for true',
    JSON_EVIDENCE,
    `echo '{"ok": "true", "seen": {"files": 2}}' > r.json`,
    'blocked',
    /wrong type/,
  ],
  [
    'a JSON report with the verdict twice',
    JSON_EVIDENCE,
    `echo '{"ok": false, "ok": true, "seen": {"files": 2}}' > r.json`,
    'blocked',
    /stands twice/,
  ],
  [
    'two JSON reports in one file',
    JSON_EVIDENCE,
    `echo '{"ok": true, "seen": {"files": 2}} {}' > r.json`,
    'blocked',
    /./,
  ],
  ['a JSON report that is a list', JSON_EVIDENCE, `echo '[]' > r.json`, 'blocked', /not an object/],

  ['a SARIF log without a finding', SARIF, sarif(`{${TOOL}, "results": []}`), 'valid', /./],
  [
    'a SARIF log with a finding',
    SARIF,
    sarif(`{${TOOL}, "results": [{"level": "error", "message": {"text": "x"}}]}`),
    'failed',
    /./,
  ],
  ['a SARIF log without a run', SARIF, sarif(''), 'blocked', /./],
  ['a SARIF log whose run has no results', SARIF, sarif(`{${TOOL}}`), 'blocked', /./],
  [
    'a SARIF log of a run that did not succeed',
    SARIF,
    sarif(`{${TOOL}, "results": [], "invocations": [{"executionSuccessful": false}]}`),
    'blocked',
    /./,
  ],

  [
    'no evidence at all, however well it went',
    'outputs: [r.txt]',
    'echo done > r.txt',
    'blocked',
    /no evidence/,
  ],
];

describe.concurrent('a command is judged by the evidence that it leaves', () => {
  it.each(CASES)('%s', async (_, evidence, command, status, reason) => {
    const workspace = makeWorkspace({
      flow: `stages:
  test:
    run: ${JSON.stringify(command)}
    inputs: [a.v]
    ${evidence}
`,
      files: { 'a.v': 'module a;\n' },
    });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'test')).toMatchObject({ status, how: 'ran' });
    expect(stageIn(pass, 'test').reason).toMatch(reason);
    const isProven = status === 'valid';
    expect(pass.answer.verdict).toBe(isProven ? 'proven' : 'not-proven');
    expect(checkPass(workspace).answer.verdict).toBe(pass.answer.verdict);
  });

  it('what the evidence must hold is part of what was asked: asking for more ends the proof', async () => {
    const flowWith = (evidence: string): string => `stages:
  test:
    run: ${JSON.stringify(junit(PASSED, ALSO_PASSED))}
    inputs: [a.v]
    evidence: ${evidence}
`;
    const workspace = makeWorkspace({
      flow: flowWith('{ junit: r.xml }'),
      files: { 'a.v': 'a' },
    });
    expect((await runPass(workspace)).answer.verdict).toBe('proven');
    workspace.write('signoff.yaml', flowWith('{ junit: r.xml, min-tests: 3 }'));
    expect(stageIn(checkPass(workspace), 'test')).toMatchObject({ status: 'stale' });
    expect(stageIn(await runPass(workspace), 'test')).toMatchObject({ status: 'blocked' });
  });

  it('an old report is moved away first, so it cannot count', async () => {
    const workspace = makeWorkspace({
      flow: `stages:\n  test:\n    run: "true"\n    inputs: [a.v]\n    ${JUNIT}\n`,
      files: { 'a.v': 'a', 'r.xml': `<testsuite>${PASSED}</testsuite>` },
    });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'test')).toMatchObject({ status: 'blocked' });
    expect(workspace.read('r.xml')).toContain('testcase');
  });

  it('what rests on an exit code alone is marked', async () => {
    const workspace = makeWorkspace({
      flow: `stages:\n  test:\n    run: echo done > r.txt\n    inputs: [a.v]\n    ${EXIT}\n`,
      files: { 'a.v': 'a' },
    });
    const pass = await runPass(workspace);
    expect(stageIn(pass, 'test').marks).toContain('exit-code-only');
    expect(pass.answer.counts).toMatchObject({ proven: 1, exit_code_only: 1 });
  });
});

import type { Problem } from '../values/problem.ts';
import type { GateResult } from './result.ts';

/**
 * A judgement as JUnit XML, for tools that read nothing else: one test case a stage. What is not
 * proven is a failure if the evidence says fail, else an error; nothing is ever skipped.
 */
export function junitXml(result: GateResult): string {
  const open = result.stages.filter(({ assessment }) => assessment.status !== 'valid');
  const failures = open.filter(({ assessment }) => assessment.verdict === 'fail').length;
  const cases = result.stages.map(({ assessment, held }) => {
    const { stage, status, verdict } = assessment;
    const seconds = ((assessment.outcome?.duration_ms ?? 0) / 1000).toFixed(3);
    const head = `    <testcase classname="${xml(result.flow)}" name="${xml(stage.name)}" time="${seconds}"`;
    if (status === 'valid') return `${head}/>`;
    const element = verdict === 'fail' ? 'failure' : 'error';
    const message = xml(held === undefined ? assessment.reason : `not run: ${held}`);
    return `${head}>\n      <${element} type="${status}" message="${message}"/>\n    </testcase>`;
  });
  return document(result.flow, [...cases, ...result.problems.map(problemCase(result.flow))], {
    failures,
    errors: open.length - failures + result.problems.length,
  });
}

/** What stands in the place of a judgement that was not made: nothing in it passes. */
export function unjudgedJunitXml(name: string, problems: readonly Problem[]): string {
  return document(name, problems.map(problemCase(name)), { failures: 0, errors: problems.length });
}

function problemCase(suite: string): (found: Problem, index: number) => string {
  return ({ code, message }, index) =>
    `    <testcase classname="${xml(suite)}" name="problem ${index + 1}">\n` +
    `      <error type="${xml(code)}" message="${xml(message)}"/>\n    </testcase>`;
}

function document(
  suite: string,
  cases: readonly string[],
  { failures, errors }: { readonly failures: number; readonly errors: number },
): string {
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(suite)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function xml(text: string): string {
  return text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�')
    .replace(/[<>&"'\n\r\t]/g, (character) => `&#${character.codePointAt(0)};`);
}

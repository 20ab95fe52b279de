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
  const problems = result.problems.map(
    (found, index) =>
      `    <testcase classname="${xml(result.flow)}" name="problem ${index + 1}">\n` +
      `      <error type="${xml(found.code)}" message="${xml(found.message)}"/>\n    </testcase>`,
  );
  const tests = cases.length + problems.length;
  const errors = open.length - failures + problems.length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${tests}" failures="${failures}" errors="${errors}">`,
    `  <testsuite name="${xml(result.flow)}" tests="${tests}" failures="${failures}" errors="${errors}">`,
    ...cases,
    ...problems,
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

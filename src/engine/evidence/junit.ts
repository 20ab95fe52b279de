import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import type { JsonObject } from '../../values/strict-json.ts';

interface Counts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  /** The most that an attribute of a suite claims. */
  claimed: number;
  firstFailed: string | undefined;
}

/**
 * Counts the test cases of a JUnit report, never its attributes. Not one that ran, or a skipped one,
 * leaves the verdict open; a failure or error decides it. A truncated report is no evidence.
 */
export function readJunit(xml: string, options: { allowSkipped: boolean }): Result<JsonObject> {
  const counts: Counts = {
    tests: 0,
    failures: 0,
    errors: 0,
    skipped: 0,
    claimed: 0,
    firstFailed: undefined,
  };
  const fault = parse(xml, counts);
  if (fault) return err(fault);
  const bad = counts.failures + counts.errors;
  // A suite that claims failures which no case shows contradicts itself: nothing can be read from it.
  const isContradictory = bad === 0 && counts.claimed > 0;
  // Cases that were skipped, even where that is allowed, say nothing of the design.
  const haveNoneRun = counts.tests - counts.skipped === 0;
  const isOpen = haveNoneRun || isContradictory || (counts.skipped > 0 && !options.allowSkipped);
  return ok({
    passed: bad > 0 ? false : isOpen ? null : true,
    tests: counts.tests,
    failures: counts.failures,
    errors: counts.errors,
    skipped: counts.skipped,
    ...(counts.firstFailed === undefined ? {} : { first_failed: counts.firstFailed }),
  });
}

function parse(xml: string, counts: Counts): Problem | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const open: string[] = [];
  let caseName: string | undefined;
  let caseState: 'passed' | 'skipped' | 'failed' = 'passed';
  let fault: Problem | undefined;
  const refuse = (why: string): void => {
    fault ??= problem('evidence/unreadable', `the JUnit report cannot be used: ${why}`);
  };
  parser.on('error', (error) => refuse(error.message.split('\n', 1)[0] ?? 'it is not well-formed'));
  parser.on('opentag', (tag: SaxesTagPlain) => {
    const parent = open.at(-1);
    if (parent === undefined && tag.name !== 'testsuites' && tag.name !== 'testsuite') {
      refuse(`its root is <${tag.name}>, not <testsuites> or <testsuite>`);
    }
    if (tag.name === 'testsuite' || tag.name === 'testsuites') {
      for (const name of ['failures', 'errors']) {
        const claim = Number(tag.attributes[name] ?? 0);
        if (claim > counts.claimed) counts.claimed = claim;
      }
    }
    if (tag.name === 'testcase') {
      counts.tests++;
      caseName = [tag.attributes['classname'], tag.attributes['name']].filter(Boolean).join('.');
      caseState = wasNotRun(tag) ? 'skipped' : 'passed';
      if (caseState === 'skipped') counts.skipped++;
    } else if (parent === 'testcase') {
      if (tag.name === 'failure') counts.failures++;
      if (tag.name === 'error') counts.errors++;
      if (tag.name === 'skipped' && caseState !== 'skipped') {
        caseState = 'skipped';
        counts.skipped++;
      }
      if (tag.name === 'failure' || tag.name === 'error') counts.firstFailed ??= caseName;
    }
    open.push(tag.name);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  return fault;
}

/** GoogleTest and its kin say in attributes that a case was listed and not run. */
function wasNotRun(tag: SaxesTagPlain): boolean {
  const { status, result } = tag.attributes;
  return (
    status === 'notrun' || status === 'disabled' || result === 'skipped' || result === 'suppressed'
  );
}

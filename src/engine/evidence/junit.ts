import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { TestDemands } from '../../flow/stage.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import type { JsonObject } from '../../values/strict-json.ts';
import type { Finding, OnFinding } from './finding.ts';
import {
  doubtOfCase,
  doubtOfChild,
  doubtOfSuite,
  type SuiteCounts,
  saysNotRun,
} from './junit-words.ts';
import { TestCases } from './test-cases.ts';

interface Counts {
  tests: number;
  failures: number;
  errors: number;
  /** Skips, wherever they stand. */
  skipped: number;
  /** The first thing that the report says of itself and that its cases do not show. */
  doubt: string | undefined;
  firstFailed: string | undefined;
}

export interface JunitDemands extends TestDemands {
  readonly allowSkipped: boolean;
  /** Called for each failure and error. */
  readonly onFinding?: OnFinding | undefined;
}

/**
 * Counts the test cases of a JUnit report, never its attributes: those can only raise a doubt. Not
 * one that ran, a skipped one, or fewer than the flow demands leave the verdict open; a failure or
 * error decides it. A truncated report is no evidence.
 */
export function readJunit(xml: string, demands: JunitDemands): Result<JsonObject> {
  const counts: Counts = {
    tests: 0,
    failures: 0,
    errors: 0,
    skipped: 0,
    doubt: undefined,
    firstFailed: undefined,
  };
  const cases = new TestCases(demands.tests);
  const fault = parse(xml, counts, cases, demands.onFinding);
  if (fault) return err(fault);
  const bad = counts.failures + counts.errors;
  const why = bad > 0 ? undefined : whyOpen(counts, cases, demands);
  return ok({
    passed: bad > 0 ? false : why === undefined ? true : null,
    ...(why === undefined ? {} : { summary: why }),
    tests: counts.tests,
    failures: counts.failures,
    errors: counts.errors,
    skipped: counts.skipped,
    ...(counts.firstFailed === undefined ? {} : { first_failed: counts.firstFailed }),
  });
}

/** Why a report without a failure proves nothing all the same. */
function whyOpen(counts: Counts, cases: TestCases, demands: JunitDemands): string | undefined {
  const reasons = [whyUntold(counts, cases, demands.allowSkipped), cases.whyTooFew(demands)];
  return reasons.filter((reason) => reason !== undefined).join('; ') || undefined;
}

function whyUntold(counts: Counts, cases: TestCases, allowSkipped: boolean): string | undefined {
  if (counts.tests === 0) return 'the report holds no test case';
  // Cases that were skipped, even where that is allowed, say nothing of the design.
  if (cases.ran === 0) return 'every test case was skipped';
  // A report that contradicts itself, or speaks in words that nobody knows: nothing can be read from it.
  if (counts.doubt !== undefined) return counts.doubt;
  if (counts.skipped === 0 || allowSkipped) return undefined;
  return `${counts.skipped} test(s) were skipped, which the flow accepts only with \`allow-skipped\``;
}

function parse(
  xml: string,
  counts: Counts,
  cases: TestCases,
  onFinding?: OnFinding,
): Problem | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const open: { element: string; tag: SaxesTagPlain; before: SuiteCounts }[] = [];
  let isRoot = true;
  let caseName: string | undefined;
  let casePlace: string | undefined;
  let fault: Problem | undefined;
  const refuse = (why: string): void => {
    fault ??= problem('evidence/unreadable', `the JUnit report cannot be used: ${why}`);
  };
  parser.on('error', (error) => refuse(error.message.split('\n', 1)[0] ?? 'it is not well-formed'));
  parser.on('opentag', (tag: SaxesTagPlain) => {
    if (isRoot && tag.name !== 'testsuites' && tag.name !== 'testsuite') {
      refuse(`its root is <${tag.name}>, not <testsuites> or <testsuite>`);
    }
    isRoot = false;
    const element = localName(tag);
    if (element === 'skipped' && cases.skip()) counts.skipped++;
    const inCase = open.at(-1)?.element === 'testcase';
    if (inCase) counts.doubt ??= doubtOfChild(element);
    open.push({ element, tag, before: { ...counts } });
    if (element === 'testcase') {
      counts.tests++;
      caseName = [tag.attributes['classname'], tag.attributes['name']].filter(Boolean).join('.');
      casePlace = placeOf(tag);
      cases.beginCase(namesOfCase(tag));
      if (saysNotRun(tag.attributes) && cases.skip()) counts.skipped++;
      counts.doubt ??= doubtOfCase(tag.attributes, caseName);
      return;
    }
    if (element === 'failure' || element === 'error') {
      // Wherever it stands: a suite whose setup failed has it beside its cases.
      if (element === 'failure') counts.failures++;
      else counts.errors++;
      if (cases.isInCase) {
        counts.firstFailed ??= caseName;
        onFinding?.(findingOf(tag, caseName, casePlace));
      }
    }
    cases.begin();
  });
  parser.on('closetag', () => {
    cases.end();
    const closed = open.pop();
    if (closed?.element !== 'testsuites' && closed?.element !== 'testsuite') return;
    counts.doubt ??= doubtOfSuite(closed.tag.attributes, {
      tests: counts.tests - closed.before.tests,
      skipped: counts.skipped - closed.before.skipped,
    });
  });
  parser.write(xml).close();
  return fault;
}

function findingOf(
  { name, attributes }: SaxesTagPlain,
  caseName: string | undefined,
  place: string | undefined,
): Finding {
  const message = [caseName, attributes['message'] ?? attributes['type']].filter(Boolean);
  return { severity: 'error', code: name, message: message.join(': '), place };
}

/** What a flow may call a case. */
function namesOfCase({ attributes }: SaxesTagPlain): string[] {
  const { name, classname } = attributes;
  if (!name) return [];
  return classname ? [name, `${classname}.${name}`, `${classname}::${name}`] : [name];
}

/** Where a case stands, by the attributes that some writers give it. */
function placeOf({ attributes }: SaxesTagPlain): string | undefined {
  const line = attributes['line'] ?? attributes['lineno'];
  const file = attributes['file'];
  return file && line && /^\d+$/.test(line) ? `${file}:${line}` : undefined;
}

/** Writers differ in case and prefix; a failure by another spelling is a failure. */
function localName({ name }: SaxesTagPlain): string {
  return (name.split(':').at(-1) ?? name).toLowerCase();
}

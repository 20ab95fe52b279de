import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import type { JsonObject } from '../../values/strict-json.ts';
import type { Finding, OnFinding } from './finding.ts';

interface Counts {
  tests: number;
  failures: number;
  errors: number;
  /** Skips, wherever they stand. */
  skipped: number;
  /** Cases that were skipped. */
  notRun: number;
  /** The most failures that attributes claim, of a suite or of a case. */
  claimed: number;
  firstFailed: string | undefined;
}

/**
 * Counts the test cases of a JUnit report, never its attributes. Not one that ran, or a skipped one,
 * leaves the verdict open; a failure or error decides it. A truncated report is no evidence.
 */
export function readJunit(
  xml: string,
  options: {
    readonly allowSkipped: boolean;
    /** Called for each failure and error. */
    readonly onFinding?: OnFinding | undefined;
  },
): Result<JsonObject> {
  const counts: Counts = {
    tests: 0,
    failures: 0,
    errors: 0,
    skipped: 0,
    notRun: 0,
    claimed: 0,
    firstFailed: undefined,
  };
  const fault = parse(xml, counts, options.onFinding);
  if (fault) return err(fault);
  const bad = counts.failures + counts.errors;
  const why = bad > 0 ? undefined : whyOpen(counts, options.allowSkipped);
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
function whyOpen(counts: Counts, allowSkipped: boolean): string | undefined {
  if (counts.tests === 0) return 'the report holds no test case';
  // Cases that were skipped, even where that is allowed, say nothing of the design.
  if (counts.tests === counts.notRun) return 'every test case was skipped';
  // A report that claims failures and shows none contradicts itself: nothing can be read from it.
  if (counts.claimed > 0) return 'its attributes tell of failures that no case shows';
  if (counts.skipped === 0 || allowSkipped) return undefined;
  return `${counts.skipped} test(s) were skipped, which the flow accepts only with \`allow-skipped\``;
}

function parse(xml: string, counts: Counts, onFinding?: OnFinding): Problem | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const open: string[] = [];
  let caseName: string | undefined;
  let casePlace: string | undefined;
  let isSkipped = false;
  let fault: Problem | undefined;
  const refuse = (why: string): void => {
    fault ??= problem('evidence/unreadable', `the JUnit report cannot be used: ${why}`);
  };
  const skip = (): void => {
    if (isSkipped) return;
    isSkipped = true;
    counts.skipped++;
    counts.notRun++;
  };
  parser.on('error', (error) => refuse(error.message.split('\n', 1)[0] ?? 'it is not well-formed'));
  parser.on('opentag', (tag: SaxesTagPlain) => {
    const parent = open.at(-1);
    if (parent === undefined && tag.name !== 'testsuites' && tag.name !== 'testsuite') {
      refuse(`its root is <${tag.name}>, not <testsuites> or <testsuite>`);
    }
    switch (localName(tag)) {
      case 'testsuites':
      case 'testsuite':
        counts.claimed = Math.max(counts.claimed, claimedBy(tag));
        break;
      case 'testcase':
        counts.tests++;
        caseName = [tag.attributes['classname'], tag.attributes['name']].filter(Boolean).join('.');
        casePlace = placeOf(tag);
        isSkipped = false;
        if (says(tag, NOT_RUN)) skip();
        if (says(tag, FAILED)) counts.claimed = Math.max(counts.claimed, 1);
        break;
      case 'failure':
      case 'error':
        // Wherever it stands: a suite whose setup failed has it beside its cases.
        if (localName(tag) === 'failure') counts.failures++;
        else counts.errors++;
        if (open.includes('testcase')) {
          counts.firstFailed ??= caseName;
          onFinding?.(findingOf(tag, caseName, casePlace));
        }
        break;
      case 'skipped':
        if (parent === 'testcase') skip();
        else counts.skipped++;
        break;
    }
    open.push(tag.name);
  });
  parser.on('closetag', () => {
    open.pop();
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

/** Where a case stands, by the attributes that some writers give it. */
function placeOf({ attributes }: SaxesTagPlain): string | undefined {
  const line = attributes['line'] ?? attributes['lineno'];
  const file = attributes['file'];
  return file && line && /^\d+$/.test(line) ? `${file}:${line}` : undefined;
}

/** The most failures or errors that a suite says it has. */
function claimedBy({ attributes }: SaxesTagPlain): number {
  const claims = [attributes['failures'], attributes['errors']].map((text) => Number(text ?? 0));
  return Math.max(0, ...claims.filter((claim) => claim > 0));
}

/** Writers differ in case and prefix; a failure by another spelling is a failure. */
function localName({ name }: SaxesTagPlain): string {
  return (name.split(':').at(-1) ?? name).toLowerCase();
}

/** GoogleTest, CTest and their kin say in attributes what became of a case. */
const NOT_RUN = /^(?:not[ _-]?run|disabled|skip(?:ped)?|suppressed|ignored|pending)$/i;
const FAILED = /^(?:fail(?:ed|ure)?|error|broken|crashed|timeout)$/i;

function says({ attributes }: SaxesTagPlain, word: RegExp): boolean {
  return [attributes['status'], attributes['result']].some((text) => word.test(text ?? ''));
}

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { describe, expect, test } from 'vitest';
import { junitXml, unjudgedJunitXml } from '../../src/report/junit.ts';
import { problem } from '../../src/values/problem.ts';
import { made } from './made.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The elements in order; throws where the text is not well-formed. */
function elementsOf(xml: string): Element[] {
  const elements: Element[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) =>
    elements.push({ name, attributes }),
  );
  parser.write(xml).close();
  return elements;
}

function namesIn(xml: string): string[] {
  return elementsOf(xml).map(({ name }) => name);
}

const NOT_IN_XML = ['\u0000', '\u001b', '\ud800', '\ufffe'];
const HOSTILE = ['a <b> & "c" \'d\' ]]> <!-- \n x\ty', ...NOT_IN_XML].join(' ');

describe('a judgement as JUnit', () => {
  test('has a case for each stage: fails are failures, all else that is open is an error', () => {
    const { result } = made({
      name: 'uart',
      stages: {
        good: { status: 'valid', verdict: 'pass' },
        bad: { status: 'failed', verdict: 'fail', reason: 'three paths violate' },
        open: { status: 'blocked', reason: 'it crashed' },
        never: { status: 'missing', held: 'it needs bad, which is failed' },
      },
      problems: [problem('log/anomaly', 'the log is torn')],
    });
    const elements = elementsOf(junitXml(result));
    expect(elements.map(({ name }) => name)).toEqual([
      'testsuites',
      'testsuite',
      'testcase',
      'testcase',
      'failure',
      'testcase',
      'error',
      'testcase',
      'error',
      'testcase',
      'error',
    ]);
    const counts = { tests: '5', failures: '1', errors: '3' };
    expect(elements[0]?.attributes).toMatchObject(counts);
    expect(elements[1]?.attributes).toMatchObject({ name: 'uart', ...counts });
    expect(elements[4]?.attributes).toEqual({ type: 'failed', message: 'three paths violate' });
    expect(elements[8]?.attributes['message']).toBe('not run: it needs bad, which is failed');
    expect(elements[10]?.attributes['type']).toBe('log/anomaly');
  });

  test('is well-formed whatever the names and reasons hold, and shows them', () => {
    const { result } = made({
      name: HOSTILE,
      stages: { a: { status: 'blocked', reason: HOSTILE } },
      problems: [problem('log/anomaly', HOSTILE)],
    });
    const [, suite, , error] = elementsOf(junitXml(result));
    const shown = NOT_IN_XML.reduce((text, one) => text.replace(one, '\ufffd'), HOSTILE);
    expect(suite?.attributes['name']).toBe(shown);
    expect(error?.attributes['message']).toBe(shown);
  });

  test('has nothing that passes where no judgement was made', () => {
    const xml = unjudgedJunitXml('ip/uart', [problem('flow/missing', 'there is no flow file')]);
    expect(namesIn(xml)).toEqual(['testsuites', 'testsuite', 'testcase', 'error']);
    expect(elementsOf(xml)[0]?.attributes).toEqual({ tests: '1', failures: '0', errors: '1' });
  });
});

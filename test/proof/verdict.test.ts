import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Floor } from '../../src/flow/stage.ts';
import { readClaim } from '../../src/proof/claim.ts';
import { type Demands, deriveVerdict, type Verdict } from '../../src/proof/verdict.ts';
import {
  isJsonObject,
  type JsonObject,
  parseStrictObjectText,
} from '../../src/values/strict-json.ts';

const NO_DEMANDS: Demands = { floors: {}, minCoverage: undefined };
const IS_TRUE = { is_true: true };

/** A descriptor whose claim is good; a test changes the part that it is about. */
function claiming(changes: Readonly<Record<string, unknown>> = {}): JsonObject {
  return {
    name: 'probe',
    maturity: 'structured',
    assertion: { id: 'clean', field: 'clean', pass_when: IS_TRUE },
    ...changes,
  };
}

function asserting(changes: Readonly<Record<string, unknown>>): JsonObject {
  return claiming({
    assertion: { id: 'clean', field: 'clean', pass_when: IS_TRUE, ...changes },
  });
}

/** The verdict over a payload that is given as the text an engine would print. */
function judge(text: string, descriptor = claiming(), demands: Partial<Demands> = {}): Verdict {
  return deriveVerdict(readClaim(descriptor), payload(text), { ...NO_DEMANDS, ...demands });
}

function payload(text: string): JsonObject {
  const parsed = parseStrictObjectText(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.value;
}

describe('a verdict field that must be true', () => {
  test.each([
    ['{"clean":true}', 'pass'],
    ['{"clean":false}', 'fail'],
    ['{"clean":1}', 'unknown'],
    ['{"clean":0}', 'unknown'],
    ['{"clean":"true"}', 'unknown'],
    ['{"clean":"false"}', 'unknown'],
    ['{"clean":""}', 'unknown'],
    ['{"clean":[true]}', 'unknown'],
    ['{"clean":{}}', 'unknown'],
    ['{"clean":null}', 'unknown'],
    ['{}', 'unknown'],
    ['{"Clean":true}', 'unknown'],
    ['{"clean ":true}', 'unknown'],
    ['{"result":{"clean":true}}', 'unknown'],
  ])('%s is %s', (text, status) => {
    expect(judge(text).status).toBe(status);
  });
});

describe('a verdict field that must equal a value', () => {
  test.each([
    [0, '0', 'pass'],
    [0, '0.0', 'pass'],
    [0, '-0', 'pass'],
    [0, '0e5', 'pass'],
    [0, '1', 'fail'],
    [0, '1e-300', 'fail'],
    [0, '"0"', 'unknown'],
    [0, 'false', 'unknown'],
    [0, 'null', 'unknown'],
    [0, '""', 'unknown'],
    [0, '[]', 'unknown'],
    [0, '[0]', 'unknown'],
    [1, 'true', 'unknown'],
    [1, '1.0', 'pass'],
    ['', '""', 'pass'],
    ['', '0', 'unknown'],
    ['', 'null', 'unknown'],
    ['MATCH', '"MATCH"', 'pass'],
    ['MATCH', '"match"', 'fail'],
    ['MATCH', '"MATCH "', 'fail'],
    ['MATCH', '["MATCH"]', 'unknown'],
    ['0', '0', 'unknown'],
    ['0', '"0"', 'pass'],
    [false, 'false', 'pass'],
    [false, 'true', 'fail'],
    [false, '0', 'unknown'],
    [false, '""', 'unknown'],
    [false, 'null', 'unknown'],
    [true, 'true', 'pass'],
    [true, '1', 'unknown'],
  ])('%j against %s is %s', (eq, value, status) => {
    const descriptor = asserting({ pass_when: { eq } });
    expect(judge(`{"clean":${value}}`, descriptor).status).toBe(status);
  });

  test('is unknown when it is absent', () => {
    expect(judge('{}', asserting({ pass_when: { eq: 0 } })).status).toBe('unknown');
  });
});

describe('a field is one of the payload itself, never one that every object has', () => {
  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('%s', (field) => {
    const verdict = judge('{}', asserting({ field, pass_when: { eq: 'x' } }));
    expect(verdict).toMatchObject({
      status: 'unknown',
      summary: expect.stringContaining('absent'),
    });
  });

  test('not even where the payload brings its own prototype', () => {
    expect(judge('{"__proto__":{"clean":true}}').status).toBe('unknown');
  });

  test('and a `__proto__` that the payload does have is read like any other', () => {
    expect(judge('{"__proto__":true}', asserting({ field: '__proto__' })).status).toBe('pass');
  });
});

describe('an assertion that is malformed is dropped, and nothing passes', () => {
  const good = { id: 'clean', field: 'clean', pass_when: IS_TRUE };
  test.each<[string, unknown, string]>([
    ['no operator', { ...good, pass_when: {} }, 'exactly one operator'],
    ['two operators', { ...good, pass_when: { is_true: true, eq: true } }, 'exactly one operator'],
    ['an operator that is not known', { ...good, pass_when: { is_false: false } }, '`is_false`'],
    ['an operator that every object has', { ...good, pass_when: { toString: 1 } }, '`toString`'],
    ['an operator in other letters', { ...good, pass_when: { IS_TRUE: true } }, '`IS_TRUE`'],
    ['is_true of false', { ...good, pass_when: { is_true: false } }, 'takes only true'],
    ['is_true of 1', { ...good, pass_when: { is_true: 1 } }, 'takes only true'],
    ['is_true of "true"', { ...good, pass_when: { is_true: 'true' } }, 'takes only true'],
    ['is_true of null', { ...good, pass_when: { is_true: null } }, 'takes only true'],
    ['eq of null', { ...good, pass_when: { eq: null } }, '`eq` takes'],
    ['eq of a list', { ...good, pass_when: { eq: [0] } }, '`eq` takes'],
    ['eq of an object', { ...good, pass_when: { eq: {} } }, '`eq` takes'],
    ['pass_when that is a text', { ...good, pass_when: 'is_true' }, '`pass_when` is no object'],
    ['pass_when that is a list', { ...good, pass_when: [IS_TRUE] }, '`pass_when` is no object'],
    ['no pass_when', { id: 'clean', field: 'clean' }, '`pass_when` is no object'],
    ['no id', { field: 'clean', pass_when: IS_TRUE }, 'no `id`'],
    ['an empty id', { ...good, id: '' }, 'no `id`'],
    ['an id that is a number', { ...good, id: 7 }, 'no `id`'],
    ['no field', { id: 'clean', pass_when: IS_TRUE }, 'no `field`'],
    ['an empty field', { ...good, field: '' }, 'no `field`'],
    ['a field that is a list', { ...good, field: ['clean'] }, 'no `field`'],
    ['null', null, 'it is no object'],
    ['a text', 'clean', 'it is no object'],
    ['a list', [good], 'it is no object'],
    ['not_applicable of null', { ...good, not_applicable: null }, 'neither true nor false'],
    ['not_applicable of "true"', { id: 'x', not_applicable: 'true' }, 'neither true nor false'],
    ['not_applicable of 0', { ...good, not_applicable: 0 }, 'neither true nor false'],
    ['not_applicable beside a field', { id: 'x', field: 'clean', not_applicable: true }, 'names a'],
    [
      'not_applicable beside an operator',
      { id: 'x', pass_when: IS_TRUE, not_applicable: true },
      'names a',
    ],
    ['not_applicable beside all', { ...good, not_applicable: true }, 'names a verdict field'],
  ])('%s', (_, assertion, why) => {
    const verdict = judge('{"clean":true}', claiming({ assertion }));
    expect(verdict).toMatchObject({ status: 'unknown', assertion: null, isUnfloored: false });
    expect(verdict.summary).toContain('the assertion was dropped');
    expect(verdict.summary).toContain(why);
  });

  test('an eq beyond the range of numbers cannot come out of a descriptor, and is dropped', () => {
    const verdict = judge(
      '{"clean":true}',
      asserting({ pass_when: { eq: Number.POSITIVE_INFINITY } }),
    );
    expect(verdict).toMatchObject({ status: 'unknown', assertion: null });
  });

  test('no assertion at all: silence is never a pass', () => {
    const { assertion: _, ...silent } = claiming();
    expect(judge('{"clean":true}', silent)).toMatchObject({
      status: 'unknown',
      assertion: null,
      summary: expect.stringContaining('silence is never a pass'),
    });
  });
});

describe('an operation without a claim', () => {
  test.each([
    [{ id: 'render', not_applicable: true }, 'render'],
    [{ not_applicable: true }, null],
    [{ id: '', not_applicable: true }, null],
    [{ id: 7, not_applicable: true }, null],
  ])('%j is not applicable, whatever it printed', (assertion, id) => {
    const descriptor = claiming({ assertion });
    expect(judge('{"clean":true}', descriptor)).toMatchObject({
      status: 'not_applicable',
      assertion: id,
    });
    const printedNothing = deriveVerdict(readClaim(descriptor), null, NO_DEMANDS);
    expect(printedNothing.status).toBe('not_applicable');
  });

  test('`not_applicable: false` changes nothing', () => {
    expect(judge('{"clean":true}', asserting({ not_applicable: false })).status).toBe('pass');
    expect(judge('{"clean":false}', asserting({ not_applicable: false })).status).toBe('fail');
  });
});

describe('the maturity of an engine', () => {
  test.each([
    ['structured', 'pass'],
    ['workflow-validated', 'pass'],
    ['discovered', 'unknown'],
    ['partial', 'unknown'],
    ['Structured', 'unknown'],
    ['structured ', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
    [null, 'unknown'],
    [2, 'unknown'],
    [['structured'], 'unknown'],
  ])('%j lets a good payload be %s', (maturity, status) => {
    expect(judge('{"clean":true}', claiming({ maturity })).status).toBe(status);
  });

  test('below `structured` hides a fail, a missing claim and an inapplicable one alike', () => {
    for (const assertion of [claiming()['assertion'], { id: 'render', not_applicable: true }]) {
      const descriptor = claiming({ maturity: 'discovered', assertion });
      expect(judge('{"clean":false}', descriptor)).toMatchObject({
        status: 'unknown',
        summary: expect.stringContaining('discovered'),
      });
    }
  });
});

test('without a payload there is no verdict', () => {
  expect(deriveVerdict(readClaim(claiming()), null, NO_DEMANDS)).toMatchObject({
    status: 'unknown',
    assertion: 'clean',
  });
});

describe('the summary of a verdict', () => {
  const descriptor = asserting({ summary_field: 'line' });

  test('is the sentence of the engine where it gives one', () => {
    expect(judge('{"clean":false,"line":"3 violations"}', descriptor).summary).toBe('3 violations');
  });

  test.each(['{"clean":true}', '{"clean":true,"line":7}', '{"clean":true,"line":" "}'])(
    'is one of ours for %s',
    (text) => {
      expect(judge(text, descriptor).summary).toBe("assertion 'clean' held on 'clean'");
    },
  );

  test('is one line without control characters, and bounded', () => {
    const line = `first\nsecond\u001b[31m\u202e${'x'.repeat(100_000)}`;
    const { summary } = judge(JSON.stringify({ clean: true, line }), descriptor);
    expect(summary).toMatch(/^first\\nsecond\\u\{1b\}\[31m\\u\{202e\}x/);
    expect(summary.length).toBeLessThan(1200);
  });
});

describe('a floor', () => {
  const values: [string, string, Floor, 'pass' | 'unknown'][] = [
    ['reached', '1', { min: 1 }, 'pass'],
    ['surpassed', '7', { min: 1 }, 'pass'],
    ['missed by all', '0', { min: 1 }, 'unknown'],
    ['missed by a little', '0.999999', { min: 1 }, 'unknown'],
    ['missed with a negative count', '-1', { min: 1 }, 'unknown'],
    ['that is negative, reached', '-2', { min: -2 }, 'pass'],
    ['that is negative, missed', '-3', { min: -2 }, 'unknown'],
    ['of zero, by a minus zero', '-0', { min: 0 }, 'pass'],
    ['to be above, just reached', '0', { above: 0 }, 'unknown'],
    ['to be above, minus zero', '-0', { above: 0 }, 'unknown'],
    ['to be above, the least above', '5e-324', { above: 0 }, 'pass'],
    ['to be above, below', '-1', { above: 0 }, 'unknown'],
    ['as a text', '"5"', { min: 1 }, 'unknown'],
    ['as a text that is no number', '"NaN"', { min: 1 }, 'unknown'],
    ['as the text of infinity', '"Infinity"', { above: 0 }, 'unknown'],
    ['as true', 'true', { min: 1 }, 'unknown'],
    ['as null', 'null', { min: 1 }, 'unknown'],
    ['as a list with as many items', '[1,2,3]', { min: 1 }, 'unknown'],
    ['as an object', '{"count":3}', { min: 1 }, 'unknown'],
    ['as a number that is as large as numbers are', '1.7e308', { min: 1 }, 'pass'],
  ];

  test.each(values)('%s (%s) against %j: %s', (_, value, floor, status) => {
    const verdict = judge(`{"clean":true,"n":${value}}`, claiming(), { floors: { n: floor } });
    expect(verdict.status).toBe(status);
    if (status === 'unknown') expect(verdict.summary).toContain("floor not reached: 'n'");
  });

  test.each(['{"clean":true}', '{"clean":true,"N":5}', '{"clean":true,"x":{"n":5}}'])(
    'whose field is absent is not reached: %s',
    (text) => {
      const verdict = judge(text, claiming(), { floors: { n: { min: 0 } } });
      expect(verdict.status).toBe('unknown');
      expect(verdict.summary).toContain("'n' is absent");
    },
  );

  test.each([
    '1e999',
    '-1e999',
    '1E+400',
    `1${'0'.repeat(309)}`,
    `1${'0'.repeat(230)}e99`,
    'NaN',
    'Infinity',
  ])('cannot be met by %s, which no payload may hold', (value) => {
    expect(parseStrictObjectText(`{"clean":true,"n":${value}}`).ok).toBe(false);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'is not met by %d, wherever it came from',
    (n) => {
      const verdict = deriveVerdict(
        readClaim(claiming()),
        { clean: true, n },
        {
          ...NO_DEMANDS,
          floors: { n: { min: 1 } },
        },
      );
      expect(verdict.status).toBe('unknown');
    },
  );

  test.each([
    ['{"clean":true,"ir":{"drop":0.2}}', 'pass'],
    ['{"clean":true,"ir":{"drop":0}}', 'unknown'],
    ['{"clean":true,"ir":{"drop":"0.2"}}', 'unknown'],
    ['{"clean":true,"ir":null}', 'unknown'],
    ['{"clean":true,"ir":[{"drop":0.2}]}', 'unknown'],
    ['{"clean":true,"ir":0.2}', 'unknown'],
    ['{"clean":true,"drop":0.2}', 'unknown'],
    ['{"clean":true,"ir.drop":0.2}', 'pass'],
    ['{"clean":true,"ir.drop":0,"ir":{"drop":0.2}}', 'unknown'],
  ])('on a path leads into nested objects: %s is %s', (text, status) => {
    expect(judge(text, claiming(), { floors: { 'ir.drop': { above: 0 } } }).status).toBe(status);
  });

  test.each(['constructor.length', 'constructor', '__proto__', 'toString.length'])(
    'on %s is not reached by what every object has',
    (field) => {
      expect(judge('{"clean":true}', claiming(), { floors: { [field]: { min: 0 } } }).status).toBe(
        'unknown',
      );
    },
  );

  test('that is missed is named beside all the others that are', () => {
    const floors = { z: { min: 2 }, a: { above: 0.5 }, ok: { min: 1 } };
    const { summary } = judge('{"clean":true,"ok":1,"z":1}', claiming(), { floors });
    expect(summary).toBe(
      "assertion 'clean' held on 'clean', but floor not reached: 'a' is absent and must be above 0.5; floor not reached: 'z' is 1 and must be at least 2",
    );
  });

  test('never touches a fail', () => {
    const missed = judge('{"clean":false}', claiming(), {
      floors: { n: { min: 1 } },
      minCoverage: 1,
    });
    expect(missed).toEqual(judge('{"clean":false}'));
    expect(missed.status).toBe('fail');
  });

  test('never makes an unknown better or worse', () => {
    const floors = { n: { min: 1 } };
    expect(judge('{"clean":null,"n":5}', claiming(), { floors })).toEqual(judge('{"clean":null}'));
  });
});

describe('the floors that ship for an engine', () => {
  const cdc = claiming({ name: 'cdc' });
  const checked = '{"clean":true,"domains":2,"flops_placed":2}';

  test.each(['cdc', 'vyges-cdc'])('stand under a pass of %s', (name) => {
    expect(judge('{"clean":true}', claiming({ name })).status).toBe('unknown');
    expect(judge(checked, claiming({ name })).status).toBe('pass');
  });

  test.each([['CDC'], ['my-cdc'], [undefined], [7]])('and under none of %s', (name) => {
    expect(judge('{"clean":true}', claiming({ name }))).toMatchObject({
      status: 'pass',
      isUnfloored: true,
    });
  });

  test('stay when the flow adds floors of its own', () => {
    const floors = { crossings: { min: 1 } };
    const verdict = judge('{"clean":true,"crossings":1}', cdc, { floors });
    expect(verdict.status).toBe('unknown');
    expect(verdict.summary).toContain("'domains' is absent");
    expect(verdict.summary).toContain("'flops_placed' is absent");
  });

  test('stay when the flow names no floor', () => {
    expect(judge('{"clean":true}', cdc, { floors: {} }).status).toBe('unknown');
  });

  test('give way only to a floor that the flow states for the same field', () => {
    const floors = { domains: { min: 3 } };
    expect(judge(checked, cdc, { floors }).summary).toContain(
      "'domains' is 2 and must be at least 3",
    );
    const lower = judge('{"clean":true,"domains":0,"flops_placed":1}', cdc, {
      floors: { domains: { min: 0 } },
    });
    expect(lower.status).toBe('pass');
    // Even then the field has to be there, as a number: an override cannot empty a floor.
    expect(
      judge('{"clean":true,"flops_placed":1}', cdc, { floors: { domains: { min: 0 } } }).status,
    ).toBe('unknown');
  });
});

describe('a pass that no floor stands under', () => {
  test('is marked', () => {
    expect(judge('{"clean":true}').isUnfloored).toBe(true);
  });

  test('is not when the flow or the engine has one, nor is anything but a pass', () => {
    expect(
      judge('{"clean":true,"n":1}', claiming(), { floors: { n: { min: 1 } } }).isUnfloored,
    ).toBe(false);
    expect(judge('{"clean":true,"compared":1}', claiming({ name: 'lec' })).isUnfloored).toBe(false);
    expect(judge('{"clean":false}').isUnfloored).toBe(false);
    expect(judge('{}').isUnfloored).toBe(false);
  });
});

describe('the coverage that a payload states', () => {
  const cases: [string, number | undefined, 'pass' | 'unknown'][] = [
    ['{"complete":true}', undefined, 'pass'],
    ['{"complete":true,"note":"all layers"}', undefined, 'pass'],
    ['{"complete":true}', 1, 'pass'],
    ['{"complete":false}', undefined, 'unknown'],
    ['{"complete":false}', 0, 'unknown'],
    ['{"complete":null}', undefined, 'unknown'],
    ['{"complete":"true"}', undefined, 'unknown'],
    ['{"complete":"yes"}', 0, 'unknown'],
    ['{"complete":1}', undefined, 'unknown'],
    ['{"note":"of two layers"}', undefined, 'unknown'],
    ['{"covered":1,"total":2}', undefined, 'unknown'],
    ['{"note":"of two layers"}', 0.5, 'unknown'],
    ['{}', undefined, 'unknown'],
    ['1', undefined, 'pass'],
    ['1.0', 1, 'pass'],
    ['0.98', undefined, 'unknown'],
    ['0.98', 0.98, 'pass'],
    ['0.97', 0.98, 'unknown'],
    ['0', undefined, 'unknown'],
    ['0', 0, 'pass'],
    ['-0.1', 0, 'unknown'],
    ['1.01', undefined, 'unknown'],
    ['1.01', 0.5, 'unknown'],
    ['98', 0.5, 'unknown'],
    ['"1"', undefined, 'unknown'],
    ['"100%"', 0, 'unknown'],
    ['true', undefined, 'unknown'],
    ['null', undefined, 'unknown'],
    ['[]', undefined, 'unknown'],
    ['[{"complete":true}]', undefined, 'unknown'],
  ];

  test.each(cases)('%s with a minimum of %s is %s', (coverage, minCoverage, status) => {
    const text = `{"clean":true,"coverage":${coverage}}`;
    const verdict = judge(text, claiming(), { minCoverage });
    expect(verdict.status).toBe(status);
    if (status === 'unknown') expect(verdict.summary).toContain('coverage incomplete');
  });

  test('may be absent, unless the flow wants some', () => {
    expect(judge('{"clean":true}').status).toBe('pass');
    expect(judge('{"clean":true}', claiming(), { minCoverage: 0 }).status).toBe('unknown');
  });

  test('that is incomplete is told beside a floor that is missed', () => {
    const floors = { n: { min: 1 } };
    const { summary } = judge('{"clean":true,"coverage":0.5}', claiming(), { floors });
    expect(summary).toContain("floor not reached: 'n' is absent");
    expect(summary).toContain('coverage incomplete: the stated coverage is 0.5');
  });

  test('never touches a fail', () => {
    expect(judge('{"clean":false,"coverage":{"complete":false}}').status).toBe('fail');
  });
});

describe('whatever a payload holds', () => {
  const scalar = fc.constantFrom(true, false, 0, 1, '0', 'true', null);
  const fieldName = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('clean', 'n') },
    { weight: 1, arbitrary: fc.constantFrom('Clean', 'a.b', 'constructor', '__proto__') },
  );
  const anyPayload = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ clean: scalar, n: scalar }, { noNullPrototype: true }),
    },
    {
      weight: 1,
      arbitrary: fc.dictionary(
        fc.oneof(fieldName, fc.constant('coverage'), fc.string()),
        fc.oneof(scalar, fc.jsonValue({ maxDepth: 2 })),
        { noNullPrototype: true },
      ),
    },
  );
  const anyOperator = fc.oneof(
    fc.constant({ is_true: true }),
    fc.constantFrom<unknown>(0, 1, '0', true, false).map((eq) => ({ eq })),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const anyClaim = fc.record({
    name: fc.constantFrom('probe', 'probe', 'probe', 'lec'),
    maturity: fc.constantFrom<unknown>(
      'structured',
      'structured',
      'workflow-validated',
      'discovered',
      'partial',
    ),
    assertion: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          id: fc.constant('id'),
          field: fieldName,
          pass_when: anyOperator,
        }),
      },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    ),
  });
  const bound = fc.integer({ min: -2, max: 2 });
  const anyFloor = fc.oneof(
    bound.map((min): Floor => ({ min })),
    bound.map((above): Floor => ({ above })),
  );
  const anyFloors = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fieldName, anyFloor, { maxKeys: 2, noNullPrototype: true }),
    },
  );
  const minCoverage = fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(0, 0.5, 1) },
  );

  /** As the verdict must see it: what an engine prints and the strict parser takes. */
  function asPrinted(value: unknown): JsonObject | undefined {
    const parsed = parseStrictObjectText(JSON.stringify(value));
    return parsed.ok ? parsed.value : undefined;
  }

  /** The rule of the specification, written down once more. */
  function mayPass(descriptor: JsonObject, printed: JsonObject): boolean {
    const { maturity, assertion } = descriptor;
    if (maturity !== 'structured' && maturity !== 'workflow-validated') return false;
    if (!isJsonObject(assertion) || !isJsonObject(assertion['pass_when'])) return false;
    const operators = Object.entries(assertion['pass_when']);
    const [entry] = operators;
    if (!entry || operators.length !== 1) return false;
    const [operator, value] = entry;
    const field = String(assertion['field']);
    const found = Object.getOwnPropertyDescriptor(printed, field)?.value;
    if (operator === 'is_true') return value === true && found === true;
    if (operator !== 'eq' || value === null || typeof value === 'object') return false;
    return Object.is(found, value) || (found === 0 && value === 0);
  }

  test('only the declared field, exactly as declared, gives a pass', () => {
    let passes = 0;
    fc.assert(
      fc.property(
        anyClaim,
        anyPayload,
        anyFloors,
        minCoverage,
        (described, value, floors, least) => {
          const printed = asPrinted(value);
          fc.pre(printed !== undefined);
          const verdict = deriveVerdict(readClaim(described), printed, {
            floors,
            minCoverage: least,
          });
          if (verdict.status !== 'pass') return;
          passes++;
          expect(mayPass(described, printed)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
    expect(passes).toBeGreaterThan(10);
  });

  test('what is demanded beyond the assertion only ever takes a pass away', () => {
    fc.assert(
      fc.property(
        anyClaim,
        anyPayload,
        anyFloors,
        minCoverage,
        (described, value, floors, least) => {
          const printed = asPrinted(value);
          fc.pre(printed !== undefined);
          const claim = { ...readClaim(described), floors: {} };
          const without = deriveVerdict(claim, printed, NO_DEMANDS).status;
          const demanding = deriveVerdict(claim, printed, { floors, minCoverage: least }).status;
          expect(demanding === without || (without === 'pass' && demanding === 'unknown')).toBe(
            true,
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isJsonObject,
  own,
  parseStrictObject,
  parseStrictObjectText,
} from '../../src/values/strict-json.ts';

function codeOf(text: string): string {
  const parsed = parseStrictObjectText(text);
  return parsed.ok ? 'ok' : parsed.error.code;
}

describe('an object that two readers could read differently is refused', () => {
  test.each([
    ['{"a":1,"a":1}', 'json/duplicate-key'],
    ['{"a":1,"b":{"c":1,"c":2}}', 'json/duplicate-key'],
    ['{"a":[{"c":1},{"c":1,"c":2}]}', 'json/duplicate-key'],
    ['{"a":1,"\\u0061":2}', 'json/duplicate-key'],
    ['{"a" :1, "a"\n: 2}', 'json/duplicate-key'],
    ['{"\\"":1,"\\"":2}', 'json/duplicate-key'],
    ['{"":1,"":2}', 'json/duplicate-key'],
    ['{"__proto__":1,"__proto__":2}', 'json/duplicate-key'],
    ['{"a":{"a":1},"b":{"a":1}}', 'ok'],
    ['{"a":"a","b":"\\"a\\":"}', 'ok'],
    ['{"a":"{","b":"}","c":"[\\\\"}', 'ok'],
    ['{"A":1,"a":2}', 'ok'],
    ['{"n":1e308}', 'ok'],
    ['{"n":1e309}', 'json/syntax'],
    ['{"n":-1e309}', 'json/syntax'],
    ['{"n":1E+0000309}', 'json/syntax'],
    [`{"n":1${'0'.repeat(308)}}`, 'ok'],
    [`{"n":1${'0'.repeat(309)}}`, 'json/syntax'],
    [`{"n":1${'0'.repeat(299)}e10}`, 'json/syntax'],
    [`{"n":1${'0'.repeat(210)}e99}`, 'json/syntax'],
    [`{"n":1${'0'.repeat(210)}e98}`, 'ok'],
    [`{"n":${'9'.repeat(250)}.5e60}`, 'json/syntax'],
    ['{"n":1e-999}', 'ok'],
    ['{"a":"\\ud83c\\udca1"}', 'ok'],
    ['{"a":"\\ud83c"}', 'json/syntax'],
    ['{"a":"\\uDCA1\\uD83C"}', 'json/syntax'],
    ['{"\\ud83c":1}', 'json/syntax'],
    ['{"n":NaN}', 'json/syntax'],
    ['{"n":Infinity}', 'json/syntax'],
    ['{"n":01}', 'json/syntax'],
    ['{"n":+1}', 'json/syntax'],
    ['{"n":0x10}', 'json/syntax'],
    ['{"a":1}{}', 'json/syntax'],
    ['{"a":1} x', 'json/syntax'],
    ['\ufeff{}', 'json/syntax'],
    ['\u00a0{}', 'json/syntax'],
    ['', 'json/syntax'],
    ['[]', 'json/not-an-object'],
    ['null', 'json/not-an-object'],
    ['"{}"', 'json/not-an-object'],
    [' {}\r\n\t', 'ok'],
  ])('%s: %s', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test('nested deeper than any honest report is', () => {
    const nested = (levels: number): string =>
      `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(codeOf(nested(200))).toBe('ok');
    expect(codeOf(nested(201))).toBe('json/too-deep');
    expect(codeOf('{"a":'.repeat(100_000))).toBe('json/too-deep');
    expect(codeOf(`{"a":"${'['.repeat(1000)}"}`)).toBe('ok');
  });

  test.each([
    ['half a character', [0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x31, 0x7d]],
    ['an overlong form', [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]],
    ['a surrogate in UTF-8', [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
  ])('bytes that are not UTF-8: %s', (_, bytes) => {
    expect(parseStrictObject(Uint8Array.from(bytes))).toMatchObject({
      error: { code: 'json/not-utf8' },
    });
  });

  test('with a byte order mark, also as bytes', () => {
    expect(parseStrictObject(Buffer.from('\ufeff{}'))).toMatchObject({
      error: { code: 'json/syntax' },
    });
  });
});

test('any object that is printed as JSON is read back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (value) => {
      const text = JSON.stringify(value);
      expect(parseStrictObject(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('a key twice is found wherever it stands', () => {
  const key = fc.string();
  fc.assert(
    fc.property(key, fc.jsonValue(), fc.jsonValue(), fc.nat(5), (name, one, two, depth) => {
      const twice = `{${JSON.stringify(name)}:${JSON.stringify(one)},${JSON.stringify(name)}:${JSON.stringify(two)}}`;
      const text = `${'{"outer":['.repeat(depth)}${twice}${']}'.repeat(depth)}`;
      expect(codeOf(text)).toBe('json/duplicate-key');
    }),
  );
});

test('only own properties are data', () => {
  const parsed = parseStrictObjectText('{"__proto__":{"a":1}}');
  if (!parsed.ok) expect.fail(parsed.error.message);
  expect(own(parsed.value, 'a')).toBeUndefined();
  expect(own(parsed.value, 'constructor')).toBeUndefined();
  expect(own(parsed.value, '__proto__')).toEqual({ a: 1 });
  expect([isJsonObject({}), isJsonObject([]), isJsonObject(null)]).toEqual([true, false, false]);
});

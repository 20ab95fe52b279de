import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFields } from '../../src/fingerprint/encoding.ts';

test('other fields give other bytes', () => {
  const fields = fc.array(fc.string({ unit: fc.constantFrom('a', '\0', '\u0001'), maxLength: 3 }));
  fc.assert(
    fc.property(fields, fields, (some, others) => {
      const isSame = Buffer.from(encodeFields(...some)).equals(encodeFields(...others));
      expect(isSame).toBe(JSON.stringify(some) === JSON.stringify(others));
    }),
  );
  expect(encodeFields('a', 'bc')).not.toEqual(encodeFields('ab', 'c'));
  expect(encodeFields('a', '')).not.toEqual(encodeFields('a'));
});

test('each field follows its length in bytes', () => {
  expect([...encodeFields('ä')]).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0xc3, 0xa4]);
});

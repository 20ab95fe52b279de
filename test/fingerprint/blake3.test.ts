import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createHasher, digestBytes, digestText } from '../../src/fingerprint/blake3.ts';
import { loadNativeHasher } from '../../src/fingerprint/blake3-native.ts';
import { createWasmHasher, type Hasher } from '../../src/fingerprint/blake3-wasm.ts';
import { installedAddon, isAddonShipped } from './addon.ts';
import { makeFolder } from './folder.ts';

const EMPTY = 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';
const MEBIBYTE = 1024 * 1024;

/** The input of the official test vectors: bytes that count to 250, over and over. */
function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i % 251);
}

function hash(hasher: Hasher, ...parts: Uint8Array[]): string {
  for (const part of parts) hasher.update(part);
  return hasher.hex();
}

describe('the portable hasher', () => {
  test.each([
    [0, EMPTY],
    [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
    [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
    [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
  ])('gives the digest of the official test vector of %i bytes', (length, expected) => {
    expect(hash(createWasmHasher(), pattern(length))).toBe(expected);
  });

  test('gives the same digest however the bytes are cut', () => {
    const bytes = pattern(5000);
    const whole = hash(createWasmHasher(), bytes);
    for (const cut of [0, 1, 63, 64, 1024, 4999, 5000]) {
      expect(hash(createWasmHasher(), bytes.subarray(0, cut), bytes.subarray(cut))).toBe(whole);
    }
  });

  test('keeps several hashers apart', () => {
    const one = createWasmHasher();
    const other = createWasmHasher();
    one.update(pattern(1));
    expect(other.hex()).toBe(EMPTY);
    expect(one.hex()).not.toBe(EMPTY);
  });

  test('gives its digest once', () => {
    const hasher = createWasmHasher();
    hasher.hex();
    expect(() => hasher.hex()).toThrow('already');
    expect(() => hasher.update(pattern(1))).toThrow('already');
  });
});

describe.runIf(isAddonShipped)('the compiled hasher', () => {
  const load = loadNativeHasher();

  test.each([0, 1, 63, 64, 65, 1023, 1024, 1025, MEBIBYTE + 1, 5 * MEBIBYTE])(
    'agrees with the portable one on %i bytes',
    (length) => {
      const bytes = pattern(length);
      const native = load?.();
      expect(native && hash(native, bytes)).toBe(hash(createWasmHasher(), bytes));
    },
  );

  test('hashes a part of a buffer, not the buffer', () => {
    const bytes = pattern(100);
    const native = load?.();
    expect(native && hash(native, bytes.subarray(3, 40))).toBe(
      hash(createWasmHasher(), bytes.slice(3, 40)),
    );
  });
});

describe.runIf(isAddonShipped)('an addon', () => {
  const addon = isAddonShipped ? readFileSync(installedAddon()) : new Uint8Array();

  test('is used from where it lies', () => {
    const file = join(makeFolder(), 'addon.node');
    writeFileSync(file, addon);
    expect(loadNativeHasher([file])?.().hex()).toBe(EMPTY);
  });

  test('that is cut off is not loaded, and another one is looked for', () => {
    const folder = makeFolder({ 'cut.node': addon, 'whole.node': addon });
    truncateSync(join(folder, 'cut.node'), 300_000);
    expect(loadNativeHasher([join(folder, 'cut.node')])).toBeUndefined();
    const both = [join(folder, 'cut.node'), join(folder, 'whole.node')];
    expect(loadNativeHasher(both)?.().hex()).toBe(EMPTY);
  });

  test('of the right size with other bytes is not loaded', () => {
    const changed = Buffer.from(addon);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const folder = makeFolder({ 'changed.node': changed });
    expect(loadNativeHasher([join(folder, 'changed.node')])).toBeUndefined();
  });

  test('that is not there is not missed', () => {
    expect(loadNativeHasher([join(makeFolder(), 'none.node')])).toBeUndefined();
  });
});

describe('digests', () => {
  test('are marked as BLAKE3', () => {
    expect(digestBytes(new Uint8Array(0))).toBe(`blake3:${EMPTY}`);
    expect(digestText('')).toBe(`blake3:${EMPTY}`);
  });

  test('of text are those of its UTF-8 form', () => {
    expect(digestText('ä')).toBe(digestBytes(Uint8Array.of(0xc3, 0xa4)));
  });

  test('do not depend on how much was hashed before', () => {
    const bytes = pattern(2000);
    const first = digestBytes(bytes);
    createHasher(10 * MEBIBYTE).hex();
    expect(digestBytes(bytes)).toBe(first);
  });
});

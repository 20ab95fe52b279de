import type { Fingerprint } from '../values/brands.ts';
import { type CreateHasher, loadNativeHasher } from './blake3-native.ts';
import { createWasmHasher, type Hasher } from './blake3-wasm.ts';

export type { Hasher } from './blake3-wasm.ts';

/** From so many bytes on the compiled addon pays for being loaded (about 15 ms, spec/10 §7). */
const NATIVE_FROM_BYTES = 1024 * 1024;

let announcedBytes = 0;
let native: CreateHasher | undefined;
let isNativeTried = false;

/**
 * A BLAKE3 hasher. What it is and the addon both give the same digests; which one is taken depends
 * on how much this process hashes.
 *
 * @param expectedBytes about how many bytes it will be given
 */
export function createHasher(expectedBytes = 0): Hasher {
  announcedBytes += expectedBytes;
  if (announcedBytes <= NATIVE_FROM_BYTES) return createWasmHasher();
  if (!isNativeTried) {
    native = loadNativeHasher();
    isNativeTried = true;
  }
  return native ? native() : createWasmHasher();
}

/** `blake3:` and the digest of the bytes in hex. */
export function digestBytes(bytes: Uint8Array): Fingerprint {
  const hasher = createHasher(bytes.length);
  hasher.update(bytes);
  return `blake3:${hasher.hex()}` as Fingerprint;
}

/** `blake3:` and the digest of the text's UTF-8 form in hex. */
export function digestText(text: string): Fingerprint {
  return digestBytes(Buffer.from(text));
}

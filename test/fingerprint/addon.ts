import { createRequire } from 'node:module';
import { NATIVE_DIGESTS } from '../../src/generated/native-digests.ts';

/** What the compiled BLAKE3 for this machine is called in dist/native/. */
export const addonName = `blake3-${process.platform}-${process.arch}.node`;

export const isAddonShipped = addonName in NATIVE_DIGESTS;

/** Where the package manager put it. */
export function installedAddon(): string {
  const libc = process.platform === 'linux' ? '-gnu' : '';
  const { resolve } = createRequire(import.meta.url);
  return resolve(`@napi-rs/blake-hash-${process.platform}-${process.arch}${libc}`);
}

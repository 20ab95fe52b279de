import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { NATIVE_DIGESTS } from '../generated/native-digests.ts';
import { createWasmHasher, type Hasher } from './blake3-wasm.ts';

/** What the addon of @napi-rs/blake-hash exports, as far as it is used. */
interface Addon {
  readonly Blake3Hasher: new () => {
    update(bytes: Buffer): unknown;
    digest(format: 'hex'): string;
  };
}

export type CreateHasher = () => Hasher;

/** The addon for this machine, as it is called in dist/native/. */
const ADDON_NAME = `blake3-${process.platform}-${process.arch}.node`;

/**
 * Loads the compiled BLAKE3, 7.5 times as fast as the portable one, if there is one for this
 * machine. It is checked before: a cut-off addon kills the process with a signal that nothing can
 * catch. It is tried after: an addon that computes anything else than BLAKE3 is not used.
 *
 * @param candidates absolute paths where the addon may lie
 * @returns `undefined` when there is none to be trusted; the portable one is right, only slower
 */
export function loadNativeHasher(candidates = addonPaths()): CreateHasher | undefined {
  const file = candidates.find(isAsRecorded);
  if (file === undefined) return undefined;
  try {
    const create = hashersOf(createRequire(import.meta.url)(file) as Addon);
    return agreesWithPortable(create) ? create : undefined;
  } catch {
    return undefined; // made for another C library, or for a newer one
  }
}

function addonPaths(): string[] {
  // The sources know it from the package that dist/native/ was filled from.
  if (import.meta.url.endsWith('.ts')) return installedAddons();
  // Beside the bundle, or one level above where this code came to lie in one of its chunks.
  return ['./native/', '../native/'].map((folder) =>
    fileURLToPath(new URL(`${folder}${ADDON_NAME}`, import.meta.url)),
  );
}

function installedAddons(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return ['-gnu', ''].flatMap((library) => {
    try {
      return [resolve(`@napi-rs/blake-hash-${process.platform}-${process.arch}${library}`)];
    } catch {
      return []; // that package is for other machines
    }
  });
}

function isAsRecorded(file: string): boolean {
  const recorded = NATIVE_DIGESTS[ADDON_NAME];
  if (recorded === undefined) return false;
  try {
    // Loaded only here: node:crypto costs 10 ms that small workspaces need not spend.
    const { createHash } = process.getBuiltinModule('node:crypto');
    return (
      statSync(file).size === recorded.size &&
      createHash('sha256').update(readFileSync(file)).digest('hex') === recorded.sha256
    );
  } catch {
    return false;
  }
}

function hashersOf({ Blake3Hasher }: Addon): CreateHasher {
  return () => {
    const hasher = new Blake3Hasher();
    return {
      update(bytes) {
        hasher.update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      },
      hex: () => hasher.digest('hex'),
    };
  };
}

function agreesWithPortable(create: CreateHasher): boolean {
  const twoChunksAndMore = new Uint8Array(2500).map((_, i) => i % 251);
  return [new Uint8Array(0), twoChunksAndMore].every(
    (bytes) => digest(create(), bytes) === digest(createWasmHasher(), bytes),
  );
}

function digest(hasher: Hasher, bytes: Uint8Array): string {
  hasher.update(bytes);
  return hasher.hex();
}

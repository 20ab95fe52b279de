/**
 * dist/native/: compiled addons, copied from their packages and loaded by path. Loading a
 * damaged one kills the process by a signal that cannot be caught, so the program knows the
 * size and digest of each and looks before it loads. Both come from here.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { filesBelow } from './files-below.mjs';
import { root } from './root.mjs';

export const nativeFolder = new URL('dist/native/', root);
export const nativeLicences = 'LICENSES.txt';
export const digestsModule = new URL('src/generated/native-digests.ts', root);

/** @param {Buffer} contents */
export function nativeDigest(contents) {
  return { size: contents.length, sha256: createHash('sha256').update(contents).digest('hex') };
}

/** @returns {Promise<string[]>} one sentence for each file of dist/native/ that is not as recorded */
export async function nativeProblems() {
  const recorded = await readDigests();
  const names = new Set([...Object.keys(recorded), nativeLicences, ...filesBelow(nativeFolder)]);
  return [...names].sort().flatMap((name) => {
    const url = new URL(name, nativeFolder);
    if (!existsSync(url)) return [`dist/native/${name} is missing`];
    if (name === nativeLicences) return [];
    if (!recorded[name])
      return [
        `dist/native/${name} is not recorded in ${digestsModule.pathname.slice(root.pathname.length)}`,
      ];
    const { size, sha256 } = nativeDigest(readFileSync(url));
    const same = size === recorded[name].size && sha256 === recorded[name].sha256;
    return same ? [] : [`dist/native/${name} is not the recorded file`];
  });
}

async function readDigests() {
  const { code } = await transform(readFileSync(digestsModule, 'utf8'), { loader: 'ts' });
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return module.NATIVE_DIGESTS;
}

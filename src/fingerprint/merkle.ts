import type { Fingerprint } from '../values/brands.ts';
import { err, ok, type Result } from '../values/result.ts';
import { createHasher } from './blake3.ts';
import { encodeFields } from './encoding.ts';
import { changedWhileRead, notRegular } from './file-problem.ts';
import { type Walk, walkFolder } from './walk.ts';

/** How the digest of something in a folder is found, by its absolute path and as it is shown. */
export type DigestEntry = (absolute: string, shown: string) => Result<Fingerprint>;

/**
 * `merkle:` and the BLAKE3 of the path, kind and digest of everything in a folder and beneath, in
 * byte order of the paths. Folders count by what they hold, so an empty one counts for nothing.
 *
 * @param absolute path of a folder that is no link
 * @returns or the first problem: nothing is left out in silence
 */
export function digestFolder(
  absolute: string,
  shown: string,
  digestOf: { readonly file: DigestEntry; readonly link: DigestEntry },
): Result<Fingerprint> {
  const show = (path: string): string => (path === '' ? shown : `${shown}/${path}`);
  const walk = walkFolder(absolute, { show });
  const [unseen] = walk.problems;
  if (unseen) return err(unseen.problem);
  const encoded: Uint8Array[] = [];
  for (const { path, kind } of walk.entries) {
    if (kind === 'other') return err(notRegular(show(path), 'a FIFO, socket or device'));
    const entry = kind === 'file' ? 'file' : 'link';
    const digest = digestOf[entry](`${absolute}/${path}`, show(path));
    if (!digest.ok) return digest;
    encoded.push(encodeFields(path, entry, digest.value));
  }
  const isSame = haveSameEntries(walk, walkFolder(absolute, { show }));
  return isSame ? ok(treeFingerprint(encoded)) : err(changedWhileRead(shown));
}

/** Whether the folder holds no file, however many empty folders it may hold. */
export function isEmptyTree(fingerprint: Fingerprint): boolean {
  return fingerprint === treeFingerprint([]);
}

function treeFingerprint(encoded: readonly Uint8Array[]): Fingerprint {
  const hasher = createHasher();
  hasher.update(encodeFields('signoff-gate tree 1'));
  for (const entry of encoded) hasher.update(entry);
  return `merkle:${hasher.hex()}` as Fingerprint;
}

/** Files that came or went while the others were hashed show in a second look at the names. */
function haveSameEntries(before: Walk, after: Walk): boolean {
  return (
    after.problems.length === 0 &&
    before.entries.length === after.entries.length &&
    before.entries.every(({ path, kind }, i) => {
      const now = after.entries[i];
      return now?.kind === kind && now.path === path;
    })
  );
}

import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { LINK, type TreeEntry } from './checkout.ts';

/** Told, and no more: the lines are the commit's. */
export const LINE_ENDS =
  'its line ends were converted at checkout: set `* -text` in .gitattributes, or core.autocrlf to false';

/** How a file here differs from what the commit holds; undefined if it does not, Git LFS included. */
export function difference(absolute: string, { mode, oid }: TreeEntry): string | undefined {
  try {
    const stat = lstatSync(absolute);
    const isLink = stat.isSymbolicLink();
    if (isLink !== (mode === LINK)) return 'it is another kind of file than the commit has';
    const bytes = isLink ? Buffer.from(readlinkSync(absolute, 'buffer')) : readFileSync(absolute);
    if (blobId(bytes, oid) === oid) return undefined;
    const text = bytes.toString('latin1');
    if (text.includes('\r\n')) {
      const unix = Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1');
      if (blobId(unix, oid) === oid) {
        return LINE_ENDS;
      }
    }
    return pointerTo(bytes, oid) ? undefined : 'it differs from the commit';
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return `it cannot be read (${code ?? message})`;
  }
}

/** Is the blob the Git LFS pointer to these bytes? Its text follows from them. */
function pointerTo(bytes: Buffer, oid: string): boolean {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${digest}\nsize ${bytes.length}\n`;
  return blobId(Buffer.from(pointer), oid) === oid;
}

/** As git names a blob, in the hash that its repository uses. */
function blobId(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

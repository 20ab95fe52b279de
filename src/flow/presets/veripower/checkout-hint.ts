import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';

const POINTER_START = 'version https://git-lfs.github.com/spec/v1\noid ';
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Why a file differs from what was recorded, where the checkout and not the design is to blame; with
 * what to do about it.
 */
export function checkoutHint(absolute: string, name: string, recorded: string): string | undefined {
  try {
    const stat = lstatSync(absolute);
    if (!stat.isFile() || stat.size > MOST_BYTES) return undefined;
    const text = readFileSync(absolute, 'latin1');
    if (text.startsWith(POINTER_START)) {
      return `${name} is a Git LFS pointer in place of the file itself: check out with \`lfs: true\``;
    }
    const unix = text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : undefined;
    if (unix === undefined || digest(unix) !== recorded) return undefined;
    return `the line ends of ${name} were converted at checkout: set \`* -text\` in .gitattributes, or core.autocrlf to false`;
  } catch {
    return undefined;
  }
}

function digest(latin1: string): string {
  return `sha256:${createHash('sha256').update(latin1, 'latin1').digest('hex')}`;
}

/** What to do about a line that is known for what it is; undefined for any other. */
export function damageRemedy(text: string): string | undefined {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(text)) {
    return 'It is the mark of a merge conflict: keep the lines of both sides and take the marks out. With `merge=union` in .gitattributes git does so by itself.';
  }
  if (text.startsWith('version https://git-lfs.github.com/')) {
    return 'The log is a Git LFS pointer: keep it out of LFS, or check out with `lfs: true`.';
  }
  return undefined;
}

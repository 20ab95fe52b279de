/** The tests that directory entries and both forms of file status have in common. */
interface KindTests {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** What something on disk is, in words that fit after "is". */
export function kindOf(there: KindTests): string {
  if (there.isFile()) return 'a regular file';
  if (there.isDirectory()) return 'a folder';
  if (there.isSymbolicLink()) return 'a link';
  if (there.isFIFO()) return 'a FIFO';
  return there.isSocket() ? 'a socket' : 'a device';
}

import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { err, ok, type Result } from '../../values/result.ts';

/** Larger than any report here; what is larger is not read at all. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The whole text of a file that a tool has written; the error says in words why there is none. */
export function readWritten(path: string, limit = MAX_BYTES): Result<string, string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return readText(path, name, limit, () => lstatSync(path, { throwIfNoEntry: false }));
}

/** As {@link readWritten}, for a file that the user names: a link to it is as good. */
export function readGiven(path: string, limit = MAX_BYTES): Result<string, string> {
  return readText(path, path, limit, () => statSync(path, { throwIfNoEntry: false }));
}

function readText(
  path: string,
  name: string,
  limit: number,
  look: () => Stats | undefined,
): Result<string, string> {
  try {
    const there = look();
    if (there === undefined) return err(`${name} is not there`);
    if (!there.isFile()) return err(`${name} is no regular file`);
    if (there.size > limit) return err(`${name} is larger than ${limit} bytes`);
    return ok(readFileSync(path, 'utf8'));
  } catch (cause) {
    return err(`${name} cannot be read: ${String(cause)}`);
  }
}

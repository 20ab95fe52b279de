import { runInNewContext } from 'node:vm';
import { err, ok, type Result } from '../values/result.ts';

/**
 * Does something with a regular expression of the user's, which may backtrack without end: only a
 * context of its own can be ended from outside.
 */
export function withinTime<T>(milliseconds: number, action: () => T): Result<T, 'too slow'> {
  let value: { readonly of: T } | undefined;
  const act = (): void => {
    value = { of: action() };
  };
  try {
    runInNewContext('act()', { act }, { timeout: milliseconds });
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
  }
  return value === undefined ? err('too slow') : ok(value.of);
}

function isTimeout(cause: unknown): boolean {
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'code' in cause &&
    cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** The code of an error that a system call gave, such as `ENOSPC`, for messages and decisions. */
export function systemErrorCode(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
    return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}

import { type Problem, problem } from '../values/problem.ts';

/** The problem behind an exception of node:fs; `shown` is the path as the user knows it. */
export function fileProblem(cause: unknown, shown: string): Problem {
  const code = errorCode(cause);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return problem('file/missing', `${shown} does not exist`);
    case 'ELOOP':
      return problem('file/link-loop', `${shown} is a link that leads to itself`, {
        remedy: 'Remove one of the links.',
      });
    case 'EACCES':
    case 'EPERM':
      return problem('file/unreadable', `${shown} may not be read by this user`, {
        remedy: 'Change its permissions, or exclude it.',
      });
    default:
      return problem('file/unreadable', `${shown} cannot be read: ${describe(cause)}`);
  }
}

export function notRegular(shown: string, kind: string): Problem {
  const remedy = kind === 'a folder' ? { remedy: `Write ${shown}/** for all that is in it.` } : {};
  return problem('file/not-regular', `${shown} is ${kind}, not a regular file`, remedy);
}

export function changedWhileRead(shown: string): Problem {
  return problem('file/changed-while-read', `${shown} changed while it was read`, {
    remedy: 'Let nothing write to the workspace while the gate reads it.',
  });
}

export function lfsPointer(shown: string): Problem {
  return problem(
    'checkout/lfs-pointer',
    `${shown} is a Git LFS pointer in place of the file itself`,
    { at: { file: shown }, remedy: 'Check out with `lfs: true`, or run `git lfs pull`.' },
  );
}

/** The system's name for the error, such as `ENOENT`. */
export function errorCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}

function describe(cause: unknown): string {
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
}

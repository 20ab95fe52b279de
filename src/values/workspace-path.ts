import type { WorkspacePath } from './brands.ts';

/**
 * Checks a path that a document names. It must be POSIX, relative, normal, and stay inside the
 * workspace; the answer says in words what is wrong with it.
 */
export function checkWorkspacePath(
  text: string,
): { ok: true; path: WorkspacePath } | { ok: false; why: string } {
  const bad = (why: string): { ok: false; why: string } => ({ ok: false, why });
  if (text === '') return bad('it is empty');
  if (text.includes('\0')) return bad('it holds a NUL character');
  if (text.startsWith('/')) return bad('it is absolute; paths are relative to the workspace');
  if (/^[A-Za-z]:[\\/]/.test(text))
    return bad('it names a drive; paths are relative to the workspace');
  if (Buffer.byteLength(text) > 4096) return bad('it is longer than 4096 bytes');
  for (const segment of text.split('/')) {
    if (segment === '..') return bad('it leads outside the workspace');
    if (segment === '.') return bad('it holds a `.` segment; write it without');
    if (segment === '')
      return bad('it holds an empty segment; write single slashes and no trailing one');
    if (Buffer.byteLength(segment) > 255) return bad('a segment is longer than 255 bytes');
  }
  return { ok: true, path: text as WorkspacePath };
}

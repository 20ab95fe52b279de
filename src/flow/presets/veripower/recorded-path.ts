/** A recorded path as it is looked for, or why it is not looked for at all. */
export type RecordedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: string };

/** As nearly all are: segments of common letters, none of which begins with a dot. */
const PLAIN = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/**
 * Where a recorded path leads in the workspace. The reference engine joins it to the root whatever
 * it is; here one that leads outside is refused, and so is one for the workspace itself
 * (spec/06 §6.2). `Design//./x` is `Design/x`, there and here.
 */
export function recordedPath(text: string): RecordedPath {
  if (PLAIN.test(text)) return { ok: true, path: text };
  const bad = (why: string): RecordedPath => ({ ok: false, why });
  if (text.startsWith('/')) return bad('it is absolute');
  if (text.includes('\0')) return bad('it holds a NUL character');
  if (!text.isWellFormed()) return bad('it holds half a character');
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return bad('it may lead outside the workspace');
  if (segments.length === 0) return bad('it names the workspace itself');
  return { ok: true, path: segments.join('/') };
}

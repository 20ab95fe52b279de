/**
 * Branded strings: a plain string cannot be passed where one of these is asked for,
 * so a path that was never checked or a digest that was never computed does not compile.
 */
declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

/** `blake3:`, `sha256:` or `merkle:` and 64 lower-case hex digits. */
export type Fingerprint = Brand<'Fingerprint'>;

/** POSIX path relative to the workspace root: no leading `/`, no `.` or `..` segment, no NUL. */
export type WorkspacePath = Brand<'WorkspacePath'>;

/** `[a-z0-9][a-z0-9._-]{0,63}` */
export type StageName = Brand<'StageName'>;

const FINGERPRINT = /^(?:blake3|sha256|merkle):[0-9a-f]{64}$/;
const STAGE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function isFingerprint(text: string): text is Fingerprint {
  return FINGERPRINT.test(text);
}

export function isStageName(text: string): text is StageName {
  // `..` inside a name is harmless text, but the name becomes a folder: keep it out altogether.
  return STAGE_NAME.test(text) && !text.includes('..');
}

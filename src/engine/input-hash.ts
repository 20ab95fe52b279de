import { digestText } from '../fingerprint/blake3.ts';
import type { Fingerprint } from '../values/brands.ts';
import { canonicalJson } from '../values/canonical.ts';
import { relativeToRoot } from '../values/relative.ts';

/** What an invocation is: everything that input_hash covers (spec 05). */
export interface InvocationIdentity {
  /** Real path of the program; as the caller named it when there is none. */
  readonly program: string;
  /** Its content digest; null when there is no such program. */
  readonly digest: Fingerprint | null;
  readonly versionLine: string | null;
  /** The declared environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/**
 * The digest of an invocation, never of what its files hold (spec 02 "input_hash", spec 05).
 * Absolute paths inside the workspace are made relative, so that two checkouts agree.
 */
export function inputHash(identity: InvocationIdentity, workspace: string): Fingerprint {
  const portable = (text: string): string => relativeToRoot(text, workspace);
  return digestText(
    canonicalJson({
      args: identity.args.map(portable),
      binary: { digest: identity.digest, path: portable(identity.program) },
      env: Object.fromEntries(
        Object.entries(identity.env).map(([name, value]) => [name, portable(value)]),
      ),
      version: identity.versionLine,
    }),
  );
}

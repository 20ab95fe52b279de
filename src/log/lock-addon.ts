import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NATIVE_DIGESTS } from '../generated/native-digests.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { systemErrorCode } from './system-error.ts';

/** The part of fs-native-extensions that is used. Length 0 means the whole file. */
export interface LockAddon {
  /** Throws an error whose code is `EAGAIN` when another open file holds a lock. */
  tryLock(fd: number, offset: number, length: number, exclusive: boolean): void;
  unlock(fd: number, offset: number, length: number): void;
}

/**
 * Loads the kernel lock addon of fs-native-extensions (spec/10 §5), after checking that it is the
 * file whose digest was recorded. In a bundle it lies in `native/` beside the bundle or its
 * chunks; from source it comes from the package.
 *
 * @returns the addon, or `log/lock-unavailable` naming the platform
 */
export async function loadLockAddon(): Promise<Result<LockAddon>> {
  const platform = `${process.platform}-${process.arch}`;
  const name = `lock-${platform}.node`;
  const expected = Object.hasOwn(NATIVE_DIGESTS, name) ? NATIVE_DIGESTS[name] : undefined;
  if (expected === undefined) return err(unavailable(platform, 'there is no lock for it'));
  const file = findAddon(name, platform);
  if (file === undefined) return err(unavailable(platform, `the file ${name} is missing`));
  try {
    const bytes = readFileSync(file);
    // node:crypto costs a start 10 ms, which only commands that write shall pay.
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (bytes.length !== expected.size || sha256 !== expected.sha256) {
      return err(unavailable(platform, `the file ${name} is not the one that was released`));
    }
    const addon: unknown = createRequire(import.meta.url)(file);
    if (!isLockAddon(addon)) return err(unavailable(platform, `${name} is not a lock`));
    return ok(addon);
  } catch (cause) {
    return err(unavailable(platform, `the file ${name} does not load (${systemErrorCode(cause)})`));
  }
}

function findAddon(name: string, platform: string): string | undefined {
  const candidates = import.meta.url.endsWith('.ts')
    ? [packagedAddon(platform)]
    : ['./native/', '../native/'].map((folder) =>
        fileURLToPath(new URL(folder + name, import.meta.url)),
      );
  return candidates.find((file) => existsSync(file));
}

function packagedAddon(platform: string): string {
  const manifest = createRequire(import.meta.url).resolve('fs-native-extensions/package.json');
  return join(dirname(manifest), 'prebuilds', platform, 'fs-native-extensions.node');
}

function isLockAddon(value: unknown): value is LockAddon {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'tryLock' in value &&
    typeof value.tryLock === 'function' &&
    'unlock' in value &&
    typeof value.unlock === 'function'
  );
}

function unavailable(platform: string, why: string): Problem {
  return problem(
    'log/lock-unavailable',
    `the workspace cannot be locked on this platform (${platform}): ${why}`,
    {
      remedy:
        'Commands that write need the lock: run them on a platform that is supported, from an unaltered release. `check` and `status` work without it.',
    },
  );
}

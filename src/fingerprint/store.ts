import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Fingerprint, WorkspacePath } from '../values/brands.ts';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { digestEntry } from './entry.ts';
import { fingerprintExternal } from './external.ts';
import { fileProblem } from './file-problem.ts';
import { isEmptyTree } from './merkle.ts';
import { type Pass, startPass } from './pass.ts';
import { digestTree } from './tree.ts';
import { isWithin } from './within.ts';

/** Fingerprints of one workspace, each computed once until they are forgotten. */
export interface FingerprintStore {
  /** A file or link that a stage reads. */
  input(path: WorkspacePath): Result<Fingerprint>;
  /** A file or folder that a stage writes: no link, nor any link in it. */
  output(path: WorkspacePath, isDirectory: boolean): Result<Fingerprint>;
  /** The program behind an absolute path, whatever links lead to it. */
  executable(absolute: string): Result<Fingerprint>;
  /** As {@link fingerprintExternal}; many stages read the same libraries. */
  external(name: string, pattern: string): Result<Record<string, Fingerprint>>;
  /** To be called whenever something may have been written. */
  forget(): void;
}

/** @param root absolute path of the workspace */
export function createFingerprintStore(root: string): FingerprintStore {
  let look = startLook(root);
  return {
    input: (path) => look.input(path),
    output: (path, isDirectory) => look.output(path, isDirectory),
    executable: (absolute) => look.executable(absolute),
    external: (name, pattern) => look.external(name, pattern),
    forget() {
      look = startLook(root);
    },
  };
}

function startLook(root: string): Omit<FingerprintStore, 'forget'> {
  const started = startPass(root);
  if (!started.ok) {
    const failed = (): typeof started => started;
    return { input: failed, output: failed, executable: failed, external: failed };
  }
  const pass = started.value;
  const realFolder = remember(resolveFolder);

  /** The path on disk, if no link among its folders leads out of the workspace. */
  function locate(path: string): Result<string> {
    const absolute = `${pass.root}/${path}`;
    const folder = realFolder(dirname(absolute));
    if (!folder.ok) return err(fileProblem(folder.error, path));
    return isWithin(pass.root, folder.value) ? ok(absolute) : err(outside(path, folder.value));
  }

  return {
    input: remember((path: WorkspacePath) => {
      const absolute = locate(path);
      return absolute.ok ? digestEntry(absolute.value, path, pass) : absolute;
    }),
    output(path, isDirectory) {
      const absolute = locate(path);
      if (!absolute.ok) return absolute;
      return isDirectory
        ? digestOutputFolder(absolute.value, path, pass)
        : pass.file(absolute.value, path);
    },
    executable: remember((absolute: string) => {
      try {
        return pass.file(realpathSync.native(absolute), absolute);
      } catch (cause) {
        return err(fileProblem(cause, absolute));
      }
    }),
    external: remember(fingerprintExternal),
  };
}

/** Keeps what the function gave, successes and problems, so that one look tells one story. */
function remember<Keys extends readonly string[], T>(
  look: (...keys: Keys) => T,
): (...keys: Keys) => T {
  const known = new Map<string, T>();
  return (...keys) => {
    const key = keys.join('\0');
    let value = known.get(key);
    if (value === undefined) {
      value = look(...keys);
      known.set(key, value);
    }
    return value;
  };
}

function resolveFolder(folder: string): Result<string, unknown> {
  try {
    return ok(realpathSync.native(folder));
  } catch (cause) {
    return err(cause);
  }
}

/** An empty folder is no evidence of anything, and neither git nor the cache would keep it. */
function digestOutputFolder(absolute: string, path: string, pass: Pass): Result<Fingerprint> {
  const digest = digestTree(absolute, path, pass, { links: 'refuse' });
  if (!digest.ok || !isEmptyTree(digest.value)) return digest;
  return err(problem('file/missing', `the folder ${path} holds no file`));
}

function outside(path: string, folder: string): Problem {
  return problem('file/link-outside', `${path} lies in ${folder}, outside the workspace`, {
    remedy: 'Replace the link among its folders, or declare what it leads to as `external`.',
  });
}

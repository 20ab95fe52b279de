import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence, Output } from '../../flow/stage.ts';
import { type Problem, problem } from '../../values/problem.ts';
import { err, ok, type Result } from '../../values/result.ts';
import { type JsonObject, parseStrictObject } from '../../values/strict-json.ts';
import type { OnFinding } from './finding.ts';
import { readJunit } from './junit.ts';
import { readLcov } from './lcov.ts';
import { readSarif } from './sarif.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Turns what a command left behind into a payload that a verdict can be read from (design §3
 * "Evidence"). The gate has seen to it that the file was absent before the run.
 *
 * @param onFinding called for each thing that the evidence names, for people to see
 */
export function readEvidence(
  evidence: Evidence,
  exitCode: number,
  outputs: readonly Output[],
  workspace: string,
  onFinding?: OnFinding,
): Result<JsonObject | null> {
  switch (evidence.kind) {
    case 'none':
      return ok(null);
    case 'exit-code': {
      const written = outputs.filter((output) => existsSync(join(workspace, output.path))).length;
      return ok({ passed: exitCode === 0, exit_code: exitCode, outputs: written });
    }
    case 'junit': {
      const text = readText(evidence.path, workspace);
      return text.ok ? readJunit(text.value, { ...evidence, onFinding }) : text;
    }
    case 'lcov': {
      const text = readText(evidence.path, workspace);
      return text.ok ? readLcov(text.value, { ...evidence, workspace }) : text;
    }
    case 'json':
    case 'sarif': {
      const bytes = readBytes(evidence.path, workspace);
      if (!bytes.ok) return bytes;
      const object = parseStrictObject(bytes.value);
      if (!object.ok) return err(unreadable(evidence.path, object.error.message));
      return evidence.kind === 'json' ? object : readSarif(object.value, onFinding);
    }
  }
}

function readText(path: string, workspace: string): Result<string> {
  const bytes = readBytes(path, workspace);
  if (!bytes.ok) return bytes;
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value));
  } catch {
    return err(unreadable(path, 'it is not valid UTF-8'));
  }
}

function readBytes(path: string, workspace: string): Result<Uint8Array> {
  const absolute = join(workspace, path);
  try {
    const stat = lstatSync(absolute, { throwIfNoEntry: false });
    if (!stat) {
      return err(
        problem('evidence/missing', `the command did not write its evidence ${path}`, {
          at: { file: path },
        }),
      );
    }
    if (!stat.isFile()) return err(unreadable(path, 'it is no regular file'));
    if (stat.size > MAX_BYTES) return err(unreadable(path, `it is larger than ${MAX_BYTES} bytes`));
    return ok(readFileSync(absolute));
  } catch (cause) {
    return err(unreadable(path, (cause as NodeJS.ErrnoException).code ?? String(cause)));
  }
}

function unreadable(path: string, why: string): Problem {
  return problem('evidence/unreadable', `the evidence ${path} cannot be used: ${why}`, {
    at: { file: path },
  });
}

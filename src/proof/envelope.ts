import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digestBytes } from '../fingerprint/blake3.ts';
import type { Stage } from '../flow/stage.ts';
import type { LoomResult } from '../generated/documents.ts';
import { validateLoomResult } from '../generated/validators.js';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { isJsonObject, type JsonObject, own, parseStrictObject } from '../values/strict-json.ts';
import { claimOf } from './claim.ts';
import { envelopePath } from './run-folder.ts';
import { deriveVerdict, NO_CONCLUSION, type Verdict } from './verdict.ts';

/** An envelope as a reader may use it; an older one tells nothing about the design. */
export type Envelope =
  | { readonly version: 'current'; readonly document: LoomResult }
  | { readonly version: 'before-verdicts' };

/** No honest envelope is larger: its payload is at most 64 MiB of engine output. */
export const MAX_ENVELOPE_BYTES = 256 * 1024 * 1024;

/**
 * Reads the envelope of a run and checks it against the digest that the log recorded.
 * `loom-result` 1.1 and later minors are read, 1.0 has no verdict to give, another major is refused.
 */
export function readEnvelope(
  workspace: string,
  stage: string,
  run: number,
  recorded: string | undefined,
): Result<Envelope> {
  const path = envelopePath(stage, run);
  const bytes = readRegularFile(join(workspace, path), path);
  if (!bytes.ok) return bytes;
  const current = digestBytes(bytes.value);
  if (recorded === undefined) {
    return err(
      problem('proof/envelope-altered', `the log records no digest for ${path}`, {
        at: { file: path },
      }),
    );
  }
  if (current !== recorded) {
    return err(
      problem(
        'proof/envelope-altered',
        `${path} is not what was recorded (${recorded}, now ${current})`,
        {
          at: { file: path },
        },
      ),
    );
  }
  const object = parseStrictObject(bytes.value);
  if (!object.ok) return err(invalid(path, object.error.message));
  return parseEnvelope(object.value, path);
}

/** As {@link readEnvelope}, for an object at hand. */
export function parseEnvelope(object: JsonObject, path: string): Result<Envelope> {
  const schema = own(object, 'schema');
  const version = typeof schema === 'string' ? /^loom-result\/(\d+)\.(\d+)$/.exec(schema) : null;
  if (!version) return err(invalid(path, 'its `schema` is not loom-result/MAJOR.MINOR'));
  if (version[1] !== '1') {
    return err(invalid(path, `its format ${version[0]} is not known to this version of the gate`));
  }
  if (version[2] === '0') return ok({ version: 'before-verdicts' });
  if (validateLoomResult(object)) return ok({ version: 'current', document: object });
  const [first] = validateLoomResult.errors ?? [];
  return err(invalid(path, `${first?.instancePath || '/'} ${first?.message ?? 'is not valid'}`));
}

/**
 * The verdict of an envelope by today's rules: derived again from its payload, and never better
 * than what the envelope itself concluded.
 */
export function verdictOf(
  envelope: Envelope,
  stage: Pick<Stage, 'work' | 'floors' | 'minCoverage'>,
): Verdict {
  if (envelope.version === 'before-verdicts') {
    return {
      ...NO_CONCLUSION,
      summary: 'the envelope is loom-result/1.0, which carries no verdict',
    };
  }
  const { document } = envelope;
  if (document.status !== 'ok') return NO_CONCLUSION;
  const payload = isJsonObject(document.result) ? document.result : null;
  const verdict = deriveVerdict(
    claimOf(stage, document.provenance.descriptor ?? null),
    payload,
    stage,
  );
  const concluded = document.engineering.status;
  const isBetter =
    (verdict.status === 'pass' || verdict.status === 'not_applicable') &&
    concluded !== verdict.status;
  return isBetter
    ? {
        ...verdict,
        status: 'unknown',
        summary: `the run itself concluded ${concluded}: ${document.engineering.summary}`,
      }
    : verdict;
}

function readRegularFile(absolute: string, path: string): Result<Uint8Array> {
  try {
    const stat = statSync(absolute);
    if (!stat.isFile()) return err(invalid(path, 'it is no regular file'));
    if (stat.size > MAX_ENVELOPE_BYTES)
      return err(invalid(path, `it is larger than ${MAX_ENVELOPE_BYTES} bytes`));
    return ok(readFileSync(absolute));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    return err(
      problem('proof/envelope-missing', `the envelope ${path} cannot be read (${code})`, {
        at: { file: path },
      }),
    );
  }
}

function invalid(path: string, why: string): Problem {
  return problem('proof/envelope-invalid', `the envelope ${path} cannot be used: ${why}`, {
    at: { file: path },
  });
}

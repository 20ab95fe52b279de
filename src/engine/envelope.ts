import type { LoomResult } from '../generated/documents.ts';
import { validateLoomResult } from '../generated/validators.js';
import { LIMITATION_NOT_STATED } from '../proof/assess.ts';
import type { Verdict } from '../proof/verdict.ts';
import { relativeToRoot } from '../values/relative.ts';
import type { JsonObject } from '../values/strict-json.ts';
import { type EventTrail, ownEvent } from './events.ts';
import type { Prepared } from './prepared.ts';
import { versionIn } from './probe.ts';

export type EnvelopeError = NonNullable<LoomResult['error']>;

/** What came of an execution; {@link buildEnvelope} gives it the published shape. */
export interface Conclusion {
  readonly verdict: Verdict;
  readonly error: EnvelopeError | null;
  readonly payload: JsonObject | null;
  readonly artifacts: LoomResult['artifacts'];
  readonly trail: EventTrail;
  readonly durationMs: number;
  readonly env: Readonly<Record<string, string>>;
}

/** An envelope, and whether it has the published shape. One that has not counts as unknown. */
export interface CheckedEnvelope {
  readonly envelope: LoomResult;
  readonly isValid: boolean;
}

/** Builds the `loom-result/1.1` envelope of a run (spec 02) and validates it on the way out. */
export function buildEnvelope(
  prepared: Prepared,
  conclusion: Conclusion,
  workspace: string,
): CheckedEnvelope {
  const portable = (text: string): string => relativeToRoot(text, workspace);
  const stated = prepared.descriptor?.limitations ?? [];
  return checkEnvelope(
    {
      schema: 'loom-result/1.1',
      tool: prepared.tool,
      tool_version: versionIn(prepared.versionLine),
      status: conclusion.error === null ? 'ok' : 'error',
      engineering: {
        status: conclusion.verdict.status,
        assertion: conclusion.verdict.assertion,
        summary: conclusion.verdict.summary,
      },
      input_hash: prepared.inputHash,
      result: conclusion.payload,
      artifacts: conclusion.artifacts,
      error: conclusion.error,
      logs: conclusion.trail.toLogs(),
      provenance: {
        cmd: prepared.shownCommand.map(portable),
        duration_ms: conclusion.durationMs,
        env: Object.fromEntries(
          Object.entries(conclusion.env).map(([name, value]) => [name, portable(value)]),
        ),
        maturity: prepared.descriptor?.claim.maturity ?? 'discovered',
        limitations: stated.length > 0 ? [...stated] : [LIMITATION_NOT_STATED],
        descriptor: prepared.descriptor?.raw ?? null,
      },
    },
    conclusion.trail,
  );
}

/**
 * Validates an envelope before it leaves. A violation is a defect of ours: it is reported as an
 * event and the envelope is returned all the same, but nothing may be concluded from it.
 */
export function checkEnvelope(envelope: LoomResult, trail: EventTrail): CheckedEnvelope {
  const candidate: unknown = envelope;
  if (validateLoomResult(candidate)) return { envelope: candidate, isValid: true };
  const [first] = validateLoomResult.errors ?? [];
  trail.add(
    ownEvent(
      'error',
      'MCP-ENVELOPE-INVALID',
      `the envelope does not have its published shape: ${first?.instancePath || '/'} ${first?.message ?? ''}`,
    ),
  );
  return { envelope: { ...envelope, logs: trail.toLogs() }, isValid: false };
}

import type { DispatchEvent, OutcomeEvent } from '../generated/documents.ts';
import { validateEventDispatch, validateEventOutcome } from '../generated/validators.js';
import { type Problem, problem } from '../values/problem.ts';
import { err, ok, type Result } from '../values/result.ts';
import { type JsonObject, own } from '../values/strict-json.ts';
import { firstViolation } from './schema-violation.ts';

/** One event of the log and the physical line, from 1, on which it stands. */
export type LogRecord = DispatchRecord | OutcomeRecord | OtherRecord;

export interface DispatchRecord {
  readonly line: number;
  readonly kind: 'dispatch';
  readonly event: DispatchEvent;
}

export interface OutcomeRecord {
  readonly line: number;
  readonly kind: 'outcome';
  readonly event: OutcomeEvent;
}

/** An event that the gate does not judge by: kept as it is, checked for nothing but its `type`. */
export interface OtherRecord {
  readonly line: number;
  readonly kind: 'other';
  readonly event: OtherEvent;
}

export type OtherEvent = JsonObject & { readonly type: string };

/**
 * Types one event of the log (spec/09). Dispatches and outcomes must satisfy their schema, since
 * conclusions rest on them; of any other event only a string `type` is asked.
 *
 * @returns the record, or `log/invalid-record` naming the field that is wrong
 */
export function toRecord(event: JsonObject, file: string, line: number): Result<LogRecord> {
  if (!hasType(event)) {
    return err(invalid(file, line, 'the event has no `type` that is a string'));
  }
  if (event.type === 'dispatch') {
    if (!validateEventDispatch(event)) {
      return err(
        invalid(
          file,
          line,
          `the dispatch is not valid: ${firstViolation(validateEventDispatch.errors)}`,
        ),
      );
    }
    return checkRun(event.run, file, line) ?? ok({ line, kind: 'dispatch', event });
  }
  if (event.type === 'outcome') {
    if (!validateEventOutcome(event)) {
      return err(
        invalid(
          file,
          line,
          `the outcome is not valid: ${firstViolation(validateEventOutcome.errors)}`,
        ),
      );
    }
    return checkRun(event.run, file, line) ?? ok({ line, kind: 'outcome', event });
  }
  return ok({ line, kind: 'other', event });
}

function hasType(event: JsonObject): event is OtherEvent {
  return typeof own(event, 'type') === 'string';
}

/** Above 2^53 two different numbers in the file are one number here, and no run can follow. */
function checkRun(run: number, file: string, line: number): Result<never> | undefined {
  if (run < Number.MAX_SAFE_INTEGER) return undefined;
  return err(invalid(file, line, 'the field `run` is too large to be told from its neighbours'));
}

function invalid(file: string, line: number, message: string): Problem {
  return problem('log/invalid-record', message, {
    at: { file, line },
    remedy: 'Restore the line from version control, or correct it where it was written.',
  });
}

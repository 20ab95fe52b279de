import { validateEventCommon } from '../generated/validators.js';
import { err, ok, type Result } from '../values/result.ts';
import { type JsonObject, own } from '../values/strict-json.ts';
import { parseEventText } from './parse-event.ts';
import { MAX_LINE_BYTES } from './pieces.ts';
import { toRecord } from './record.ts';
import { firstViolation } from './schema-violation.ts';

/**
 * One event as the line of the log that it becomes, LF included: ASCII only, since other readers
 * split lines at U+2028 and its like (spec/06 §6.4); `ts` first and set to now when it is absent.
 * What our own reader would refuse is refused here.
 *
 * @returns the bytes, or in words why the event cannot be written
 */
export function serializeEvent(event: JsonObject): Result<Buffer, string> {
  const text = toJson(withTimestamp(event));
  if (!text.ok) return text;
  const line = escapeNonAscii(text.value);
  if (line.length > MAX_LINE_BYTES) return err(`it is longer than ${MAX_LINE_BYTES} bytes`);
  const parsed = parseEventText(line);
  if (!parsed.ok) return err(parsed.error.message);
  if (!validateEventCommon(parsed.value)) return err(firstViolation(validateEventCommon.errors));
  const record = toRecord(parsed.value, '', 0);
  return record.ok ? ok(Buffer.from(`${line}\n`, 'latin1')) : err(record.error.message);
}

function withTimestamp(event: JsonObject): JsonObject {
  if (own(event, 'ts') !== undefined) return event;
  const { ts: _absent, ...rest } = event;
  return { ts: new Date().toISOString(), ...rest };
}

/** JSON.stringify, but what it would drop or turn into null without a word is an error. */
function toJson(event: JsonObject): Result<string, string> {
  let lost: string | undefined;
  const watch = (key: string, value: unknown): unknown => {
    if (isLost(value)) lost ??= key;
    return value;
  };
  try {
    const text: unknown = JSON.stringify(event, watch);
    if (typeof text !== 'string') return err('it is not a JSON object');
    return lost === undefined ? ok(text) : err(`the field \`${lost}\` is not a JSON value`);
  } catch (cause) {
    return err(cause instanceof Error ? cause.message : String(cause));
  }
}

function isLost(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'function' || typeof value === 'symbol';
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

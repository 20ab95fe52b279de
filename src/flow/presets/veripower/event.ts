import { type Problem, problem } from '../../../values/problem.ts';
import { isJsonObject, type JsonObject, own } from '../../../values/strict-json.ts';
import { Unanswerable } from './unanswerable.ts';

/** The log, as answers name it. */
export const EVENTS_FILE = 'events.jsonl';

/** One event of the log, as it was written. */
export interface LogEvent {
  /** Among all events, from 0: order in the file is everything. */
  readonly position: number;
  /** The line on which it stands, from 1, blank ones counted. */
  readonly line: number;
  readonly fields: JsonObject;
}

/** A field that the reference engine reads without asking whether it is there. */
export function field(event: LogEvent, key: string): unknown {
  if (!Object.hasOwn(event.fields, key)) {
    throw new Unanswerable(invalidRecord(event.line, `the event has no \`${key}\``));
  }
  return event.fields[key];
}

/** As {@link field}, for a value inside of an event. */
export function fieldOf(value: unknown, key: string, event: LogEvent, what: string): unknown {
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key];
  const why = isJsonObject(value) ? `has no \`${key}\`` : 'is not an object';
  throw new Unanswerable(invalidRecord(event.line, `${what} ${why}`));
}

/** Paths and their fingerprints; a table that is not there is empty (spec/06 §6.7 item 26). */
export function tableOf(value: JsonObject, key: 'inputs' | 'outputs', event: LogEvent): JsonObject {
  if (!Object.hasOwn(value, key)) return {};
  const table = own(value, key);
  if (isJsonObject(table)) return table;
  throw new Unanswerable(invalidRecord(event.line, `\`${key}\` is not a table of fingerprints`));
}

/** A run as it is compared: numbers by value, whatever their notation; text is never a number. */
export type RunKey = number | string | null | symbol;

/**
 * @returns the key under which a run's records find each other, or the problem with it
 */
export function runKey(value: unknown, line: number): RunKey | Problem {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' || value === null) return value;
  if (typeof value !== 'number') return invalidRecord(line, '`run` is not a number');
  // NaN equals nothing, not even another NaN.
  if (Number.isNaN(value)) return Symbol('NaN');
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return invalidRecord(line, 'the field `run` is too large to be told from its neighbours');
  }
  return value;
}

/** That a record cannot be read: the reference engine ends in an exception over it. */
export function invalidRecord(line: number, message: string): Problem {
  return problem('log/invalid-record', message, {
    at: { file: EVENTS_FILE, line },
    remedy: 'Restore the line from version control, or correct it where it was written.',
  });
}

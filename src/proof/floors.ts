import type { Floor } from '../flow/stage.ts';
import { sortedEntries } from '../values/order.ts';
import { isJsonObject, type JsonObject, own } from '../values/strict-json.ts';

/**
 * The floors that the payload does not reach, each in a sentence. A field that is absent or no
 * number does not reach its floor: zero of anything checked is no pass, and neither is silence.
 */
export function missedFloors(
  payload: JsonObject,
  floors: Readonly<Record<string, Floor>>,
): string[] {
  return sortedEntries(floors).flatMap(([field, floor]) => {
    const value = fieldAt(payload, field);
    const bound = 'min' in floor ? `at least ${floor.min}` : `above ${floor.above}`;
    if (value === undefined) return [`'${field}' is absent and must be ${bound}`];
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return [`'${field}' is no number and must be ${bound}`];
    }
    const holds = 'min' in floor ? value >= floor.min : value > floor.above;
    return holds ? [] : [`'${field}' is ${value} and must be ${bound}`];
  });
}

/** The own property at a path whose dots lead into nested objects. */
function fieldAt(payload: JsonObject, field: string): unknown {
  if (Object.hasOwn(payload, field)) return payload[field];
  let value: unknown = payload;
  for (const step of field.split('.')) value = isJsonObject(value) ? own(value, step) : undefined;
  return value;
}

import type { ErrorObject } from 'ajv';

/**
 * What a validator found first, naming the field as a path from the event: `proofs/0/verdict must
 * be equal to one of the allowed values: "pass", "fail"`.
 */
export function firstViolation(errors: readonly ErrorObject[] | null | undefined): string {
  const first = errors?.[0];
  if (first === undefined) return 'it does not satisfy its schema';
  const missing: unknown = first.params.missingProperty;
  if (typeof missing === 'string') {
    return `the field \`${fieldPath(`${first.instancePath}/${missing}`)}\` is missing`;
  }
  const allowed: unknown = first.params.allowedValues;
  const values = Array.isArray(allowed)
    ? `: ${allowed.map((v) => JSON.stringify(v)).join(', ')}`
    : '';
  return `the field \`${fieldPath(first.instancePath)}\` ${first.message ?? 'is wrong'}${values}`;
}

/** A JSON pointer without its leading slash and its escapes. */
function fieldPath(pointer: string): string {
  return pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}

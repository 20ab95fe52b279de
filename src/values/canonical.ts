import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785): one text for one value, so that its digest names the value.
 * Strings that are not well-formed Unicode are made so first: they cannot come from a document of
 * ours, and a digest must not throw over a name on a disk.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(wellFormed(value)) ?? 'null';
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
    );
  }
  return value;
}

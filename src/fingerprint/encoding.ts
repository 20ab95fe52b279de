/**
 * Joins fields so that no other fields give the same bytes: each is preceded by its length in
 * bytes, as a 64-bit little-endian number. Text is encoded as UTF-8.
 */
export function encodeFields(...fields: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fields) {
    const bytes = typeof field === 'string' ? Buffer.from(field) : field;
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(bytes.length));
    parts.push(length, bytes);
  }
  return Buffer.concat(parts);
}

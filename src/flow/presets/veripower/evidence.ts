import type { JsonObject } from '../../../values/strict-json.ts';
import type { ProofRecord } from './log-index.ts';
import { recordedPath } from './recorded-path.ts';
import type { ProofStage } from './registry.ts';

/** A proof that counts, with what it says was read and written. */
export interface Evidence {
  readonly stage: ProofStage;
  readonly record: ProofRecord;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** A table by the paths that its own lead to; those that are refused are left out. */
export function byPath(table: JsonObject): ReadonlyMap<string, unknown> {
  const known = TABLES.get(table);
  if (known) return known;
  const paths = new Map<string, unknown>();
  for (const [text, recorded] of Object.entries(table)) {
    const checked = recordedPath(text);
    if (checked.ok) paths.set(checked.path, recorded);
  }
  TABLES.set(table, paths);
  return paths;
}

/** A table is asked about by several stages. */
const TABLES = new WeakMap<JsonObject, ReadonlyMap<string, unknown>>();

/** Whether a path, or a folder above it, is one of those that are covered. */
export function isCovered(path: string, covered: { has(path: string): boolean }): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (covered.has(path.slice(0, end))) return true;
  }
  return false;
}

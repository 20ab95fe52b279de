import type { VygesEvent } from '../../generated/documents.ts';
import { isJsonObject, type JsonObject, own } from '../../values/strict-json.ts';

/** One thing that a report names: shown to people at its line, and no part of any verdict. */
export interface Finding {
  readonly severity: VygesEvent['severity'];
  readonly code: string | undefined;
  readonly message: string;
  /** `path:line`, as the report has it. */
  readonly place: string | undefined;
}

export type OnFinding = (finding: Finding) => void;

const SEVERITY_OF: Readonly<Record<string, VygesEvent['severity']>> = {
  error: 'error',
  warning: 'warn',
  note: 'info',
};

/** A result of a SARIF log as a finding; a level that is for nobody's eyes gives none. */
export function sarifFinding(result: JsonObject): Finding | undefined {
  const severity = SEVERITY_OF[String(own(result, 'level') ?? 'warning')];
  if (severity === undefined) return undefined;
  const rule = own(result, 'ruleId');
  const message = objectIn(result, 'message');
  const text = message && own(message, 'text');
  return {
    severity,
    code: typeof rule === 'string' ? rule : undefined,
    message: typeof text === 'string' ? text : 'a finding without a text',
    place: placeOf(result),
  };
}

function placeOf(result: JsonObject): string | undefined {
  const locations = own(result, 'locations');
  const first: unknown = Array.isArray(locations) ? locations[0] : undefined;
  const physical = isJsonObject(first) ? objectIn(first, 'physicalLocation') : undefined;
  const artifact = physical && objectIn(physical, 'artifactLocation');
  const region = physical && objectIn(physical, 'region');
  const uri = artifact && own(artifact, 'uri');
  const line = region && own(region, 'startLine');
  if (typeof uri !== 'string' || !Number.isInteger(line)) return undefined;
  return `${pathOf(uri)}:${line}`;
}

function pathOf(uri: string): string {
  const path = uri.replace(/^file:\/\/(?:localhost)?(?=\/)/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isJsonObject(value) ? value : undefined;
}

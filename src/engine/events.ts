import type { LoomResult, VygesEvent } from '../generated/documents.ts';
import { validateVygesEvent } from '../generated/validators.js';
import { parseStrictObjectText } from '../values/strict-json.ts';
import { printable } from '../values/text.ts';
import type { Finding } from './evidence/finding.ts';

const FIELDS = [
  'schema',
  'ts_ms',
  'tool',
  'severity',
  'raw_msg',
  'run_id',
  'stage',
  'step_index',
  'code',
  'msg_template',
  'objects',
  'file',
] as const;

/** A line of stderr as an event (vyges-events/1.0), or undefined for a line of plain text. */
export function parseEventLine(line: string): VygesEvent | undefined {
  if (!line.startsWith('{') || !line.includes('vyges-events/')) return undefined;
  const object = parseStrictObjectText(line);
  if (!object.ok) return undefined;
  // A later minor may add fields: read the ones that are known.
  const known = Object.fromEntries(
    FIELDS.filter((field) => Object.hasOwn(object.value, field)).map((field) => [
      field,
      object.value[field],
    ]),
  );
  return validateVygesEvent(known) ? known : undefined;
}

/** An event of the gate's own, beside those of the engine. */
export function ownEvent(
  severity: VygesEvent['severity'],
  code: string,
  message: string,
): VygesEvent {
  return {
    schema: 'vyges-events/1.0',
    ts_ms: Date.now(),
    tool: 'signoff-gate',
    severity,
    code,
    raw_msg: message,
  };
}

/** What a report of a command names, as if the command had said it itself. */
export function findingEvent(tool: string, finding: Finding): VygesEvent {
  return {
    ...ownEvent(finding.severity, printable(finding.code ?? 'FINDING', 200), ''),
    tool,
    raw_msg: printable(finding.message),
    ...(finding.place === undefined ? {} : { file: printable(finding.place) }),
  };
}

/** More than a reader of an envelope looks at; the counts cover all, and the log of the run keeps all. */
const MAX_KEPT = { events: 1000, characters: 2_000_000 };
const MAX_CODES = 200;
const MAX_CODE_LENGTH = 200;

/** Collects the events of a run: counts of all, the first of them whole, and errors even when late. */
export class EventTrail {
  readonly #kept: VygesEvent[] = [];
  #characters = 0;
  readonly #counts = new Map<VygesEvent['severity'], number>();
  readonly #codes = new Set<string>();
  #count = 0;

  add(event: VygesEvent): void {
    this.#count++;
    this.#counts.set(event.severity, (this.#counts.get(event.severity) ?? 0) + 1);
    const { code } = event;
    const isListed = code !== undefined && code.length <= MAX_CODE_LENGTH;
    if (isListed && this.#codes.size < MAX_CODES) this.#codes.add(code);
    this.#keepIfRoom(event);
  }

  /** Errors and the gate's own words have as much room again as all the rest. */
  #keepIfRoom(event: VygesEvent): void {
    const share = event.severity === 'error' || event.tool === 'signoff-gate' ? 2 : 1;
    if (this.#kept.length >= MAX_KEPT.events * share) return;
    const { length } = JSON.stringify(event);
    if (this.#characters + length > MAX_KEPT.characters * share) return;
    this.#characters += length;
    this.#kept.push(event);
  }

  /** The `logs` of an envelope (spec 02): null when the run produced no event. */
  toLogs(): LoomResult['logs'] {
    if (this.#count === 0) return null;
    const counts = Object.fromEntries(
      [...this.#counts].map(([severity, n]) => [`${severity}_count`, n]),
    );
    return {
      count: this.#count,
      events: this.#kept,
      summary: { ...counts, codes: [...this.#codes] },
    };
  }
}

/** Says of a run how many of its processes had to be ended, if any. */
export function tellStrays(strays: number, trail: EventTrail): void {
  if (strays === 0) return;
  trail.add(
    ownEvent('warn', 'STRAYS-ENDED', `${strays} process(es) outlived the engine and were ended`),
  );
}

import { canonicalJson } from '../values/canonical.ts';
import type { LogRecord } from './record.ts';

/** How a list of texts stands to an earlier state of itself. */
export interface TextAlignment {
  /** Indices of ours that the earlier list has, each matched once, in its order. */
  readonly kept: ReadonlySet<number>;
  readonly faults: readonly TextFault[];
}

export interface TextFault {
  readonly kind: 'gone' | 'moved';
  /** Index in the earlier list. */
  readonly index: number;
  /** Where it is in ours, if it is there at another place. */
  readonly ours: number | undefined;
}

/**
 * Finds an earlier list in ours. One that only grew, or that was merged line by line with another
 * branch's, has it all, in its order; anything else was rewritten.
 */
export function alignTexts(earlier: readonly string[], ours: readonly string[]): TextAlignment {
  const kept = new Set<number>();
  const faults: TextFault[] = [];
  const places = placesIn(ours);
  let from = 0;
  for (const [index, text] of earlier.entries()) {
    // Most often the next one is it: the list grew at its end.
    const all = ours[from] === text ? [from] : (places().get(text) ?? []);
    const place = all.find((candidate) => candidate >= from);
    if (place === undefined) {
      faults.push({ kind: all.length > 0 ? 'moved' : 'gone', index, ours: all[0] });
      continue;
    }
    kept.add(place);
    from = place + 1;
  }
  return { kept, faults };
}

/** Indices by text, made when they are first needed: most lists only grew. */
function placesIn(texts: readonly string[]): () => ReadonlyMap<string, readonly number[]> {
  let places: Map<string, number[]> | undefined;
  return () => {
    if (places) return places;
    places = new Map();
    for (const [index, text] of texts.entries()) {
      const known = places.get(text);
      if (known) known.push(index);
      else places.set(text, [index]);
    }
    return places;
  };
}

/** How a log stands to an earlier state of itself. */
export interface LogAlignment {
  /** The lines of ours that the earlier log has. */
  readonly kept: ReadonlySet<number>;
  readonly faults: readonly LogFault[];
}

/** A record of the earlier log that ours does not have where it should. */
export interface LogFault {
  readonly kind: 'gone' | 'altered' | 'moved';
  readonly record: LogRecord;
  /** The line of ours that stands for it, where there is one. */
  readonly ours: number | undefined;
}

/** As {@link alignTexts}, for logs: records are alike if their events are, however a line is written. */
export function alignLogs(earlier: readonly LogRecord[], ours: readonly LogRecord[]): LogAlignment {
  const { kept, faults } = alignTexts(earlier.map(textOf), ours.map(textOf));
  const lineAt = (index: number | undefined): number | undefined =>
    index === undefined ? undefined : ours[index]?.line;
  return {
    kept: new Set([...kept].flatMap((index) => lineAt(index) ?? [])),
    faults: faults.flatMap((fault): LogFault[] => {
      const record = earlier[fault.index];
      if (!record) return [];
      const altered = fault.kind === 'gone' ? alteredIn(ours, record) : undefined;
      return [
        altered
          ? { kind: 'altered', record, ours: altered.line }
          : { kind: fault.kind, record, ours: lineAt(fault.ours) },
      ];
    }),
  };
}

function textOf({ event }: LogRecord): string {
  return canonicalJson(event);
}

/** The record of ours that tells of the same thing in other words. */
function alteredIn(ours: readonly LogRecord[], record: LogRecord): LogRecord | undefined {
  if (record.kind === 'other') return undefined;
  const { rule, run } = record.event;
  return ours.find(
    (candidate) =>
      candidate.kind === record.kind &&
      candidate.event.rule === rule &&
      candidate.event.run === run,
  );
}

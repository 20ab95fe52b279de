import type { ChangeDocument } from '../generated/documents.ts';
import { compareBytes } from '../values/order.ts';

/** One thing that differs between what a run recorded and what is here now. */
export type Change = ChangeDocument;

type Fingerprints = Readonly<Record<string, string | null>>;

/** Every path that was added, removed or altered, in byte order. */
export function compareTables(
  what: Change['what'],
  recorded: Fingerprints,
  current: Fingerprints,
): Change[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(current)])].sort(
    compareBytes,
  );
  return names.flatMap((name) => {
    const before = Object.hasOwn(recorded, name) ? (recorded[name] ?? null) : null;
    const now = Object.hasOwn(current, name) ? (current[name] ?? null) : null;
    return before === now && before !== null
      ? []
      : [{ what, name, recorded: before, current: now }];
  });
}

/** One change as a clause: `rtl/a.v changed`, `rtl/b.v was added`, `the floors changed`. */
export function describeChange(change: Change): string {
  if (change.detail !== undefined) return change.detail;
  const subject = SUBJECT[change.what](change.name);
  if (change.recorded === null) return `${subject} was added`;
  if (change.current === null) return `${subject} is gone`;
  return `${subject} changed`;
}

const SUBJECT: Record<Change['what'], (name: string) => string> = {
  input: (name) => name,
  external: (name) => `external ${name}`,
  output: (name) => `output ${name}`,
  definition: (name) => `\`${name}\` in the flow`,
  executable: (name) => `the program ${name}`,
  version: (name) => `the version of ${name}`,
  envelope: (name) => `the envelope ${name}`,
  verdict: () => 'the verdict',
  record: (name) => `the record of ${name}`,
};

/** The changes in a sentence that names the first few. */
export function describeChanges(changes: readonly Change[], run: number): string {
  const shown = changes.slice(0, 3).map(describeChange);
  const rest = changes.length - shown.length;
  return `since run ${run}: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

import { field, type LogEvent } from './event.ts';
import type { PresetLog } from './log-index.ts';

/** Where the trust in an oracle was last withdrawn; -1 if it never was. */
function lastReopen(log: PresetLog, ref: unknown): number {
  let last = -1;
  for (const reopen of log.reopens) {
    if (field(reopen, 'pin_ref') === ref) last = reopen.position;
  }
  return last;
}

/** Whether the trust in an oracle was withdrawn at or after a position of the log. */
export function wasReopened(log: PresetLog, ref: unknown, from: number): boolean {
  return lastReopen(log, ref) >= from;
}

/** The pins of an oracle that no later reopen takes back, in file order (spec/06 §6.5). */
export function livePins(log: PresetLog, ref: unknown): LogEvent[] {
  const pins = log.pins.filter((pin) => field(pin, 'oracle_ref') === ref);
  if (pins.length === 0) return [];
  const reopened = lastReopen(log, ref);
  return pins.filter(({ position }) => position > reopened);
}

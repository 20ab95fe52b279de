import { duration } from '../report/duration.ts';
import { printable } from '../values/text.ts';
import type { GateEvent } from './events.ts';

/** What the gate tells, as one line that is safe to print; both edges print it. */
export function eventLine(event: GateEvent): string {
  switch (event.kind) {
    case 'waiting-for-lock':
      return `signoff-gate: waiting for ${printable(event.holder)}`;
    case 'notice':
      return `${event.stage === undefined ? 'signoff-gate' : event.stage}: ${printable(event.message)}`;
    case 'stage-started':
      return `${event.stage}: run ${event.run} starts: ${printable(event.reason, 300)}`;
    case 'engine-event': {
      const { severity, code, raw_msg, file } = event.event;
      const place = file === undefined ? '' : ` (${printable(file, 200)})`;
      return `${event.stage}: ${severity}${code === undefined ? '' : ` ${printable(code, 60)}`}: ${printable(raw_msg, 500)}${place}`;
    }
    case 'engine-line':
      return `${event.stage}: | ${printable(event.line, 500)}`;
    case 'heartbeat':
      return `${event.stage}: run ${event.run} is still going after ${duration(event.elapsedMs)}`;
    case 'stage-finished':
      return `${event.stage}: run ${event.run} ends: ${event.verdict} in ${duration(event.durationMs)}: ${printable(event.summary, 500)}`;
    case 'stage-restored':
      return `${event.stage}: run ${event.run} is restored from ${printable(event.from, 300)}`;
    case 'stage-reused':
      return `${event.stage}: not run again: ${printable(event.reason, 300)}`;
    case 'stage-held':
      return `${event.stage}: not run: ${printable(event.reason, 300)}`;
  }
}

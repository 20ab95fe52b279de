import { eventLine } from '../gate/event-line.ts';
import type { Emit } from '../gate/events.ts';
import { tell } from './output.ts';

/** Prints what the gate tells on stderr, one line an event; stdout is for the answer alone. */
export function consoleEmitter(): Emit {
  return (event) => tell(eventLine(event));
}

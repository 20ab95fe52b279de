import { writeSync } from 'node:fs';

/** Prints at once, so that a word said before a kill is heard. */
export function say(what: object): void {
  writeSync(1, `${JSON.stringify(what)}\n`);
}

import { printable } from '../../values/text.ts';

const MOST = 3;

/** The first few names, safe to print, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => `\`${printable(name, 100)}\``);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

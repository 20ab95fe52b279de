import { randomUUID } from 'node:crypto';

/** A value that marks every process of one run, so that strays of it can be told from others. */
export function newMarker(): string {
  return randomUUID();
}

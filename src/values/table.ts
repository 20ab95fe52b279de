/**
 * An empty record without a prototype: a file may be called `__proto__`, and an assignment under
 * that name must add an entry like any other.
 */
export function emptyTable<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

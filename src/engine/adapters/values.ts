import type { WithValues } from './adapter.ts';

/**
 * The arguments of a run, by type. The descriptor's `inputs` have been checked: what is of another
 * type is as good as absent.
 */
export function textsIn(values: WithValues, name: string): readonly string[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : [];
}

export function textIn(values: WithValues, name: string): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(values: WithValues, name: string): number | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return typeof value === 'number' ? value : undefined;
}

export function isOn(values: WithValues, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] === true;
}

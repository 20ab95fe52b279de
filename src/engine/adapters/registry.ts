import type { Adapter } from './adapter.ts';
import { verilatorLint } from './verilator-lint.ts';

/** Every adapter, by name. Adding a tool means one file and a line here (docs/adapters.md). */
const ADAPTERS: ReadonlyMap<string, Adapter> = new Map(
  [verilatorLint].map((adapter) => [adapter.name, adapter]),
);

/** The adapter that a flow names; its name is taken before any program of that name on PATH. */
export function findAdapter(uses: string): Adapter | undefined {
  return ADAPTERS.get(uses);
}

export function adapterNames(): string[] {
  return [...ADAPTERS.keys()];
}

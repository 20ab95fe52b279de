import type { Adapter } from './adapter.ts';
import { iverilogSim } from './iverilog-sim.ts';
import { opensta } from './opensta.ts';
import { verilatorLint } from './verilator-lint.ts';
import { verilatorSim } from './verilator-sim.ts';
import { yosysEquiv } from './yosys-equiv.ts';
import { yosysFormal, yosysFormalBounded } from './yosys-formal.ts';
import { yosysSynth } from './yosys-synth.ts';

/** Every adapter, by name. Adding a tool means one file and a line here (docs/adapters.md). */
const ADAPTERS: ReadonlyMap<string, Adapter> = new Map(
  [
    iverilogSim,
    opensta,
    verilatorLint,
    verilatorSim,
    yosysEquiv,
    yosysFormal,
    yosysFormalBounded,
    yosysSynth,
  ].map((adapter) => [adapter.name, adapter]),
);

/** The adapter that a flow names; its name is taken before any program of that name on PATH. */
export function findAdapter(uses: string): Adapter | undefined {
  return ADAPTERS.get(uses);
}

export function adapterNames(): string[] {
  return [...ADAPTERS.keys()];
}

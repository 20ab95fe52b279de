import type { Floor } from '../flow/stage.ts';

/**
 * Floors that ship with the gate, for engines whose pass is known to be possible with nothing
 * checked: no endpoint, no load, no flop, no compared point.
 */
const DEFAULT_FLOORS: ReadonlyMap<string, Readonly<Record<string, Floor>>> = new Map([
  ['sta-si', { endpoints: { min: 1 }, hold_endpoints: { min: 1 } }],
  ['em-ir', { em_checked: { min: 1 }, 'worst_ir.drop': { above: 0 } }],
  ['cdc', { domains: { min: 1 }, flops_placed: { min: 1 } }],
  ['lec', { compared: { min: 1 } }],
  ['iverilog-sim', { checks: { min: 1 }, modules: { min: 1 } }],
  ['opensta', { clocks: { min: 1 }, endpoints: { min: 1 }, hold_endpoints: { min: 1 } }],
  ['verilator-lint', { files: { min: 1 }, modules: { min: 1 } }],
  ['verilator-sim', { checks: { min: 1 }, modules: { min: 1 } }],
  ['yosys-equiv', { equiv_cells: { min: 1 }, output_bits: { min: 1 } }],
  ['yosys-formal', { asserts: { min: 1 }, asserts_reached: { min: 1 } }],
  ['yosys-formal-bounded', { asserts: { min: 1 }, asserts_reached: { min: 1 } }],
  ['yosys-synth', { cells: { min: 1 } }],
]);

/** The floors that ship for an engine, by its own name without the `vyges-` prefix. */
export function defaultFloors(engine: string): Readonly<Record<string, Floor>> {
  return DEFAULT_FLOORS.get(engine) ?? {};
}

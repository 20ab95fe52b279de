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
  ['verilator-lint', { files: { min: 1 }, modules: { min: 1 } }],
]);

/** The floors that ship for an engine, by its own name without the `vyges-` prefix. */
export function defaultFloors(engine: string): Readonly<Record<string, Floor>> {
  return DEFAULT_FLOORS.get(engine) ?? {};
}

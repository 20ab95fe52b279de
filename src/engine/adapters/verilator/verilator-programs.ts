import type { AdapterProgram } from '../adapter.ts';

/** `verilator` is a script that starts `verilator_bin`: the digest of the one says nothing of the other. */
export const VERILATOR: readonly [AdapterProgram, ...AdapterProgram[]] = [
  {
    name: 'verilator',
    version: ['--version'],
    tested: '>=5.6.0 <5.7.0',
    package: 'verilator',
  },
  {
    name: 'verilator_bin',
    beside: {
      program: 'verilator',
      paths: ['verilator_bin', '../share/verilator/bin/verilator_bin'],
    },
    package: 'verilator',
  },
];

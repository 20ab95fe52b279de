import type { AdapterProgram } from '../adapter.ts';

export const YOSYS: AdapterProgram = {
  name: 'yosys',
  version: ['-V'],
  tested: '>=0.23.0 <0.24.0',
  package: 'yosys',
};

/** It is a script of Python with modules of its own, and starts the `z3` that is first on PATH. */
export const SMTBMC: readonly AdapterProgram[] = [
  { name: 'yosys-smtbmc', package: 'yosys' },
  ...['smtio.py', 'ywio.py'].map((name) => ({
    name,
    beside: {
      program: 'yosys-smtbmc',
      paths: [`../share/yosys/${name}`, `../share/yosys/python3/${name}`],
    },
    package: 'yosys',
  })),
  { name: 'z3', version: ['--version'], tested: '>=4.8.12 <4.9.0', package: 'z3' },
  { name: 'python3', version: ['--version'], tested: '>=3.11.0 <3.12.0', package: 'python3' },
];

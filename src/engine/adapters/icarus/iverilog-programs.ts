import type { AdapterProgram } from '../adapter.ts';

/** Where the parts of Icarus Verilog lie, by how it was packaged. */
const FOLDERS = [
  '../lib/x86_64-linux-gnu/ivl',
  '../lib/aarch64-linux-gnu/ivl',
  '../lib/ivl',
  '../lib64/ivl',
];

/** `iverilog` only starts others: the preprocessor, the compiler, and the library that writes the code. */
const COMPILER_PARTS = ['ivlpp', 'ivl', 'vvp.tgt'];

/** What `vvp` loads into every simulation of this generation of the language. */
const RUN_TIME_PARTS = [
  'system.vpi',
  'v2005_math.vpi',
  'v2009.vpi',
  'va_math.vpi',
  'vhdl_sys.vpi',
  'vhdl_textio.vpi',
];

const TESTED = '>=11.0.0 <12.0.0';

export const IVERILOG: readonly [AdapterProgram, ...AdapterProgram[]] = [
  { name: 'iverilog', version: ['-V'], tested: TESTED, package: 'iverilog' },
  { name: 'vvp', version: ['-V'], tested: TESTED, package: 'iverilog' },
  ...COMPILER_PARTS.map((name) => part(name, 'iverilog')),
  ...RUN_TIME_PARTS.map((name) => part(name, 'vvp')),
];

function part(name: string, program: string): AdapterProgram {
  return {
    name,
    beside: { program, paths: FOLDERS.map((folder) => `${folder}/${name}`) },
    package: 'iverilog',
  };
}

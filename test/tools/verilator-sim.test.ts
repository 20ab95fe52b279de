import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { damageIn } from '../../src/engine/adapters/verilator/verilator-coverage.ts';
import { type EngineRoom, writeProgram } from '../support/engine-room.ts';
import { scratchFolder } from '../support/scratch.ts';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';
import {
  COUNTER,
  shown,
  testbench,
  UNKNOWN_COUNTER,
  WRONG_COUNTER,
} from './designs/simulated-counter.ts';

// Every case that runs a simulation compiles C++ first.
vi.setConfig({ testTimeout: 180_000 });
const timeoutMs = 170_000;

const USUAL = { top: 'tb', files: ['rtl/counter.v', 'tb/tb.v'] };
const GOOD = { 'rtl/counter.v': COUNTER, 'tb/tb.v': testbench() };

/** A workspace with the counter and a testbench of which one part is another. */
const withTestbench = (parts: Parameters<typeof testbench>[0]): Record<string, string> => ({
  ...GOOD,
  'tb/tb.v': testbench(parts),
});

/** A script in the place of one of the programs; the other parts lie beside it as they do in a package. */
function replaced(name: string, script: string): (room: EngineRoom) => EngineRoom {
  return (room) => {
    writeProgram(join(room.bin, name), `#!/bin/sh\n${script}\n`);
    symlinkSync('/usr/share', join(room.bin, '../share'));
    for (const part of ['verilator_bin', 'verilator_coverage_bin_dbg']) {
      symlinkSync(join('/usr/bin', part), join(room.bin, part));
    }
    return room;
  };
}
const unlessVersion = (name: string, otherwise: string): string =>
  `[ "$1" = --version ] && exec /usr/bin/${name} --version\n${otherwise}`;

const kept = scratchFolder();

/**
 * The library that Verilator compiles into every simulation is compiled once for all cases but the
 * first: it takes most of their time, and is the same in each.
 */
function withKeptLibrary(room: EngineRoom): EngineRoom {
  writeProgram(
    join(room.bin, 'g++'),
    `#!/bin/sh
case "$*" in *' -c -o verilated'*) ;; *) exec /usr/bin/g++ "$@" ;; esac
for argument; do [ "$before" = -o ] && out=$argument; before=$argument; done
kept=${kept}/$(printf %s "$*" | cksum | tr ' ' -)
[ -f "$kept" ] || { /usr/bin/g++ "$@" && mv "$out" "$kept"; } && cp "$kept" "$out"
`,
  );
  return room;
}

const PRINTS_PASS =
  '$display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=%0d errors=0", nonce, checks);';
const COVERAGE = { ...USUAL, coverage: true, 'min-line-coverage': 1 };

/** An assertion that the third step of the counter breaks. */
const LIMIT = `module limit (input wire clk, input wire rst, input wire [3:0] count);
  below: assert property (@(posedge clk) disable iff (rst) count < 4'd3) else $error("too far");
endmodule
`;
/** Calls itself a limit and says nothing. */
const OTHER_LIMIT = 'module other_limit (input wire clk);\nendmodule\n';

const simulated: AdapterCase[] = [
  {
    name: 'a counter that counts, with all of its lines reached',
    files: {
      ...withTestbench({
        beside: 'reg [7:0] rom [0:1];',
        before:
          '`include "steps.vh"\n$readmemh(`ROM, rom);\nif (rom[0] != 8\'h12 || !$test$plusargs("verbose")) errors = 98;',
      }),
      'rtl/width.sv': 'package width;\n  localparam int W = 4;\nendpackage\n',
      'tb/inc/steps.vh': '// a comment\n',
      'data/rom.hex': '12\n34\n',
    },
    with: {
      ...COVERAGE,
      files: ['rtl/width.sv', ...USUAL.files],
      'include-dirs': ['tb/inc'],
      defines: ['ROM="data/rom.hex"'],
      plusargs: ['verbose'],
      'min-checks': 8,
    },
    expected: 'pass',
    says: /8 checks and no error; line coverage is 1 \(3 of 3 lines\)/,
    check: ({ envelope, opened }) => {
      expect(envelope.result).toMatchObject({
        passed: true,
        checks: 8,
        errors: 0,
        bound: true,
        modules: 2,
        files: 2,
        seed: 1,
        line_coverage: 1,
        lines: 3,
        lines_hit: 3,
        covered_files: 1,
        coverage_off: 0,
      });
      expect(envelope.tool_version).toMatch(/^\d+\.\d+/);
      expect([...opened].sort()).toEqual([
        'data/rom.hex',
        'rtl/counter.v',
        'rtl/width.sv',
        'tb/inc/steps.vh',
        'tb/tb.v',
      ]);
    },
  },
  {
    name: 'a counter that counts by two',
    files: { ...GOOD, 'rtl/counter.v': WRONG_COUNTER },
    with: USUAL,
    expected: 'fail',
    says: /reports FAIL with 8 errors/,
  },
  {
    name: 'the testbench of the manual in SystemVerilog',
    files: { 'rtl/counter.v': COUNTER, 'tb/tb.sv': shown('systemverilog') },
    with: { top: 'tb', files: ['rtl/counter.v', 'tb/tb.sv'] },
    expected: 'pass',
    says: /8 checks and no error/,
  },
  {
    name: 'a counter without a reset, which zeros would hide',
    files: {
      'rtl/counter.v': UNKNOWN_COUNTER,
      'tb/tb.v': testbench(),
    },
    with: USUAL,
    expected: 'fail',
    says: /reports FAIL with 8 errors/,
  },
  {
    name: 'a failed assertion, at its line in one of two files of that name',
    files: {
      ...withTestbench({
        beside: 'limit l (.clk(clk), .rst(rst), .count(count)); other_limit o (.clk(clk));',
      }),
      'rtl/a/limit.sv': OTHER_LIMIT,
      'rtl/b/limit.sv': LIMIT,
    },
    with: { ...USUAL, files: ['rtl/counter.v', 'rtl/*/limit.sv', 'tb/tb.v'] },
    expected: 'fail',
    says: /1 error: rtl\/b\/limit\.sv:2: too far/,
    check: ({ events }) =>
      expect(events.map(({ code, file }) => `${code} ${file}`)).toContain('ERROR rtl/b/limit.sv:2'),
  },
  {
    name: 'a testbench that tests nothing (false pass 2)',
    files: withTestbench({ before: '$finish;' }),
    with: USUAL,
    expected: 'unknown',
    says: /no result line/,
  },
  {
    name: '$finish before the result, which is printed all the same (false pass 11)',
    files: withTestbench({ report: `$finish; ${PRINTS_PASS}`, end: '' }),
    with: USUAL,
    expected: 'unknown',
    says: /the result line was printed after \$finish was called/,
  },
  {
    name: 'a second $finish in the same step of time (false pass 11)',
    files: withTestbench({ end: '$finish; $finish;' }),
    with: USUAL,
    expected: 'unknown',
    says: /\$finish was called 2 times/,
  },
  {
    name: 'a simulation that ends because nothing is left to do',
    files: {
      ...GOOD,
      'tb/tb.v': testbench({ end: '' }).replace('always #5', 'initial repeat (40) #5'),
    },
    with: USUAL,
    expected: 'unknown',
    says: /ended without \$finish/,
  },
  {
    name: '$stop before the result',
    files: withTestbench({ check: 'if (i == 3) $stop;' }),
    with: USUAL,
    expected: 'unknown',
    says: /the simulation exited with code 1/,
    error: 'engine_nonzero',
  },
  {
    name: 'the design prints a result line of its own and ends (false pass 10)',
    files: {
      ...GOOD,
      'rtl/counter.v': WRONG_COUNTER.replace(
        'endmodule',
        'initial begin @(posedge clk); $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=8 errors=0", "0123456789abcdef0123456789abcdef"); $finish; end\nendmodule',
      ),
    },
    with: USUAL,
    expected: 'unknown',
    says: /another nonce/,
  },
  {
    name: 'a data file that is missing',
    files: withTestbench({ beside: 'reg [7:0] rom [0:1];', before: '$readmemh("gone.hex", rom);' }),
    with: USUAL,
    expected: 'unknown',
    says: /gone\.hex.*\$readmem file not found/,
  },
  {
    name: 'a pattern of its own, and a listed file of which nothing is simulated',
    files: {
      ...withTestbench({ report: '$display("*** PASS ***");' }),
      'rtl/other.v': 'module other;\nendmodule\n',
    },
    with: {
      ...USUAL,
      files: ['rtl/*.v', 'tb/tb.v'],
      'result-pattern': '(?<verdict>PASS|FAIL)',
    },
    expected: 'unknown',
    says: /no module of rtl\/other\.v/,
    check: ({ envelope }) => expect(envelope.result).toMatchObject({ bound: false, checks: 1 }),
  },
  {
    name: 'lines that are never reached',
    files: {
      ...GOOD,
      'rtl/counter.v': COUNTER.replace('else', "else if (count == 4'd15) count <= 4'd1;\n    else"),
    },
    with: COVERAGE,
    expected: 'fail',
    says: /line coverage is 0\.\d+ .*and at least 1 is needed/,
    check: ({ envelope }) => {
      const { lines, lines_hit } = envelope.result as { lines: number; lines_hit: number };
      expect(lines_hit).toBeLessThan(lines);
    },
  },
  {
    name: 'lines that are never reached, kept out of coverage by a comment',
    files: {
      ...GOOD,
      'rtl/counter.v': COUNTER.replace(
        'else',
        "else if (count == 4'd15)\n/* verilator coverage_off */\n    count <= 4'd1;\n/* verilator coverage_on */\n    else",
      ),
    },
    with: { ...COVERAGE, 'min-line-coverage': 0.5 },
    expected: 'unknown',
    says: /kept out of coverage at 1 place: rtl\/counter\.v:9/,
  },
  {
    name: 'a file without a line of coverage (false pass 17)',
    files: {
      ...GOOD,
      'rtl/counter.v': `${COUNTER}`,
      'rtl/wrap.v': 'module wrap;\nendmodule\n',
      'tb/tb.v': testbench({ beside: 'wrap w ();' }),
    },
    with: { ...COVERAGE, files: ['rtl/*.v', 'tb/tb.v'] },
    expected: 'unknown',
    says: /no line of `rtl\/wrap\.v`/,
  },
  {
    name: 'coverage of nothing but the testbench',
    files: { 'tb/tb.v': `${COUNTER}\n${testbench()}` },
    with: { ...COVERAGE, files: ['tb/tb.v'] },
    expected: 'unknown',
    says: /every listed file is of the testbench/,
  },
  {
    name: 'a report of coverage that is empty (false pass 17)',
    files: GOOD,
    with: COVERAGE,
    arrange: replaced(
      'verilator_coverage',
      unlessVersion('verilator_coverage', 'echo "TN:verilator_coverage" > "$2"'),
    ),
    expected: 'unknown',
    says: /lcov report cannot be used/,
    error: 'output_unparsable',
  },
];

const unsimulated: AdapterCase[] = [
  {
    name: 'a syntax error in the sources',
    files: { ...GOOD, 'rtl/counter.v': COUNTER.replace('endmodule', 'endmodul') },
    with: USUAL,
    expected: 'fail',
    says: /error.* in the sources: rtl\/counter\.v:\d+:\d+: syntax error/,
  },
  {
    name: 'a name that nothing declares',
    files: withTestbench({ check: 'nobody = 1;' }),
    with: USUAL,
    expected: 'fail',
    says: /1 error in the sources: tb\/tb\.v:\d+:\d+: Can't find definition of variable: 'nobody'/,
  },
  {
    name: 'a construct that the tool has not',
    files: withTestbench({ beside: 'covergroup group @(posedge clk); endgroup' }),
    with: USUAL,
    expected: 'unknown',
    says: /Unsupported/,
  },
  {
    name: 'a module that is missing',
    files: { 'tb/tb.v': testbench() },
    with: { top: 'tb', files: ['tb/tb.v'] },
    expected: 'unknown',
    says: /Cannot find file containing module: 'counter'/,
  },
  {
    name: 'an include file that is missing',
    files: { ...GOOD, 'rtl/counter.v': `\`include "gone.vh"\n${COUNTER}` },
    with: USUAL,
    expected: 'unknown',
    says: /Cannot find include file/,
  },
  {
    name: 'a listed file that is missing',
    files: GOOD,
    with: { ...USUAL, files: [...USUAL.files, 'rtl/gone.v'] },
    expected: 'unknown',
    says: /Cannot find file containing module: rtl\/gone\.v/,
  },
  {
    name: 'another top than there is',
    files: GOOD,
    with: { ...USUAL, top: 'tc' },
    expected: 'unknown',
    says: /top-module 'tc'/,
  },
  {
    name: 'the time is up',
    files: GOOD,
    with: USUAL,
    expected: 'unknown',
    says: /did not end within 1\.5 s/,
    error: 'engine_timeout',
    timeoutMs: 1500,
  },
  {
    name: 'the tool is missing',
    files: GOOD,
    with: USUAL,
    arrange: (room) => ({ ...room, searchPath: room.bin }),
    expected: 'unknown',
    says: /`verilator`, which verilator-sim needs, is not here.*apt-get install verilator/,
    error: 'engine_not_found',
  },
  {
    name: 'the tool is killed',
    files: GOOD,
    with: USUAL,
    arrange: replaced('verilator', unlessVersion('verilator', 'kill -9 $$')),
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'the tool crashes',
    files: GOOD,
    with: USUAL,
    arrange: replaced(
      'verilator',
      unlessVersion('verilator', 'echo "%Error: Verilator threw signal 11" >&2; exit 1'),
    ),
    expected: 'unknown',
    says: /threw signal 11/,
  },
  {
    name: 'the C++ compiler fails',
    files: GOOD,
    with: USUAL,
    arrange: replaced('g++', unlessVersion('g++', 'echo "main.cpp:1:1: error: no" >&2; exit 1')),
    expected: 'unknown',
    says: /verilator exited with code/,
    error: 'engine_nonzero',
  },
  {
    name: 'make ends well and makes nothing',
    files: GOOD,
    with: USUAL,
    arrange: replaced('make', unlessVersion('make', 'exit 0')),
    expected: 'unknown',
    says: /Vsim/,
    error: 'engine_not_found',
  },
  {
    name: 'another version, which is told',
    files: { ...GOOD, 'rtl/counter.v': COUNTER.replace('endmodule', 'endmodul') },
    with: USUAL,
    arrange: replaced(
      'verilator',
      '[ "$1" = --version ] && echo "Verilator 5.020 2024-01-01" && exit\nexec /usr/bin/verilator "$@"',
    ),
    expected: 'fail',
    says: /syntax error/,
    check: ({ envelope }) => {
      expect(envelope.provenance.maturity).toBe('structured');
      expect(envelope.provenance.limitations.join(' ')).toContain('verilator is 5.020');
    },
  },
  {
    name: 'a C++ source, whose name would stand in a makefile',
    files: GOOD,
    with: { ...USUAL, files: [...USUAL.files, 'tb/$(shell,touch,pwned).cpp'] },
    expected: 'unknown',
    says: /verilator cannot be given the path/,
    error: 'invalid_arguments',
  },
  {
    name: 'another C++ source',
    files: GOOD,
    with: { ...USUAL, files: [...USUAL.files, 'tb/model.cpp'] },
    expected: 'unknown',
    says: /takes sources that end in/,
    error: 'invalid_arguments',
  },
  {
    name: 'an option of the simulator among the plusargs',
    files: GOOD,
    with: { ...USUAL, plusargs: ['verilator+noassert'] },
    expected: 'unknown',
    says: /\+verilator options/,
    error: 'invalid_arguments',
  },
  {
    name: 'coverage without a threshold',
    files: GOOD,
    with: { ...USUAL, coverage: true },
    expected: 'unknown',
    says: /`min-line-coverage`: it is needed/,
    error: 'invalid_arguments',
  },
  {
    name: 'a threshold without coverage',
    files: GOOD,
    with: { ...USUAL, 'min-line-coverage': 0.9 },
    expected: 'unknown',
    says: /`min-line-coverage`: it has no meaning/,
    error: 'invalid_arguments',
  },
];

const [first, ...others] = simulated;
adapterCases('verilator-sim', [
  ...(first ? [{ timeoutMs, ...first }] : []),
  ...others.map(({ arrange, ...one }) => ({
    timeoutMs,
    ...one,
    arrange: (room: EngineRoom) => withKeptLibrary(arrange?.(room) ?? room),
  })),
  ...unsimulated,
]);

const HEAD = '# SystemC::Coverage-3\n';
const POINT = "C '\u0001f\u0002rtl/counter.v\u0001l\u00026' 9\n";

test.each([
  ['', 'is not what'],
  ['garbage\n', 'is not what'],
  [HEAD, 'cut short'],
  [`${HEAD}${POINT}`, 'cut short'],
  [`${HEAD}${POINT}# end 0`, 'cut short'],
  [`${HEAD}${POINT}# end other\n`, 'cut short'],
  [`${HEAD}${POINT.slice(0, 20)}\n# end 0\n`, 'damaged at line 2'],
])('coverage data %j is refused (false pass 17)', (text, why) => {
  expect(damageIn(text, '0')).toContain(why);
});

test('coverage data that is whole', () => {
  expect(damageIn(`${HEAD}${POINT}# end 0\n`, '0')).toBeUndefined();
});

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type EngineRoom, writeProgram } from '../support/engine-room.ts';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';
import {
  COUNTER,
  shown,
  testbench,
  UNKNOWN_COUNTER,
  WRONG_COUNTER,
} from './designs/simulated-counter.ts';

const USUAL = { top: 'tb', files: ['rtl/counter.v', 'tb/tb.v'] };
const GOOD = { 'rtl/counter.v': COUNTER, 'tb/tb.v': testbench() };

/** A workspace with the counter and a testbench of which one part is another. */
const withTestbench = (parts: Parameters<typeof testbench>[0]): Record<string, string> => ({
  ...GOOD,
  'tb/tb.v': testbench(parts),
});

const IVL = ['x86_64-linux-gnu/ivl', 'aarch64-linux-gnu/ivl', 'ivl']
  .map((path) => join('/usr/lib', path))
  .find(existsSync);

/** A script in the place of one of the programs; the other parts lie beside it as they do in a package. */
function replaced(name: string, script: string): (room: EngineRoom) => EngineRoom {
  return (room) => {
    writeProgram(join(room.bin, name), `#!/bin/sh\n${script}\n`);
    mkdirSync(join(dirname(room.bin), 'lib'));
    symlinkSync(IVL ?? '/nowhere', join(dirname(room.bin), 'lib/ivl'));
    return room;
  };
}
const unlessVersion = (name: string, otherwise: string): string =>
  `[ "$1" = -V ] && exec /usr/bin/${name} -V\n${otherwise}`;

const good: AdapterCase[] = [
  ...['verilog', 'systemverilog'].map((language) => ({
    name: `the testbench of the manual in ${language}`,
    files: { 'rtl/counter.v': COUNTER, 'tb/tb.sv': shown(language) },
    with: { top: 'tb', files: ['rtl/counter.v', 'tb/tb.sv'] },
    expected: 'pass' as const,
    says: /8 checks and no error/,
  })),
  {
    name: 'the testbench of the manual, with a counter that counts by two',
    files: { 'rtl/counter.v': WRONG_COUNTER, 'tb/tb.sv': shown('systemverilog') },
    with: { top: 'tb', files: ['rtl/counter.v', 'tb/tb.sv'] },
    expected: 'fail',
    says: /8 errors: tb\/tb\.sv:\d+: count is 2 and should be 1/,
  },
  {
    name: 'a counter that counts',
    files: GOOD,
    with: USUAL,
    expected: 'pass',
    says: /8 checks and no error/,
    check: ({ envelope, opened }) => {
      expect(envelope.result).toMatchObject({
        passed: true,
        checks: 8,
        checks_stated: true,
        errors: 0,
        bound: true,
        modules: 2,
        files: 2,
        optimistic_comparisons: 0,
        x_optimism_allowed: false,
      });
      expect(envelope.tool_version).toMatch(/^1\d\.\d/);
      expect([...opened].sort()).toEqual(['rtl/counter.v', 'tb/tb.v']);
    },
  },
  {
    name: 'include files, macros, plusargs and a data file, all told as opened',
    files: {
      ...withTestbench({
        beside: 'reg [7:0] rom [0:1]; reg [8*20-1:0] image;',
        before:
          '`include "steps.vh"\nif (!$value$plusargs("image=%s", image)) errors = 99;\n$readmemh(`ROM, rom); // "not.hex"\nif (rom[0] !== 8\'h12) errors = 98;',
      }),
      'tb/inc/steps.vh': '// a comment\n',
      'data/rom.hex': '12 34\n',
      'data/image.bin': 'x\n',
      'not.hex': '0\n',
    },
    with: {
      ...USUAL,
      'include-dirs': ['tb/inc'],
      defines: ['ROM="data/rom.hex"'],
      plusargs: ['image=data/image.bin', '+verbose'],
    },
    expected: 'pass',
    says: /8 checks/,
    check: ({ opened }) =>
      expect([...opened].sort()).toEqual([
        'data/image.bin',
        'data/rom.hex',
        'rtl/counter.v',
        'tb/inc/steps.vh',
        'tb/tb.v',
      ]),
  },
  {
    name: 'file names with spaces and odd characters',
    files: { 'rtl/a $(touch pwned); b.v': COUNTER, "tb/it's; tb.v": testbench() },
    with: { top: 'tb', files: ['rtl/*.v', 'tb/*.v'] },
    expected: 'pass',
    says: /8 checks/,
  },
  {
    name: 'as many checks as were asked for',
    files: GOOD,
    with: { ...USUAL, 'min-checks': 8 },
    expected: 'pass',
    says: /8 checks/,
  },
];

const bad: AdapterCase[] = [
  {
    name: 'a counter that counts by two',
    files: { ...GOOD, 'rtl/counter.v': WRONG_COUNTER },
    with: USUAL,
    expected: 'fail',
    says: /reports FAIL with 8 errors/,
  },
  {
    name: '$error, at its line, though the exit code is 0 (false pass 1)',
    files: withTestbench({ check: 'if (i === 3) $error("count is %0d", count);' }),
    with: USUAL,
    expected: 'fail',
    says: /1 error: tb\/tb\.v:\d+: count is 3/,
    check: ({ events }) =>
      expect(events.map(({ code, file }) => `${code} ${file}`)).toContainEqual(
        expect.stringMatching(/^ERROR tb\/tb\.v:\d+$/),
      ),
  },
  {
    name: '$error behind text without an end of line',
    files: withTestbench({
      check: '$write("."); if (i === 3) $error("count is %0d", count);',
      report:
        '$display("\\nSIGNOFF_RESULT nonce=%0s verdict=PASS checks=%0d errors=%0d", nonce, checks, errors);',
    }),
    with: USUAL,
    expected: 'fail',
    says: /1 error: tb\/tb\.v:\d+: count is 3/,
  },
  {
    name: '$error of the design, in a file that it includes',
    files: {
      ...GOOD,
      'rtl/counter.v': COUNTER.replace('endmodule', '`include "limits.vh"\nendmodule'),
      'rtl/limits.vh': 'always @(posedge clk) if (count === 4\'d5) $error("five");\n',
    },
    with: { ...USUAL, 'include-dirs': ['rtl'] },
    expected: 'fail',
    says: /error: (?:\.\/)?rtl\/limits\.vh:1: five/,
  },
  {
    name: 'a failed immediate assertion without a text',
    files: withTestbench({ check: "assert (count === 4'd1);" }),
    with: USUAL,
    expected: 'fail',
    says: /7 errors: tb\/tb\.v:\d+:/,
  },
  {
    name: '$fatal',
    files: withTestbench({ check: 'if (i === 3) $fatal(1, "enough");' }),
    with: USUAL,
    expected: 'fail',
    says: /1 error: tb\/tb\.v:\d+: enough/,
  },
  {
    name: 'FAIL and PASS, both of this run',
    files: withTestbench({
      report:
        '$display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=8 errors=0", nonce); $display("SIGNOFF_RESULT nonce=%0s verdict=FAIL checks=8 errors=1", nonce);',
    }),
    with: USUAL,
    expected: 'fail',
    says: /reports FAIL with 1 error/,
  },
  {
    name: 'a syntax error, beside a compiled simulation of an earlier day (false pass 5)',
    files: {
      ...GOOD,
      'rtl/counter.v': COUNTER.replace('endmodule', 'endmodul'),
      'sim.vvp': 'old\n',
    },
    with: USUAL,
    expected: 'fail',
    says: /errors in the sources: /,
    check: ({ events }) =>
      expect(events.map(({ file }) => file)).toContainEqual(
        expect.stringMatching(/^rtl\/counter\.v:\d+$/),
      ),
  },
  {
    name: 'a name that nothing declares',
    files: withTestbench({ check: 'nobody = 1;' }),
    with: USUAL,
    expected: 'fail',
    says: /1 error in the sources: tb\/tb\.v:\d+: error: Could not find variable/,
  },
];

const open: AdapterCase[] = [
  {
    name: '$finish before the checks (false pass 2)',
    files: withTestbench({ before: '$finish;' }),
    with: USUAL,
    expected: 'unknown',
    says: /no result line/,
  },
  {
    name: 'the design calls $finish (false pass 2)',
    files: {
      ...GOOD,
      'rtl/counter.v': COUNTER.replace(
        'endmodule',
        'initial begin repeat (3) @(posedge clk); $finish; end\nendmodule',
      ),
    },
    with: USUAL,
    expected: 'unknown',
    says: /no result line/,
  },
  {
    name: 'a testbench that tests nothing (false pass 2)',
    files: { ...GOOD, 'tb/tb.v': 'module tb;\n  initial $finish;\nendmodule\n' },
    with: USUAL,
    expected: 'unknown',
    says: /no result line/,
  },
  {
    name: 'nothing but the design (false pass 2)',
    files: { 'rtl/counter.v': COUNTER },
    with: { top: 'counter', files: ['rtl/counter.v'] },
    expected: 'unknown',
    says: /no result line/,
  },
  {
    name: '$stop before the result (false pass 3)',
    files: withTestbench({ check: 'if (i === 3) $stop;' }),
    with: USUAL,
    expected: 'unknown',
    says: /vvp exited with code 1/,
    error: 'engine_nonzero',
  },
  {
    name: 'a file that is missing among many (false pass 6)',
    files: GOOD,
    with: { ...USUAL, files: [...USUAL.files, 'rtl/gone.v'] },
    expected: 'unknown',
    says: /rtl\/gone\.v: No such file/,
  },
  {
    name: 'concurrent assertions, which the tool has not (false pass 7)',
    files: withTestbench({ beside: 'assert property (@(posedge clk) !rst);' }),
    with: USUAL,
    expected: 'unknown',
    says: /tb\/tb\.v:\d+: sorry: concurrent_assertion_item not supported/,
  },
  {
    name: 'a unique case, whose check the tool drops (false pass 7)',
    files: withTestbench({
      beside: "reg q; always @* unique case (count) 4'd0: q = 1; default: q = 0; endcase",
    }),
    with: USUAL,
    expected: 'unknown',
    says: /sorry: Case unique\/unique0 qualities are ignored/,
  },
  {
    name: 'a testbench whose module is automatic',
    files: { ...GOOD, 'tb/tb.v': testbench().replace('module tb', 'module automatic tb') },
    with: USUAL,
    expected: 'pass',
    says: /8 checks/,
  },
  {
    name: 'deferred assertions, which the tool has not (false pass 7)',
    files: withTestbench({ check: 'assert #0 (count !== 0);' }),
    with: USUAL,
    expected: 'unknown',
    says: /sorry: Deferred assertions/,
  },
  {
    name: 'an unknown value that != lets pass (false pass 8)',
    files: {
      'rtl/counter.v': UNKNOWN_COUNTER,
      'tb/tb.v': testbench({ check: 'if (count != i[3:0]) errors = errors + 1;' }),
    },
    with: USUAL,
    expected: 'unknown',
    says: /1 comparison with == or !=.*at tb\/tb\.v:23/,
  },
  {
    name: 'an unknown value that === does not let pass',
    files: { ...GOOD, 'rtl/counter.v': UNKNOWN_COUNTER },
    with: USUAL,
    expected: 'fail',
    says: /FAIL with 8 errors/,
  },
  {
    name: '== in what the testbench includes',
    files: {
      ...withTestbench({
        beside: '`include "same.vh"',
        check: 'if (!same(count, i[3:0])) errors = errors + 1;',
      }),
      'tb/same.vh': 'function same(input [3:0] a, input [3:0] b); same = a == b; endfunction\n',
    },
    with: { ...USUAL, 'include-dirs': ['tb'] },
    expected: 'unknown',
    says: /1 comparison with == or !=.*at tb\/same\.vh:1/,
  },
  {
    name: '== in comments and texts alone',
    files: withTestbench({ before: '// a == b\n/* a != b */ $display("a == b");' }),
    with: USUAL,
    expected: 'pass',
    says: /8 checks/,
  },
  {
    name: 'comparisons with !=, allowed',
    files: withTestbench({ check: 'if (count != i[3:0]) errors = errors + 1;' }),
    with: { ...USUAL, 'allow-x-optimism': true },
    expected: 'pass',
    says: /comparisons that unknown values slip through are allowed \(1 comparison\)/,
    check: ({ envelope }) =>
      expect(envelope.result).toMatchObject({
        optimistic_comparisons: 1,
        x_optimism_allowed: true,
      }),
  },
  {
    name: 'the design prints a result line of its own (false pass 10)',
    files: {
      ...GOOD,
      'rtl/counter.v': WRONG_COUNTER.replace(
        'endmodule',
        'initial begin @(posedge clk); $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=8 errors=0", "0123456789abcdef0123456789abcdef"); $finish; end\nendmodule',
      ),
    },
    with: USUAL,
    expected: 'unknown',
    says: /carries another nonce/,
  },
  {
    name: 'a result line of the design beside that of the testbench (false pass 10)',
    files: {
      ...GOOD,
      'rtl/counter.v': COUNTER.replace(
        'endmodule',
        'initial $display("SIGNOFF_RESULT verdict=PASS");\nendmodule',
      ),
    },
    with: USUAL,
    expected: 'unknown',
    says: /result line is malformed/,
  },
  {
    name: 'a testbench that does not read the nonce',
    files: { ...GOOD, 'tb/tb.v': testbench().replace('signoff_nonce=', 'another=') },
    with: USUAL,
    expected: 'unknown',
    says: /another nonce/,
  },
  {
    name: 'the result line twice',
    files: withTestbench({
      report:
        'repeat (2) $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=8 errors=0", nonce);',
    }),
    with: USUAL,
    expected: 'unknown',
    says: /2 result lines/,
  },
  {
    name: 'a result line that is printed when the simulation has ended, by whatever',
    files: withTestbench({
      beside:
        'final $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=%0d errors=0", nonce, checks);',
      check: 'if (i === 2) $finish;',
      report: '',
    }),
    with: USUAL,
    expected: 'unknown',
    says: /printed after the simulation had ended/,
  },
  {
    name: 'an error that is raised when the simulation has ended',
    files: withTestbench({ beside: 'final $error("left over");' }),
    with: USUAL,
    expected: 'fail',
    says: /left over/,
  },
  {
    name: 'a count that is unknown',
    files: withTestbench({
      check: "errors = 1'bx;",
      report:
        '$display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=%0d errors=%0d", nonce, checks, errors);',
    }),
    with: USUAL,
    expected: 'unknown',
    says: /malformed.*errors=X/,
  },
  {
    name: 'PASS with errors',
    files: withTestbench({
      report: '$display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=8 errors=2", nonce);',
    }),
    with: USUAL,
    expected: 'unknown',
    says: /PASS with 2 errors/,
  },
  {
    name: 'PASS without a check',
    files: withTestbench({ check: 'checks = 0;' }),
    with: USUAL,
    expected: 'unknown',
    says: /states 0 checks, and at least 1/,
  },
  {
    name: 'fewer checks than were asked for',
    files: GOOD,
    with: { ...USUAL, 'min-checks': 9 },
    expected: 'unknown',
    says: /states 8 checks, and at least 9/,
  },
  {
    name: 'a line that says ERROR beside PASS',
    files: withTestbench({ before: '$display("ERROR: nothing good");' }),
    with: USUAL,
    expected: 'unknown',
    says: /ERROR: nothing good/,
  },
  {
    name: 'a data file that is missing',
    files: withTestbench({ beside: 'reg [7:0] rom [0:1];', before: '$readmemh("gone.hex", rom);' }),
    with: USUAL,
    expected: 'unknown',
    says: /\$readmemh: Unable to open gone\.hex/,
  },
  {
    name: 'a listed file of which nothing is simulated',
    files: { ...GOOD, 'rtl/other.v': 'module other;\nendmodule\n' },
    with: { ...USUAL, files: ['rtl/*.v', 'tb/tb.v'] },
    expected: 'unknown',
    says: /no module of rtl\/other\.v is simulated below tb/,
  },
  {
    name: 'a testbench with a counter of its own, tested in place of the design',
    files: {
      'rtl/fast.v': WRONG_COUNTER.replace('counter', 'fast_counter'),
      'tb/tb.v': `${testbench()}\n${COUNTER}`,
    },
    with: { top: 'tb', files: ['rtl/fast.v', 'tb/tb.v'] },
    expected: 'unknown',
    says: /no module of rtl\/fast\.v/,
  },
  {
    name: 'a module that is missing',
    files: { 'tb/tb.v': testbench() },
    with: { top: 'tb', files: ['tb/tb.v'] },
    expected: 'unknown',
    says: /Unknown module type: counter/,
  },
  {
    name: 'an include file that is missing, with the errors that follow',
    files: { ...GOOD, 'rtl/counter.v': `\`include "gone.vh"\n${COUNTER.replace("4'd1", '`ONE')}` },
    with: USUAL,
    expected: 'unknown',
    says: /Include file gone\.vh not found/,
  },
  {
    name: 'a macro that is not defined, and taken for nothing',
    files: withTestbench({ before: '`MORE_CHECKS ;' }),
    with: USUAL,
    expected: 'unknown',
    says: /macro MORE_CHECKS undefined/,
  },
  {
    name: 'another top than there is',
    files: GOOD,
    with: { ...USUAL, top: 'tc' },
    expected: 'unknown',
    says: /Unable to find the root module "tc"/,
  },
  {
    name: 'a simulation without an end',
    files: withTestbench({ before: 'forever #1;' }),
    with: USUAL,
    expected: 'unknown',
    says: /did not end within 2 s/,
    error: 'engine_timeout',
    timeoutMs: 2000,
  },
];

const own = (text: string): Record<string, string> =>
  withTestbench({ report: `$display("${text}");` });

const patterns: AdapterCase[] = [
  {
    name: 'a pattern of its own',
    files: own('RESULT 8 checks, 0 errors: PASSED'),
    with: {
      ...USUAL,
      'result-pattern':
        '^RESULT (?<checks>\\d+) checks, (?<errors>\\d+) errors: (?<verdict>PASS|FAIL)ED$',
      'min-checks': 8,
    },
    expected: 'pass',
    says: /8 checks and no error; the result line is not bound to the run/,
    check: ({ envelope }) => expect(envelope.result).toMatchObject({ bound: false, checks: 8 }),
  },
  {
    name: 'a pattern without counts',
    files: own('*** PASS ***'),
    with: { ...USUAL, 'result-pattern': '\\*\\*\\* (?<verdict>PASS|FAIL) \\*\\*\\*' },
    expected: 'pass',
    says: /PASS, no number of checks/,
    check: ({ envelope }) =>
      expect(envelope.result).toMatchObject({ bound: false, checks: 1, checks_stated: false }),
  },
  {
    name: 'a pattern without counts, and checks asked for',
    files: own('*** PASS ***'),
    with: { ...USUAL, 'result-pattern': '(?<verdict>PASS|FAIL)', 'min-checks': 2 },
    expected: 'unknown',
    says: /states no number of checks, and at least 2/,
  },
  {
    name: 'a pattern that finds FAIL',
    files: own('*** FAIL ***'),
    with: { ...USUAL, 'result-pattern': '(?<verdict>PASS|FAIL)' },
    expected: 'fail',
    says: /reports FAIL; the result line is not bound/,
  },
  {
    name: 'a pattern that finds two lines',
    files: own('PASS\\nPASS'),
    with: { ...USUAL, 'result-pattern': '(?<verdict>PASS|FAIL)' },
    expected: 'unknown',
    says: /2 result lines/,
  },
  {
    name: 'a pattern whose verdict is neither',
    files: own('ALL GOOD'),
    with: { ...USUAL, 'result-pattern': 'ALL (?<verdict>GOOD|BAD)' },
    expected: 'unknown',
    says: /states no PASS or FAIL/,
  },
  {
    name: 'a pattern that finds nothing',
    files: own('done'),
    with: { ...USUAL, 'result-pattern': '(?<verdict>PASS|FAIL)' },
    expected: 'unknown',
    says: /no result line/,
  },
  {
    name: 'a pattern that is none',
    files: GOOD,
    with: { ...USUAL, 'result-pattern': '(?<verdict>PASS' },
    expected: 'unknown',
    says: /`result-pattern`: it is no regular expression/,
    error: 'invalid_arguments',
  },
  {
    name: 'a pattern without a verdict',
    files: GOOD,
    with: { ...USUAL, 'result-pattern': 'PASS' },
    expected: 'unknown',
    says: /`result-pattern`: it has no group `verdict`/,
    error: 'invalid_arguments',
  },
  {
    name: 'a pattern that backtracks without end',
    files: own(`${'a'.repeat(60)}!`),
    with: { ...USUAL, 'result-pattern': '^(a+)+(?<verdict>PASS)$' },
    expected: 'unknown',
    says: /`result-pattern`: it backtracks without end/,
    error: 'invalid_arguments',
  },
];

const tools: AdapterCase[] = [
  {
    name: 'the tool is missing',
    files: GOOD,
    with: USUAL,
    arrange: (room) => ({ ...room, searchPath: room.bin }),
    expected: 'unknown',
    says: /`iverilog`, which iverilog-sim needs, is not here.*apt-get install iverilog/,
    error: 'engine_not_found',
  },
  {
    name: 'the simulator is killed',
    files: GOOD,
    with: USUAL,
    arrange: replaced('vvp', unlessVersion('vvp', 'kill -9 $$')),
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'the compiler is killed',
    files: GOOD,
    with: USUAL,
    arrange: replaced('iverilog', unlessVersion('iverilog', 'kill -9 $$')),
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'the compiler crashes',
    files: GOOD,
    with: USUAL,
    arrange: replaced(
      'iverilog',
      unlessVersion('iverilog', 'echo "ivl: elab.cc:1: Assertion failed." >&2; exit 134'),
    ),
    expected: 'unknown',
    says: /iverilog exited with code 134/,
    error: 'engine_nonzero',
  },
  {
    name: 'the compiler ends well and writes nothing',
    files: GOOD,
    with: USUAL,
    arrange: replaced('iverilog', unlessVersion('iverilog', 'exit 0')),
    expected: 'unknown',
    says: /sim\.vvp (?:was not written|is not there)/,
    error: 'output_unparsable',
  },
  {
    name: 'the simulator prints the result of another day',
    files: {
      ...GOOD,
      'old.log':
        'SIGNOFF_RESULT nonce=0123456789abcdef0123456789abcdef verdict=PASS checks=8 errors=0\n',
    },
    with: USUAL,
    arrange: replaced('vvp', unlessVersion('vvp', 'cat old.log')),
    expected: 'unknown',
    says: /another nonce/,
  },
  {
    name: 'a version that tells of $finish, called before the result (false pass 11)',
    files: GOOD,
    with: USUAL,
    arrange: replaced(
      'vvp',
      unlessVersion(
        'vvp',
        '/usr/bin/vvp "$@" | sed \'s|^SIGNOFF_RESULT|tb/tb.v:9: $finish called at 5 (1s)\\n&|\'',
      ),
    ),
    expected: 'unknown',
    says: /printed after \$finish was called/,
  },
  {
    name: 'another version, which is told',
    files: GOOD,
    with: USUAL,
    arrange: replaced(
      'iverilog',
      '[ "$1" = -V ] && echo "Icarus Verilog version 10.3 (stable) ()" && exit\nexec /usr/bin/iverilog "$@"',
    ),
    expected: 'pass',
    says: /8 checks/,
    check: ({ envelope }) => {
      expect(envelope.provenance.maturity).toBe('structured');
      expect(envelope.provenance.limitations.join(' ')).toContain('iverilog is 10.3');
    },
  },
  {
    name: 'a file name that would be an option',
    files: GOOD,
    with: { ...USUAL, files: ['-tnull', 'tb/tb.v'] },
    expected: 'unknown',
    says: /parameter `files`/,
    error: 'invalid_arguments',
  },
  {
    name: 'a file name that would be two',
    files: GOOD,
    with: { ...USUAL, files: ['rtl/counter.v\ntb/tb.v'] },
    expected: 'unknown',
    says: /cannot be given the path|parameter `files`/,
    error: 'invalid_arguments',
  },
  {
    name: 'a plusarg that would be the nonce',
    files: GOOD,
    with: { ...USUAL, plusargs: ['signoff_nonce=mine'] },
    expected: 'unknown',
    says: /\+signoff_nonce is the gate's own/,
    error: 'invalid_arguments',
  },
];

adapterCases('iverilog-sim', [...good, ...bad, ...open, ...patterns, ...tools]);

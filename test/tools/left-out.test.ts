import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';
import { PIPE, PIPE_SDC, TIMED_CELLS } from './designs/timed-designs.ts';

/** What a tool leaves out or takes the wrong way without a word: never a pass. */

const CELLS = readFileSync(join(import.meta.dirname, 'designs/cells.lib'), 'utf8');

const formal = (name: string, source: string, says: RegExp): AdapterCase => ({
  name,
  files: { 'rtl/top.sv': source },
  with: { top: 'top', files: ['rtl/top.sv'], depth: 5 },
  expected: 'unknown',
  says,
});
const REGISTER = `module top(input clk);
  reg q = 0;
  always @(posedge clk) q <= 1;
  always @* ok: assert (q == 0 || q == 1);
`;
const BAD = 'module chk(input q);\n  always @* bad: assert (q == 0);\nendmodule\n';
const ONE_NET = (first: string, second: string, value: number): string =>
  `module top(input a);
  wire p;
  assign p = ${first};
  assign p = ${second};
  always @* lp: assert (p == ${value});
endmodule
`;

const lost: AdapterCase[] = [
  formal(
    'properties that are bound to the design',
    `${REGISTER}endmodule\n${BAD}bind top chk u(.q(q));\n`,
    /rtl\/top\.sv:9 binds a module/,
  ),
  formal(
    'properties of a module that nothing instantiates',
    `${REGISTER}endmodule\n${BAD}`,
    /the properties of chk \(rtl\/top\.sv:6\) are not below the top/,
  ),
  formal(
    'properties of a black box',
    `${REGISTER}  chk u(.q(q));\nendmodule\n(* blackbox *) ${BAD}`,
    /the properties of chk/,
  ),
  formal(
    'properties where translation is switched off',
    `${REGISTER}  // synopsys translate_off\n  always @* bad: assert (q == 0);\n  // synopsys translate_on\nendmodule\n`,
    /rtl\/top\.sv:5 switches translation off/,
  ),
  formal('a net that 0 and an input drive', ONE_NET("1'b0", 'a', 0), /assigned twice/),
  formal('a net that an input and 1 drive', ONE_NET('a', "1'b1", 1), /assigned twice/),
  formal('a net that 1 and 0 drive', ONE_NET("1'b1", "1'b0", 1), /assigned twice/),
  {
    name: 'an instance with parameters has its properties seen',
    files: {
      'rtl/top.sv': `${REGISTER}  chk #(.W(3)) u(.q(q));\nendmodule
module chk #(parameter W = 1)(input q);
  always @* known: assert (q == 0 || q == 1);
endmodule
`,
    },
    with: { top: 'top', files: ['rtl/top.sv'], depth: 5 },
    expected: 'pass',
    says: /2 asserts hold/,
  },
];

const RTL = `module top(input clk, input a, input d, output reg q);
  always @(posedge clk) q <= a & d;
endmodule
`;
const NETLIST = `module top(clk, a, d, q);
  input clk, a, d;
  output q;
  wire n, y;
  NAND2 u1 (.A(a), .B(d), .Y(n));
  INV u2 (.A(n), .Y(y));
  DFF r (.CK(clk), .D(y), .Q(q));
`;
const equivalence = (
  name: string,
  more: string,
  outcome: Pick<AdapterCase, 'expected' | 'says'>,
): AdapterCase => ({
  name,
  files: {
    'rtl/top.v': RTL,
    'build/top.v': `${NETLIST}${more}endmodule\n`,
    'lib/cells.lib': CELLS,
  },
  with: { top: 'top', files: ['rtl/top.v'], netlist: 'build/top.v', liberty: 'lib/cells.lib' },
  ...outcome,
});
const shorted = { expected: 'unknown', says: / drives what .* drives/ } as const;
const tied: AdapterCase[] = [
  equivalence('the netlist as it is', '', { expected: 'pass', says: /proven equal/ }),
  equivalence('a tie cell on the clock', '  TIEHI t1 (.Y(clk));\n', shorted),
  equivalence('a tie cell on an input', '  TIELO t1 (.Y(a));\n', shorted),
  equivalence('a tie cell on what another cell drives', '  TIELO t1 (.Y(n));\n', shorted),
  {
    name: 'sources that bind a module',
    files: {
      'rtl/top.v': `${RTL}module chk(input q);\nendmodule\nbind top chk u(.q(q));\n`,
      'build/top.v': `${NETLIST}endmodule\n`,
      'lib/cells.lib': CELLS,
    },
    with: { top: 'top', files: ['rtl/top.v'], netlist: 'build/top.v', liberty: 'lib/cells.lib' },
    expected: 'unknown',
    says: /rtl\/top\.v:6 binds a module/,
  },
];

const timing = (name: string, netlist: string, says: RegExp): AdapterCase => ({
  name,
  files: { 'build/pipe.v': netlist, 'sta/pipe.sdc': PIPE_SDC, 'lib/cells.lib': TIMED_CELLS },
  with: { top: 'pipe', netlist: 'build/pipe.v', sdc: 'sta/pipe.sdc', liberty: ['lib/*.lib'] },
  expected: 'unknown',
  says,
});
const inPipe = (more: string): string => PIPE.replace('endmodule', `${more}\nendmodule`);
const contended: AdapterCase[] = [
  timing(
    'a module that the netlist defines twice',
    `${PIPE}module pipe (clk, a, b, y);\n  input clk, a, b;\n  output y;\n  BUF x (.A(a), .Y(y));\nendmodule\n`,
    /build\/pipe\.v defines the module pipe twice/,
  ),
  timing(
    'a net that two cells drive',
    inPipe('  INV x (.A(qa), .Y(n));'),
    /whose net has several drivers/,
  ),
  timing(
    'an input that a cell drives as well',
    inPipe('  BUF x (.A(qb), .Y(a));'),
    /whose net has several drivers/,
  ),
  timing(
    'an output that an input drives as well',
    inPipe('  assign y = a;'),
    /whose net has several drivers|assign/,
  ),
];

/** A design whose assertion fails, and a testbench that checks something else. */
const simulation = (
  name: string,
  assertion: string,
  outcome: Pick<AdapterCase, 'expected' | 'says'>,
): AdapterCase => ({
  name,
  files: {
    'rtl/unit.sv': `module unit(input [3:0] x, output [3:0] y);
  assign y = x;
  always @* if (x == 3) begin
    ${assertion}
  end
endmodule
`,
    'tb/tb.sv': `module tb;
  reg [3:0] x = 0;
  wire [3:0] y;
  reg [255:0] nonce;
  unit u(.x(x), .y(y));
  initial begin
    if (!$value$plusargs("signoff_nonce=%s", nonce)) nonce = "none";
    #1 x = 3;
    #1 if (y === 3) $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=1 errors=0", nonce);
    $finish;
  end
endmodule
`,
  },
  with: { top: 'tb', files: ['tb/tb.sv', 'rtl/unit.sv'] },
  ...outcome,
});
const quiet: AdapterCase[] = [
  simulation('an assertion that holds', 'assert (y == 3) else $error("no");', {
    expected: 'pass',
    says: /1 check/,
  }),
  simulation('an assertion that fails with an error', 'assert (y == 4) else $error("no");', {
    expected: 'fail',
    says: /error/,
  }),
  simulation('one that fails with a text', 'assert (y == 4) else $display("quiet");', {
    expected: 'unknown',
    says: /the assertion at rtl\/unit\.sv:4 has an action of its own/,
  }),
  simulation('one that fails with nothing', 'assert (y == (4)) else ;', {
    expected: 'unknown',
    says: /has an action of its own/,
  }),
];

adapterCases('iverilog-sim', quiet);
adapterCases('verilator-sim', quiet.slice(2, 3));
adapterCases('yosys-formal', lost);
adapterCases('yosys-equiv', tied);
adapterCases('opensta', contended);
adapterCases('yosys-synth', [
  {
    name: 'sources that bind a module',
    files: {
      'rtl/top.v': `${RTL}module chk(input q);\nendmodule\nbind top chk u(.q(q));\n`,
      'lib/cells.lib': CELLS,
    },
    with: { top: 'top', files: ['rtl/top.v'], netlist: 'build/top.v', liberty: 'lib/cells.lib' },
    expected: 'unknown',
    says: /binds a module/,
  },
]);

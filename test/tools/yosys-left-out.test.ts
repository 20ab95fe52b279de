import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';

/** What Yosys leaves out or takes for something else without an error: never a pass. */

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
    /the property at rtl\/top\.sv:7 is not in the model/,
  ),
  formal(
    'properties of a black box',
    `${REGISTER}  chk u(.q(q));\nendmodule\n(* blackbox *) ${BAD}`,
    /the property at rtl\/top\.sv:8 is not in the model/,
  ),
  formal(
    'properties where translation is switched off',
    `${REGISTER}  // synopsys translate_off\n  always @* bad: assert (q == 0);\n  // synopsys translate_on\nendmodule\n`,
    /rtl\/top\.sv:5 switches translation off/,
  ),
  formal(
    'a property that a macro leaves out',
    `${REGISTER}\`ifdef CHECK_ALL\n  always @* bad: assert (q == 0);\n\`endif\nendmodule\n`,
    /the property at rtl\/top\.sv:6 is not in the model/,
  ),
  formal(
    'a property that a generate leaves out',
    `${REGISTER}  parameter W = 1;\n  if (W > 1) begin always @* bad: assert (q == 0); end\nendmodule\n`,
    /the property at rtl\/top\.sv:6 is not in the model/,
  ),
  formal(
    'a property of a loop that has no round',
    `${REGISTER}  genvar i;\n  for (i = 0; i < 0; i = i + 1) begin : g always @* assert (q == i); end\nendmodule\n`,
    /the property at rtl\/top\.sv:6 is not in the model/,
  ),
  formal(
    'a property by a macro in a module that nothing instantiates',
    `\`define ASSERT(n, e) always @* n: assert (e)\n${REGISTER}endmodule\nmodule chk(input q);\n  \`ASSERT(bad, q == 0);\nendmodule\n`,
    /the property at rtl\/top\.sv:8 is not in the model/,
  ),
  {
    ...formal(
      'properties that are left out and may be: by line and by label',
      `${REGISTER}\`ifdef NEVER\n  always @* bad: assert (q == 0);\n  always @*\n    assert (q == 0);\n\`endif\nendmodule\n`,
      /1 assert hold/,
    ),
    with: {
      top: 'top',
      files: ['rtl/top.sv'],
      depth: 5,
      'allow-unreached': ['bad', 'rtl/top.sv:8'],
    },
    expected: 'pass',
  },
  {
    ...formal(
      'properties over several lines, by macros and in loops are all seen',
      `\`define ASSERT(n, e) always @* n: assert (e)
\`define CHECK(e) \\
  always @* \\
    assert (e);
${REGISTER}  \`ASSERT(one, q == 0 || q == 1);
  \`CHECK(q == 0 ||
    q == 1)
  genvar i;
  for (i = 0; i < 3; i = i + 1) begin : g
    always @* begin
      assert (q == 0 ||
        q == 1);
      assert (q < 2); assert (q < 3);
    end
  end
endmodule
`,
      /12 asserts hold/,
    ),
    expected: 'pass',
  },
  formal(
    'a name of another module, which becomes one bit',
    `module dut(input clk);\n  reg [3:0] cnt = 0;\n  always @(posedge clk) cnt <= cnt + 1;\nendmodule
module top(input clk);\n  dut dut(.clk(clk));\n  always @(posedge clk) a: assert (dut.cnt < 10);\nendmodule\n`,
    /rtl\/top\.sv:7 uses dut\.cnt, which is declared nowhere/,
  ),
  formal(
    'a name that is misspelt',
    'module top(input clk, input [3:0] count);\n  always @* assume (count < 9);\n  always @* a: assert (cuont < 10);\nendmodule\n',
    /uses cuont, which is declared nowhere/,
  ),
  formal(
    'dimensions of a type of its own',
    `module top(input [3:0] d);\n  typedef logic [3:0] nib_t;\n  nib_t [1:0] x;\n  always_comb begin x[0] = d; x[1] = 0; end
  always_comb a: assert (x[0] < 10);\nendmodule\n`,
    /rtl\/top\.sv:3 gives dimensions to a type of its own/,
  ),
  formal(
    'a negative value of an enum without a type',
    `module top(input s);\n  typedef enum {A = -1, B = 0} e;\n  e x;\n  always_comb x = s ? A : B;\n  always_comb a: assert (!(x < 0));\nendmodule\n`,
    /rtl\/top\.sv:2 has a negative value in an enum without a type/,
  ),
  formal(
    'z, which is taken for 0',
    "module top(input en, output y);\n  assign y = en ? 1'b1 : 1'bz;\n  always @* b: assert (en || y == 0);\nendmodule\n",
    /give z/,
  ),
  formal(
    'z of a module below',
    "module low(input en, output y);\n  assign y = en ? 1'b1 : 1'bz;\nendmodule\nmodule top(input en, output y);\n  low l(en, y);\n  always @* b: assert (en || y == 0);\nendmodule\n",
    /give z/,
  ),
  formal(
    'an inout, which the outside may drive',
    'module top(input o, inout io);\n  assign io = o;\n  always @* b: assert (io == o);\nendmodule\n',
    /io is an inout/,
  ),
  formal(
    'a cover under a clock that never ticks, since logic keeps it from it',
    `module top(input clk, input en, input d);
  wire g = clk & en;
  reg q = 0;
  always @(posedge g) q <= d;
  always @* assume (!en);
  always @* c: cover (q);
  always @* a: assert (q == 0 || q == 1);
endmodule
`,
    /a clock that logic makes/,
  ),
  {
    ...formal(
      'a clock by way of an instance, at its falling edge',
      `module low(input clk, input d, output reg q);
  initial q = 0;
  always @(negedge clk) q <= d;
  always @(negedge clk) a: assert (q == 0 || q == 1);
endmodule
module top(input ck, input d, output q);
  wire c = ck;
  low l(.clk(c), .d(d), .q(q));
endmodule
`,
      /1 assert hold/,
    ),
    expected: 'pass',
  },
  formal(
    'a property under a clock that is a constant',
    "module top(input d, output reg q);\n  wire clk = 1'b0;\n  always @(posedge clk) q <= d;\n  always @(posedge clk) c: assert (q == 1);\nendmodule\n",
    /under a clock that is a constant/,
  ),
  formal(
    'a property of an instance under a clock that is a constant',
    "module low(input clk, input d);\n  reg q;\n  always @(posedge clk) q <= d;\n  always @(posedge clk) c: assert (q == 1);\nendmodule\nmodule top(input d);\n  low l(.clk(1'b0), .d(d));\nendmodule\n",
    /under a clock that is a constant/,
  ),
  {
    ...formal(
      'a table with values that do not matter',
      `module top(input [3:0] s, output reg [3:0] y);
  always @* case (s)
    0: y = 5; 1: y = 3; 2: y = 1; 3: y = 7; 4: y = 9; 5: y = 2; 6: y = 4; 7: y = 8; 8: y = 6; 9: y = 0;
    default: y = 4'bx;
  endcase
  always @* a: assert (s > 9 || y < 10);
endmodule
`,
      /1 assert hold/,
    ),
    expected: 'pass',
  },
  {
    ...formal(
      'a table whose values that do not matter are looked at',
      `module top(input [3:0] s, output reg [3:0] y);
  always @* case (s)
    0: y = 5; 1: y = 3; 2: y = 1; 3: y = 7; 4: y = 9; 5: y = 2; 6: y = 4; 7: y = 8; 8: y = 6; 9: y = 0;
    default: y = 4'bx;
  endcase
  always @* a: assert (y < 10);
endmodule
`,
      /there fails: a/,
    ),
    expected: 'fail',
  },
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

const synthesis = (
  name: string,
  source: string,
  outcome: Pick<AdapterCase, 'expected' | 'says'>,
  liberty = CELLS,
): AdapterCase => ({
  name,
  files: { 'rtl/top.sv': source, 'lib/cells.lib': liberty },
  with: { top: 'top', files: ['rtl/top.sv'], netlist: 'build/top.v', liberty: 'lib/cells.lib' },
  ...outcome,
});
const TYPED = `module top(input clk, input [7:0] i, output [7:0] y);
  typedef logic [3:0] nib_t;
  nib_t [1:0] x;
  always_ff @(posedge clk) x <= i;
  assign y = {x[0], x[1]};
endmodule
`;
const STRUCTS = `module top(input clk, input [7:0] i, output [7:0] y);
  typedef struct packed {logic [3:0] a; logic [3:0] b;} st;
  st s[1];
  always_ff @(posedge clk) begin s[0].a <= i[3:0]; s[0].b <= i[7:4]; end
  assign y = {s[0].a, s[0].b};
endmodule
`;
const DONT_USE = (cell: string): string =>
  CELLS.replace(new RegExp(`cell \\(${cell}\\) \\{`), (found) => `${found} dont_use : true;`);
const misread = { expected: 'unknown', says: /gives dimensions to a type/ } as const;
const undeclared = { expected: 'unknown', says: /uses s\[0\]\.a, which is declared/ } as const;
const synthesized: AdapterCase[] = [
  synthesis('dimensions of a type of its own', TYPED, misread),
  synthesis('a member of an array of structs', STRUCTS, undeclared),
  synthesis(
    'a name of another module',
    `module low(input clk);\n  reg [3:0] cnt;\n  always @(posedge clk) cnt <= cnt + 1;\nendmodule
module top(input clk, output y);\n  low low(clk);\n  assign y = low.cnt == 4'd8;\nendmodule\n`,
    { expected: 'unknown', says: /uses low\.cnt, which is declared nowhere/ },
  ),
  synthesis(
    'a loop through a memory that is read at once',
    `module top(input clk, input we, input i, input d, output y);
  reg m [0:1];
  always @(posedge clk) if (we) m[i] <= d;
  wire a = m[a ^ i];
  assign y = a;
endmodule
`,
    { expected: 'fail', says: /found logic loop/ },
  ),
  synthesis(
    'a memory that is read and never written',
    'module top(input a, input b, output [1:0] y, output z);\n  reg [1:0] m [0:3];\n  assign y = m[{a, b}];\n  assign z = a & b;\nendmodule\n',
    { expected: 'unknown', says: /without a value/ },
  ),
  synthesis(
    'a tie cell that is not to be used: a constant stays one',
    "module top(input a, output y, output z);\n  assign y = ~a;\n  assign z = 1'b0;\nendmodule\n",
    { expected: 'pass', says: /1 cell of/ },
    DONT_USE('TIELO'),
  ),
  {
    ...synthesis(
      'a latch that is not to be used',
      'module top(input e, input d, output reg q);\n  always @* if (e) q = d;\nendmodule\n',
      { expected: 'fail', says: /no cell of the Liberty file stands for \$_DLATCH_P_/ },
      DONT_USE('LATCH'),
    ),
    with: {
      top: 'top',
      files: ['rtl/top.sv'],
      netlist: 'build/top.v',
      liberty: 'lib/cells.lib',
      'allow-latches': true,
    },
  },
];

const DFFSR = (both: string, second = ''): string =>
  CELLS.replace(
    /cell \(DFF\) \{/,
    (found) => `cell (DFFSR) { area : 9;
    ff (IQ, IQN) { clocked_on : "CK"; next_state : "D"; clear : "!RN"; preset : "!SN"; ${both} ${second} }
    pin (CK) { direction : input; } pin (D) { direction : input; }
    pin (RN) { direction : input; } pin (SN) { direction : input; }
    pin (Q) { direction : output; function : "IQ"; } }
  ${found}`,
  );
const setAndCleared = (
  name: string,
  liberty: string,
  outcome: Pick<AdapterCase, 'expected' | 'says'>,
): AdapterCase => ({
  name,
  files: {
    'rtl/top.v': `module top(input clk, input rn, input sn, input d, output reg q);
  always @(posedge clk or negedge rn or negedge sn)
    if (!rn) q <= 0; else if (!sn) q <= 1; else q <= d;
endmodule
`,
    'build/top.v': `module top(clk, rn, sn, d, q);
  input clk, rn, sn, d;
  output q;
  DFFSR u (.CK(clk), .D(d), .RN(rn), .SN(sn), .Q(q));
endmodule
`,
    'lib/cells.lib': liberty,
  },
  with: { top: 'top', files: ['rtl/top.v'], netlist: 'build/top.v', liberty: 'lib/cells.lib' },
  ...outcome,
});
const unmodelled = { expected: 'unknown', says: /uses DFFSR, which .*no model/ } as const;
const both: AdapterCase[] = [
  setAndCleared(
    'a register that is cleared where it is set and cleared',
    DFFSR('clear_preset_var1 : L; clear_preset_var2 : H;'),
    { expected: 'pass', says: /proven equal/ },
  ),
  setAndCleared(
    'a register that is set where it is set and cleared',
    DFFSR('clear_preset_var1 : H; clear_preset_var2 : L;'),
    unmodelled,
  ),
  setAndCleared('a register that is anything where it is set and cleared', DFFSR(''), unmodelled),
  setAndCleared(
    'a register with two clocks',
    DFFSR('clear_preset_var1 : L; clear_preset_var2 : H;', 'clocked_on_also : "!CK";'),
    unmodelled,
  ),
  {
    name: 'a netlist that is another one to another tool',
    files: {
      'rtl/top.v': RTL,
      'build/top.v': `${NETLIST}\`ifdef SYNTHESIS\n\`else\n  INV u3 (.A(q), .Y(q));\n\`endif\nendmodule\n`,
      'lib/cells.lib': CELLS,
    },
    with: { top: 'top', files: ['rtl/top.v'], netlist: 'build/top.v', liberty: 'lib/cells.lib' },
    expected: 'unknown',
    says: /holds `ifdef/,
  },
];

adapterCases('yosys-formal', lost);
adapterCases('yosys-equiv', [...tied, ...both]);
adapterCases('yosys-synth', [
  ...synthesized,
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

import { type AdapterCase, adapterCases } from './adapter-cases.ts';
import { PIPE, PIPE_SDC, PIPE_SPEF, TIMED_CELLS } from './designs/timed-designs.ts';

/** What a tool leaves out or takes the wrong way without a word: never a pass. */

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
const SLOW = TIMED_CELLS.replaceAll('values ("1")', 'values ("50")').replace(
  'timed_cells',
  'slow_cells',
);
const corners = (name: string, files: Readonly<Record<string, string>>, says: RegExp) => ({
  name,
  files: { 'build/pipe.v': PIPE, 'sta/pipe.sdc': PIPE_SDC, ...files },
  with: { top: 'pipe', netlist: 'build/pipe.v', sdc: 'sta/pipe.sdc', liberty: ['lib/*.lib'] },
  expected: 'unknown' as const,
  says,
});
const extracted = (
  name: string,
  spef: string,
  outcome: Pick<AdapterCase, 'expected' | 'says'>,
): AdapterCase => ({
  name,
  files: {
    'build/pipe.v': PIPE,
    'build/pipe.spef': spef,
    'sta/pipe.sdc': PIPE_SDC,
    'lib/cells.lib': TIMED_CELLS,
  },
  with: {
    top: 'pipe',
    netlist: 'build/pipe.v',
    spef: 'build/pipe.spef',
    sdc: 'sta/pipe.sdc',
    liberty: ['lib/cells.lib'],
  },
  ...outcome,
});
const NET_N = PIPE_SPEF.slice(PIPE_SPEF.indexOf('*D_NET n'), PIPE_SPEF.indexOf('*D_NET y'));
const timed: AdapterCase[] = [
  corners(
    'cells of two corners: the last file would count',
    { 'lib/cells_ss.lib': SLOW, 'lib/cells_tt.lib': TIMED_CELLS },
    /lib\/cells_tt\.lib defines the cell INV, as lib\/cells_ss\.lib does/,
  ),
  corners(
    'a cell twice in one library',
    {
      'lib/cells.lib': TIMED_CELLS.replace(
        /cell \(INV\) \{[\s\S]*?(?=\n\s*cell \()/,
        (cell) => `${cell}\n${cell}`,
      ),
    },
    /lib\/cells\.lib defines the cell INV twice/,
  ),
  extracted('parasitics that are whole', PIPE_SPEF, { expected: 'pass', says: /setup met/ }),
  extracted(
    'parasitics by numbers, with another divider and delimiter',
    PIPE_SPEF.replace('*DIVIDER /', '*DIVIDER .')
      .replace('\n\n', '\n\n*NAME_MAP\n*1 ra\n*2 n\n\n')
      .replaceAll('ra:', '*1:')
      .replace('*D_NET n', '*D_NET *2'),
    { expected: 'pass', says: /setup met/ },
  ),
  extracted('parasitics without resistors', PIPE_SPEF.replace(/\*RES\n(?:\d.*\n)+/g, ''), {
    expected: 'unknown',
    says: /9 loads that the SPEF file does not connect/,
  }),
  extracted(
    'a load that the parasitics leave out',
    PIPE_SPEF.replace('*I rb:CK I\n', '').replace('2 clk rb:CK 2\n', ''),
    { expected: 'unknown', says: /1 load that the SPEF file does not connect .*\(rb\/CK\)/ },
  ),
  extracted('a net that the parasitics describe twice', `${PIPE_SPEF}\n${NET_N}`, {
    expected: 'unknown',
    says: /build\/pipe\.spef describes the net n twice/,
  }),
];

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

const MACROS = '`define A assert\n`define ASSERT(name, e) assert (e)\n';
const QUIET = '`define QUIET(e) \\\n  assert (e) else \\\n    $display("quiet");\n';
/** Unless the case has some already. */
function withMacros(macros: string, one: AdapterCase): AdapterCase {
  return { ...one, files: { 'rtl/macro.sv': macros, ...one.files } };
}
const elsewhere: AdapterCase[] = [
  simulation(
    'one that fails with an error behind begin',
    'assert (y == 3) else begin $error("no"); end',
    {
      expected: 'pass',
      says: /1 check/,
    },
  ),
  {
    ...simulation('one by a macro that fails with a text', '`A (y == 4) else $display("quiet");', {
      expected: 'unknown',
      says: /has an action of its own/,
    }),
    with: { top: 'tb', files: ['tb/tb.sv', 'rtl/macro.sv', 'rtl/unit.sv'] },
  },
  {
    ...simulation('one by a macro that has no end of its own', '`ASSERT(three, y == 3);', {
      expected: 'pass',
      says: /1 check/,
    }),
    with: { top: 'tb', files: ['tb/tb.sv', 'rtl/macro.sv', 'rtl/unit.sv'] },
  },
  {
    ...withMacros(
      QUIET,
      simulation('one by a macro that fails with a text by itself', '`QUIET(y == 4)', {
        expected: 'unknown',
        says: /the assertion at rtl\/macro\.sv:2 has an action of its own/,
      }),
    ),
    with: { top: 'tb', files: ['tb/tb.sv', 'rtl/macro.sv', 'rtl/unit.sv'] },
  },
  simulation(
    'one behind a string over two lines',
    '$display("a \\\n b"); assert (y == 4) else $display("quiet");',
    { expected: 'unknown', says: /has an action of its own/ },
  ),
].map((one) => withMacros(MACROS, one));
const unchecked = simulation(
  'branches with priority of which none is taken',
  "priority case (x) 4'd1: ; 4'd2: ; endcase",
  { expected: 'unknown', says: /the branches at rtl\/unit\.sv:4 .* does not check/ },
);
const TB_OF_CHECKS = `\`define F "chk.vh"
module tb;
  reg [255:0] nonce;
  integer errors = 0;
  wire [3:0] y;
  unit u(.y(y));
  \`include \`F
  initial begin
    if (!$value$plusargs("signoff_nonce=%s", nonce)) nonce = "none";
    #1 check(4'd3);
    if (errors === 0) $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=1 errors=0", nonce);
    $finish;
  end
endmodule
`;
const optimistic: AdapterCase = {
  name: 'a comparison that x slips through, in a file that a macro names',
  files: {
    'rtl/unit.sv': "module unit(output [3:0] y);\n  assign y = 4'bx011;\nendmodule\n",
    'tb/tb.sv': TB_OF_CHECKS,
    'tb/chk.vh': 'task check(input [3:0] e);\n  if (y != e) errors = errors + 1;\nendtask\n',
  },
  with: { top: 'tb', files: ['tb/tb.sv', 'rtl/unit.sv'], 'include-dirs': ['tb'] },
  expected: 'unknown',
  says: /1 comparison with == or !=.* at tb\/chk\.vh:2/,
};

const lint = (
  name: string,
  files: Readonly<Record<string, string>>,
  says: RegExp,
  more: Partial<AdapterCase> = {},
): AdapterCase => ({
  name,
  files,
  with: { top: 'top', files: Object.keys(files).filter((file) => file.startsWith('rtl/')) },
  expected: 'unknown',
  says,
  ...more,
});
const CASES = (comment: string): string => `module top(input [3:0] a, output [3:0] y);
  reg [3:0] q;
  always @*
    case (a) ${comment}
      4'd1: q = 2;
    endcase
  assign y = q;
endmodule
`;
const UNDRIVEN = (comment: string): string => `module top(input [3:0] a, output [3:0] y ${comment});
  wire unused_a = &a;
endmodule
`;
const exempt: AdapterCase[] = [
  lint(
    'a case that is called full',
    { 'rtl/top.v': CASES('// verilator full_case') },
    /FULL_CASE@rtl\/top\.v:4/,
  ),
  lint(
    'a case that is called full, in a configuration',
    {
      'rtl/top.v': CASES(''),
      'rtl/full.vlt': '`verilator_config\nfull_case -file "*top.v" -lines 4\n',
    },
    /FULL_CASE@rtl\/full\.vlt:2/,
  ),
  lint(
    'an output that is public',
    { 'rtl/top.v': UNDRIVEN('/*verilator public*/') },
    /PUBLIC@rtl\/top\.v:1/,
  ),
  lint(
    'an output that is public and may be',
    { 'rtl/top.v': UNDRIVEN('/*verilator public_flat*/') },
    /1 waiver/,
    {
      with: { top: 'top', files: ['rtl/top.v'], 'allow-waivers': ['PUBLIC_FLAT'] },
      expected: 'pass',
    },
  ),
  lint(
    'text that this tool does not see',
    {
      'rtl/top.v':
        "module top(input [3:0] a, output [3:0] y);\n`ifndef VERILATOR\n  assign y = a + 8'd1;\n`else\n  assign y = a;\n`endif\nendmodule\n",
    },
    /VERILATOR@rtl\/top\.v:2/,
  ),
  lint(
    'a configuration that is put together by macros',
    {
      'rtl/top.v':
        "module top(input [3:0] a, output [3:0] y);\n  assign y = a + 8'd1;\nendmodule\n",
      'rtl/x.vlt': '`define L lint``_off\n`verilator_config\n`L -rule WIDTH\n',
    },
    /waivers? not named in allow-waivers: .*rtl\/x\.vlt/,
  ),
  lint(
    'an included file by the name of one of the tool itself',
    {
      'rtl/top.v':
        '`include "verilated_std.sv"\nmodule top(input [3:0] a, output [3:0] y);\n  assign y = a + 8\'d1;\nendmodule\n',
      'verilated_std.sv': '/*verilator lint_off WIDTH*/\n',
    },
    /WIDTH@verilated_std\.sv:1/,
  ),
  lint(
    'a configuration that names a module',
    {
      'rtl/top.v': 'module top(input a, output y);\n  assign y = a;\nendmodule\n',
      'rtl/x.vlt': '`verilator_config\nno_inline -module "top"\n',
    },
    /no warning/,
    { expected: 'pass' },
  ),
  lint(
    'a comment that says that something is public',
    {
      'rtl/top.v':
        '// public domain; a full_case is not in it\nmodule top(input a, output y);\n  assign y = a;\nendmodule\n',
    },
    /no warning/,
    { expected: 'pass' },
  ),
];

adapterCases('iverilog-sim', [...quiet, ...elsewhere.slice(0, -1), unchecked, optimistic]);
adapterCases('verilator-sim', [...quiet.slice(2, 3), ...elsewhere]);
adapterCases('verilator-lint', exempt);
adapterCases('opensta', [...contended, ...timed]);

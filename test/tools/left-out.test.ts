import { type AdapterCase, adapterCases } from './adapter-cases.ts';
import { PIPE, PIPE_SDC, TIMED_CELLS } from './designs/timed-designs.ts';

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
adapterCases('opensta', contended);

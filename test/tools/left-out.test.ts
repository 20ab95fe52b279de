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

adapterCases('iverilog-sim', quiet);
adapterCases('verilator-sim', quiet.slice(2, 3));
adapterCases('opensta', [...contended, ...timed]);

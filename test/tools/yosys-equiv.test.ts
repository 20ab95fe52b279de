import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, type EngineRoom, engineRoom, writeProgram } from '../support/engine-room.ts';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';

const CELLS = readFileSync(join(import.meta.dirname, 'designs/cells.lib'), 'utf8');
const COUNTER = `module counter (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       en,
    output reg  [1:0] count,
    output wire       both
);
  assign both = &count;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) count <= 2'd0;
    else if (en) count <= count + 2'd1;
endmodule
`;
/** What synthesis makes of it, by hand. */
const NETLIST = `module counter (clk, rst_n, en, count, both);
  input clk, rst_n, en;
  output [1:0] count;
  output both;
  wire n0, n1, n2, d0, d1, nboth;
  NAND2 u1 (.A(count[0]), .B(en), .Y(n0));      // !(c0 & en)
  NAND2 u2 (.A(count[0]), .B(n0), .Y(n1));
  NAND2 u3 (.A(en), .B(n0), .Y(n2));
  NAND2 u4 (.A(n1), .B(n2), .Y(d0));            // c0 ^ en
  wire carry, m0, m1, m2;
  INV u5 (.A(n0), .Y(carry));
  NAND2 u6 (.A(count[1]), .B(carry), .Y(m0));
  NAND2 u7 (.A(count[1]), .B(m0), .Y(m1));
  NAND2 u8 (.A(carry), .B(m0), .Y(m2));
  NAND2 u9 (.A(m1), .B(m2), .Y(d1));            // c1 ^ carry
  DFFR r0 (.CK(clk), .D(d0), .RN(rst_n), .Q(count[0]));
  DFFR r1 (.CK(clk), .D(d1), .RN(rst_n), .Q(count[1]));
  NAND2 ua (.A(count[0]), .B(count[1]), .Y(nboth));
  INV ub (.A(nboth), .Y(both));
endmodule
`;
const USUAL = {
  top: 'counter',
  files: ['rtl/*.v'],
  netlist: 'build/counter.v',
  liberty: 'lib/cells.lib',
};
const same = (text: string): string => text;
const both = (
  rtl: (text: string) => string,
  netlist: (text: string) => string,
): Record<string, string> => ({
  'rtl/counter.v': rtl(COUNTER),
  'build/counter.v': netlist(NETLIST),
  'lib/cells.lib': CELLS,
});
const GOOD = both(same, same);
/** The netlist that yosys-synth makes of the sources, beside other sources. */
const synthesized = async (rtl: string, other = rtl): Promise<Record<string, string>> => {
  const room = engineRoom({ 'rtl/counter.v': rtl, 'lib/cells.lib': CELLS });
  const { envelope } = await callEngine(room, { uses: 'yosys-synth', with: USUAL });
  expect(envelope.engineering.status).toBe('pass');
  return {
    'rtl/counter.v': other,
    'build/counter.v': readFileSync(join(room.root, 'build/counter.v'), 'utf8'),
    'lib/cells.lib': CELLS,
  };
};
const inNetlist =
  (more: string): ((text: string) => string) =>
  (text) =>
    text.replace('endmodule', `${more}\nendmodule`);
const inSources = inNetlist;
const only =
  (...programs: readonly string[]) =>
  (room: EngineRoom): EngineRoom => {
    for (const name of programs) symlinkSync(`/usr/bin/${name}`, join(room.bin, name));
    return { ...room, searchPath: room.bin };
  };
/** Another program in the place of yosys; asked for its version, it says the real one's. */
const replaced =
  (script: string, version = 'exec /usr/bin/yosys -V') =>
  (room: EngineRoom): EngineRoom => {
    const text = `#!/bin/sh\nif [ "$1" = -V ]; then ${version}; fi\n${script}\n`;
    writeProgram(join(room.bin, 'yosys'), text);
    return room;
  };
const places = (events: readonly { code?: string; file?: string }[]): string[] =>
  events.map(({ code, file }) => `${code} ${file}`);

/** Something that only shows after nine cycles, without a reset. */
const DEEP = `module counter (input clk, input en, output reg late);
  reg [3:0] n;
  always @(posedge clk) begin
    n <= en ? n + 4'd1 : 4'd0;
    late <= n == 4'd9;
  end
endmodule
`;
const deep = await synthesized(DEEP.replace("4'd9", "4'd10"), DEEP);
/** No reset, and nothing that clears it: what it holds at power-up is never lost. */
const FREE = `module counter (input clk, input en, output reg [2:0] n);
  always @(posedge clk) n <= n + en;
endmodule
`;
const free = await synthesized(FREE.replace('+ en', '- en'), FREE);
/** A case that is left open. */
const OPEN = `module counter (input clk, input [1:0] s, input a, output reg y);
  always @(posedge clk)
    case (s)
      2'd0: y <= a;
      2'd1: y <= ~a;
      2'd2: y <= 1'b0;
      default: y <= 1'bx;
    endcase
endmodule
`;
const open = await synthesized(OPEN);
const openWrong = await synthesized(OPEN.replace('y <= ~a', 'y <= a'), OPEN);
/** Everything x. */
const UNKNOWN = OPEN.replace(/y <= (?:a|~a|1'b0);/g, "y <= 1'bx ^ a;");
/** Two clocks, a memory, modules in modules, a register that is one in two places. */
const LARGE = `module store #(parameter W = 4) (input ck, input we, input [1:0] ad, input [W-1:0] d, output [W-1:0] q);
  reg [W-1:0] words [0:3];
  always @(posedge ck) if (we) words[ad] <= d;
  assign q = words[ad];
endmodule
module counter (input ck_a, input ck_b, input rst, input we, input [1:0] ad, input [3:0] d, output [3:0] q, output reg [3:0] sum, output reg twin, output fixed);
  store s (.ck(ck_a), .we(we), .ad(ad), .d(d), .q(q));
  reg other, never;
  always @(posedge ck_b or posedge rst)
    if (rst) sum <= 0; else sum <= sum + q;
  always @(negedge ck_b) begin twin <= we; other <= we; never <= 1'b0; end
  assign fixed = twin ^ other ^ never;
endmodule
`;
const large = await synthesized(LARGE);
const odd =
  await synthesized(`module counter (input clk, input we, input [1:0] ad, input [3:0] d, output [3:0] q);
  reg [3:0] words [0:2];
  always @(posedge clk) if (we) words[ad] <= d;
  assign q = words[ad];
endmodule
`);
/** Set, and not cleared: the Liberty file has only a register that is cleared. */
const PRESET = `module counter (input clk, input set, input d, output reg q);
  always @(posedge clk or posedge set) if (set) q <= 1; else q <= d ^ q;
endmodule
`;
const preset = await synthesized(PRESET);
/** One without a reset: the netlist has a constant in its place, from the first moment on. */
const ONCE = `module counter (input clk, input d, output reg q, output reg one);
  always @(posedge clk) begin q <= d; one <= 1'b1; end
endmodule
`;
const once = await synthesized(ONCE);
const swapped = await synthesized(
  LARGE.replace('posedge ck_b', 'posedge ck_c')
    .replace('ck_b', 'ck_x')
    .replace('ck_a', 'ck_b')
    .replace('ck_x', 'ck_a')
    .replace('.ck(ck_a)', '.ck(ck_b)')
    .replace('negedge ck_b', 'negedge ck_a')
    .replace('posedge ck_c', 'posedge ck_a'),
  LARGE,
);

const cases: AdapterCase[] = [
  {
    name: 'a counter and its netlist',
    files: GOOD,
    with: { ...USUAL, counterexample: 'build/cex.vcd' },
    expected: 'pass',
    says: /points proven equal, among them 3 output bits/,
    check: ({ envelope, opened }) => {
      expect(envelope.result).toMatchObject({ equivalent: true, output_bits: 3, registers: 2 });
      expect(opened).toEqual(['lib/cells.lib', 'rtl/counter.v', 'build/counter.v']);
    },
  },
  {
    name: 'a wrong gate',
    files: both(same, (text) => text.replace('INV ub', 'BUF ub')),
    with: { ...USUAL, counterexample: 'build/cex.vcd' },
    expected: 'fail',
    says: /in step \d+ there differs: both/,
    check: ({ envelope, events }) => {
      expect(envelope.result).toMatchObject({
        equivalent: false,
        differing: ['both'],
        counterexample_start: 'any',
        netlist: { path: 'build/counter.v', fingerprint: expect.stringMatching(/^blake3:/) },
      });
      expect(places(events)).toEqual(['DIFFERS rtl/counter.v:6:23']);
      expect(envelope.artifacts).toMatchObject([{ role: 'counterexample', path: 'build/cex.vcd' }]);
    },
  },
  {
    name: 'the other edge of the clock',
    files: both(same, (text) =>
      text
        .replace('endmodule', '  wire nclk;\n  INV uc (.A(clk), .Y(nclk));\nendmodule')
        .replaceAll('.CK(clk)', '.CK(nclk)'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /in step \d+ there differs: count/,
  },
  {
    name: 'one register on another clock',
    files: both(
      (text) => text.replace('clk,\n', 'clk, other,\n'),
      (text) =>
        text
          .replace('(clk,', '(clk, other,')
          .replace('input clk,', 'input clk, other,')
          .replace('r1 (.CK(clk)', 'r1 (.CK(other)'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /in step \d+ there differs: /,
  },
  {
    name: 'a reset that does not reset, in one register',
    files: both(same, (text) =>
      text.replace('DFFR r1 (.CK(clk), .D(d1), .RN(rst_n),', 'DFF r1 (.CK(clk), .D(d1),'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /there differs: /,
  },
  {
    name: 'modules, a memory, two clocks, twin registers: what yosys-synth makes of it',
    files: large,
    with: USUAL,
    expected: 'pass',
    says: /among them 10 output bits/,
    check: ({ envelope }) => expect(envelope.result).toMatchObject({ unmatched_registers: 0 }),
  },
  {
    name: 'the same, with the two clocks swapped',
    files: swapped,
    with: USUAL,
    expected: 'fail',
    says: /there differs: /,
  },
  {
    name: 'a register that is set, made of one that is cleared, between inverters',
    files: preset,
    with: USUAL,
    expected: 'pass',
    says: /proven equal/,
  },
  {
    name: 'a register that is 1 from the first clock on, and in the netlist before',
    files: once,
    with: USUAL,
    expected: 'pass',
    says: /proven equal/,
  },
  {
    name: 'a tri-state cell in the place of a buffer',
    files: {
      ...both(
        (text) => text.replace('= &count', '= en'),
        (text) =>
          text.replace('INV ub (.A(nboth), .Y(both));', 'TBUF ub (.A(en), .E(nboth), .Y(both));'),
      ),
      'lib/cells.lib': CELLS.replace(
        '  cell (BUF)',
        `  cell (TBUF) { area : 3;
    pin (A) { direction : input; } pin (E) { direction : input; }
    pin (Y) { direction : output; function : "A"; three_state : "!E"; }
  }
  cell (BUF)`,
      ),
    },
    with: USUAL,
    expected: 'unknown',
    says: /uses the tri-state TBUF/,
  },
  {
    name: '#25 a difference that is deeper than the search',
    files: deep,
    with: { ...USUAL, depth: 4 },
    expected: 'unknown',
    says: /\d+ of \d+ points not proven equal .* no difference within 4 cycles/,
    check: ({ events }) => expect(places(events)).toContain('UNPROVEN rtl/counter.v:1:49'),
  },
  {
    name: '#25 the same difference, searched far enough',
    files: deep,
    with: { ...USUAL, depth: 14 },
    expected: 'fail',
    says: /there differs: late/,
    check: ({ envelope }) => expect(envelope.result).toMatchObject({ counterexample_start: 'any' }),
  },
  {
    name: 'a difference that no input makes independent of power-up',
    files: free,
    with: USUAL,
    expected: 'fail',
    says: /there differs: n/,
    check: ({ envelope }) =>
      expect(envelope.result).toMatchObject({ counterexample_start: 'zero' }),
  },
  {
    name: 'a case that is left open, and any value accepted there',
    files: open,
    with: { ...USUAL, 'allow-x': true },
    expected: 'pass',
    says: /proven equal/,
  },
  {
    name: 'a case that is left open, and nobody accepted it',
    files: open,
    with: USUAL,
    expected: 'unknown',
    says: /x|not proven/,
  },
  {
    name: 'a case that is left open, and another one wrong',
    files: openWrong,
    with: { ...USUAL, 'allow-x': true },
    expected: 'fail',
    says: /there differs: y/,
  },
  {
    name: '#27 sources that give x and nothing else, any value accepted',
    files: { ...open, 'rtl/counter.v': UNKNOWN },
    with: { ...USUAL, 'allow-x': true },
    expected: 'unknown',
    says: /no input brings every output of the sources to a value/,
  },
  {
    name: '#27 sources that give x and nothing else',
    files: { ...open, 'rtl/counter.v': UNKNOWN },
    with: USUAL,
    expected: 'unknown',
    says: /x|not proven/,
  },
  {
    name: 'a net with two drivers, of which one is right',
    files: both(same, inNetlist('  BUF ux (.A(en), .Y(both));')),
    with: USUAL,
    expected: 'unknown',
    says: /1 problem in the netlist: multiple conflicting drivers/,
  },
  {
    name: 'a net with two drivers, of which one is a constant that is right',
    files: both(
      (text) => text.replace('= &count', "= 1'b0"),
      inNetlist("  assign both = 1'b0;\n  assign both = 1'b1;"),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /problems? in the netlist: |driving constant/,
  },
  {
    name: 'a netlist with two constants on one net',
    files: both(
      (text) => text.replace('= &count', "= 1'b0"),
      (text) =>
        text.replace('INV ub (.A(nboth), .Y(both));', "assign both = 1'b0;\n  assign both = 1'b1;"),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /1 problem in the netlist: \\counter\.\\both is assigned twice/,
  },
  {
    name: 'a pin of the netlist that is x',
    files: both(same, (text) => text.replace('.D(d1)', ".D(1'bx)")),
    with: USUAL,
    expected: 'unknown',
    says: /a pin or a port without a value/,
  },
  {
    name: 'a pin of the netlist that is open',
    files: both(same, (text) => text.replace('.D(d1)', '.D()')),
    with: USUAL,
    expected: 'unknown',
    says: /in the netlist: Wire .* is used but has no driver/,
  },
  {
    name: 'a memory with fewer words than its address could name',
    files: odd,
    with: { ...USUAL, 'allow-x': true },
    expected: 'pass',
    says: /proven equal/,
  },
  {
    name: 'a register that the sources do not have, and that decides at power-up',
    files: both(same, (text) =>
      text.replace(
        'INV ub (.A(nboth), .Y(both));',
        `wire hold, nh, right, x0, x1;
  DFF rh (.CK(clk), .D(hold), .Q(hold));
  INV ub (.A(nboth), .Y(right));
  INV uc (.A(hold), .Y(nh));
  NAND2 ud (.A(hold), .B(right), .Y(x0));
  NAND2 ue (.A(nh), .B(nboth), .Y(x1));
  NAND2 uf (.A(x0), .B(x1), .Y(both));`,
      ),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /1 register bit of the netlist that no register of the sources is named as: hold/,
  },
  {
    name: 'a value at power-up that the netlist does not have',
    files: both((text) => text.replace('[1:0] count,', "[1:0] count = 2'd3,"), same),
    with: USUAL,
    expected: 'unknown',
    says: /count starts with a value in the sources/,
  },
  {
    name: 'a port that the netlist has not',
    files: both(
      (text) =>
        text
          .replace(
            '    output wire       both',
            '    output wire       both,\n    output wire other',
          )
          .replace('endmodule', '  assign other = en;\nendmodule'),
      same,
    ),
    with: USUAL,
    expected: 'fail',
    says: /the ports do not match: the netlist has no port other/,
    check: ({ events }) => expect(places(events)).toEqual(['PORT rtl/counter.v:7:17']),
  },
  {
    name: 'ports of another width, and one more',
    files: both(same, (text) =>
      text
        .replace('output both', 'output [1:0] both')
        .replace('(clk,', '(clk, scan,')
        .replace('input clk,', 'input clk, scan,'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /both is an output of 1 bit, in the netlist an output of 2 bits; the sources have no port scan/,
  },
  {
    name: 'an inout',
    files: both(
      (text) => text.replace('output wire       both', 'inout  wire       both'),
      (text) => text.replace('output both', 'inout both'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /both is an inout/,
  },
  {
    name: 'a tri-state in the sources',
    files: both((text) => text.replace('= &count', "= en ? &count : 1'bz"), same),
    with: USUAL,
    expected: 'unknown',
    says: /the sources give z/,
  },
  {
    name: 'a netlist without outputs, as the sources',
    files: {
      ...GOOD,
      'rtl/counter.v': 'module counter (input a);\n  wire b = ~a;\nendmodule\n',
      'build/counter.v':
        'module counter (a);\n  input a;\n  wire b;\n  INV u (.A(a), .Y(b));\nendmodule\n',
    },
    with: USUAL,
    expected: 'unknown',
    says: /no output/,
  },
  {
    name: 'a netlist that is the source',
    files: GOOD,
    with: { ...USUAL, netlist: 'rtl/counter.v' },
    expected: 'unknown',
    says: /rtl\/counter\.v is the same as rtl\/counter\.v/,
  },
  {
    name: 'a netlist that is a copy of the source',
    files: both(same, () => COUNTER),
    with: USUAL,
    expected: 'unknown',
    says: /build\/counter\.v is the same as rtl\/counter\.v/,
  },
  {
    name: 'a netlist that is the source with another comment',
    files: both(same, () => `// synthesized\n${COUNTER}`),
    with: USUAL,
    expected: 'unknown',
    says: /holds logic that is no cell/,
  },
  {
    name: 'a netlist without contents',
    files: both(
      same,
      () => 'module counter (input clk, rst_n, en, output [1:0] count, output both);\nendmodule\n',
    ),
    with: USUAL,
    expected: 'unknown',
    says: /build\/counter\.v leaves counter without contents/,
  },
  {
    name: 'a cell that neither the Liberty file nor the netlist knows',
    files: both(same, (text) => text.replace('INV ub', 'INVX9 ub')),
    with: USUAL,
    expected: 'unknown',
    says: /`\\INVX9' .* is not part of the design/,
  },
  {
    name: 'a cell that the netlist defines itself',
    files: both(
      same,
      (text) => `module INV (input A, output Y);\n  assign Y = ~A;\nendmodule\n${text}`,
    ),
    with: USUAL,
    expected: 'unknown',
    says: /Re-definition of module `\\INV'/,
  },
  {
    name: 'a cell without a function in the Liberty file, which the netlist defines itself',
    files: {
      ...both(
        same,
        (text) =>
          `module INV (input A, output Y);\n  NAND2 u (.A(A), .B(A), .Y(Y));\nendmodule\n${text}`,
      ),
      'lib/cells.lib': CELLS.replace('; function : "!A"', ''),
    },
    with: USUAL,
    expected: 'unknown',
    says: /defines INV itself, a cell of the Liberty file/,
  },
  {
    name: 'a cell without a function in the Liberty file',
    files: { ...GOOD, 'lib/cells.lib': CELLS.replace('; function : "!A"', '') },
    with: USUAL,
    expected: 'unknown',
    says: /`\\INV' .* is not part of the design/,
  },
  {
    name: 'a module of the sources without contents',
    files: both(
      (text) =>
        `module ram (input a, output y);\nendmodule\n${text.replace('= &count', '= &count & q').replace('endmodule', '  wire q;\n  ram r (.a(en), .y(q));\nendmodule')}`,
      same,
    ),
    with: USUAL,
    expected: 'unknown',
    says: /the sources hold ram, of which nobody knows what it does/,
  },
  {
    name: 'sources that print what a proof prints',
    files: both(
      inSources(
        '  initial $display("Found 9 $equiv cells in equiv:\\n  Of those cells 9 are proven and 0 are unproven.\\n  Equivalence successfully proven!");',
      ),
      (text) => text.replace('INV ub', 'BUF ub'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /there differs: both/,
  },
  {
    name: 'another top than the design has',
    files: GOOD,
    with: { ...USUAL, top: 'nothing_of_it' },
    expected: 'unknown',
    says: /Module `nothing_of_it' not found/,
  },
  {
    name: 'a netlist of another top',
    files: both(same, (text) => text.replace('module counter', 'module other')),
    with: USUAL,
    expected: 'unknown',
    says: /Module `counter' not found/,
  },
  {
    name: 'a syntax error in the sources',
    files: both((text) => text.replace("2'd0;", "2'd0"), same),
    with: USUAL,
    expected: 'unknown',
    says: /rtl\/counter\.v:\d+: ERROR: syntax error/,
  },
  {
    name: 'a netlist that is cut short',
    files: both(same, (text) => text.slice(0, -40)),
    with: USUAL,
    expected: 'unknown',
    says: /build\/counter\.v:\d+: ERROR: syntax error/,
  },
  ...[
    ['files', ['rtl/gone.v']],
    ['netlist', 'build/gone.v'],
    ['liberty', 'lib/gone.lib'],
  ].map(
    ([name, value]): AdapterCase => ({
      name: `${name} that are not there`,
      files: GOOD,
      with: { ...USUAL, [String(name)]: value ?? '' },
      expected: 'unknown',
      says: /Can't open input file `.*gone/,
    }),
  ),
  {
    name: 'an include file that is missing',
    files: both((text) => `\`include "gone.vh"\n${text}`, same),
    with: USUAL,
    expected: 'unknown',
    says: /Can't open include file `gone\.vh'/,
  },
  {
    name: 'a netlist whose name a script cannot hold',
    files: GOOD,
    with: { ...USUAL, netlist: 'build/"; log x; ".v' },
    expected: 'unknown',
    says: /cannot name the file/,
    error: 'invalid_arguments',
  },
  {
    name: 'a counterexample in the place of the netlist',
    files: GOOD,
    with: { ...USUAL, counterexample: 'build/counter.v' },
    expected: 'unknown',
    says: /named as something else too/,
    error: 'invalid_arguments',
  },
  {
    name: 'yosys is missing',
    files: GOOD,
    with: USUAL,
    arrange: only('sh'),
    expected: 'unknown',
    says: /the program `yosys`, which yosys-equiv needs, is not here.*apt-get/,
    error: 'engine_not_found',
  },
  ...['gate', 'equiv'].map(
    (name): AdapterCase => ({
      name: `yosys is killed in the script ${name}`,
      files: GOOD,
      with: USUAL,
      arrange: replaced(`case "$*" in *${name}.ys) kill -9 $$;; esac\nexec /usr/bin/yosys "$@"`),
      expected: 'unknown',
      says: /SIGKILL/,
      error: 'engine_signal',
    }),
  ),
  {
    name: 'yosys does not end in time',
    files: GOOD,
    with: USUAL,
    arrange: replaced('sleep 30'),
    timeoutMs: 500,
    expected: 'unknown',
    says: /did not end within/,
    error: 'engine_timeout',
  },
  {
    name: 'yosys ends well and has done nothing',
    files: GOOD,
    with: USUAL,
    arrange: replaced('exit 0'),
    expected: 'unknown',
    says: /before the end of its script/,
    error: 'output_unparsable',
  },
  {
    name: 'yosys crashes in the proof',
    files: GOOD,
    with: USUAL,
    arrange: replaced('case "$*" in *equiv.ys) exit 139;; esac\nexec /usr/bin/yosys "$@"'),
    expected: 'unknown',
    says: /139/,
    error: 'engine_nonzero',
  },
  {
    name: 'another version of yosys: the answer counts for less',
    files: GOOD,
    with: USUAL,
    arrange: replaced('exec /usr/bin/yosys "$@"', 'echo "Yosys 0.60 (git sha1 0)"; exit 0'),
    expected: 'pass',
    says: /proven equal/,
    check: ({ envelope, prepared }) => {
      expect(envelope.provenance.limitations).toContainEqual(
        expect.stringMatching(/^yosys is 0\.60; tested with/),
      );
      expect(Object(prepared.descriptor?.raw).maturity).toBe('structured');
    },
  },
];

adapterCases('yosys-equiv', cases);

test('synthesis and equivalence name one digest of the netlist, with modules kept apart too', async () => {
  const room = engineRoom({ 'rtl/counter.v': LARGE, 'lib/cells.lib': CELLS });
  const synth = await callEngine(room, {
    uses: 'yosys-synth',
    with: { ...USUAL, 'keep-hierarchy': true },
  });
  const equiv = await callEngine(room, {
    uses: 'yosys-equiv',
    with: { ...USUAL, counterexample: 'build/cex.vcd' },
  });
  expect(equiv.envelope.engineering).toMatchObject({ status: 'pass' });
  expect(Object(equiv.envelope.result).netlist).toEqual(Object(synth.envelope.result).netlist);
  expect(readFileSync(join(room.root, 'build/cex.vcd'), 'utf8')).toMatch(
    /^\$comment No counterexample: .* \$end\n/,
  );
});

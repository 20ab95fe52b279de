import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import { callEngine, type EngineRoom, engineRoom, writeProgram } from '../support/engine-room.ts';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';

const CELLS = readFileSync(join(import.meta.dirname, 'designs/cells.lib'), 'utf8');
const COUNTER = `module counter (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       en,
    output reg  [3:0] count
);
  always @(posedge clk or negedge rst_n)
    if (!rst_n) count <= 4'd0;
    else if (en) count <= count + 4'd1;
endmodule
`;
const USUAL = {
  top: 'counter',
  files: ['rtl/*.v'],
  liberty: 'lib/cells.lib',
  netlist: 'build/counter.v',
};
const design = (change: (text: string) => string): Record<string, string> => ({
  'rtl/counter.v': change(COUNTER),
  'lib/cells.lib': CELLS,
});
const GOOD = design((text) => text);
/** The counter with more in its module. */
const withMore = (more: string): Record<string, string> =>
  design((text) => text.replace('endmodule', `${more}\nendmodule`));
const withoutCells = (...names: readonly string[]): Record<string, string> => ({
  ...GOOD,
  'lib/cells.lib': names.reduce(
    (text, name) => text.replace(new RegExp(`  cell \\(${name}\\) \\{[\\s\\S]*?\\n  \\}\\n`), ''),
    CELLS,
  ),
});
/** Two modules, so that something can be wrong between them. */
const pair = (first: string, second: string): Record<string, string> => ({
  'rtl/counter.v': `${first}\n${second}`,
  'lib/cells.lib': CELLS,
});

const only =
  (...programs: readonly string[]) =>
  (room: EngineRoom): EngineRoom => {
    for (const name of programs) symlinkSync(`/usr/bin/${name}`, join(room.bin, name));
    return { ...room, searchPath: room.bin };
  };
/** Another program in the place of one; asked for its version, it says the real one's. */
const replaced =
  (name: string, script: string, version = `exec /usr/bin/${name} -V`) =>
  (room: EngineRoom): EngineRoom => {
    const text = `#!/bin/sh\nif [ "$1" = -V ]; then ${version}; fi\n${script}\n`;
    writeProgram(join(room.bin, name), text);
    return room;
  };
const places = (events: readonly { code?: string; file?: string }[]): string[] =>
  events.map(({ code, file }) => `${code} ${file}`);

const cases: AdapterCase[] = [
  {
    name: 'a counter',
    files: GOOD,
    with: { ...USUAL, stat: 'build/reports/counter.json' },
    expected: 'pass',
    says: /\d+ cells of the Liberty file, area \d+/,
    check: ({ envelope, opened, events }) => {
      expect(envelope.result).toMatchObject({
        clean: true,
        flops: 4,
        latches: 0,
        problems: 0,
        unmapped: 0,
        black_boxes: [],
        cells_by_type: { DFFR: 4 },
        netlist: { path: 'build/counter.v', fingerprint: expect.stringMatching(/^blake3:/) },
      });
      expect(Object(envelope.result).area).toBeGreaterThan(80);
      expect(envelope.tool_version).toBe('0.23');
      expect(opened).toEqual(['lib/cells.lib', 'rtl/counter.v']);
      expect(events).toEqual([]);
      expect(envelope.artifacts.map(({ role, path }) => `${role} ${path}`)).toEqual([
        'netlist build/counter.v',
        'synthesis_statistics build/reports/counter.json',
      ]);
      expect(envelope.artifacts[0]?.hash).toBe(Object(envelope.result).netlist.fingerprint);
    },
  },
  {
    name: 'an include file, macros, names with blanks and signs',
    files: {
      "r t l/co(u)n#t&e'r.v": `\`include "width.vh"\n${COUNTER.replace('[3:0]', '[`WIDTH-1:0]')}`,
      'inc/width.vh': '`define WIDTH `BITS\n',
      'lib/c e$l|l&s.lib': CELLS,
    },
    with: {
      top: 'counter',
      files: ["r t l/co(u)n#t&e'r.v"],
      liberty: 'lib/c e$l|l&s.lib',
      netlist: 'build/a b.v',
      'include-dirs': ['inc'],
      defines: ['BITS=2'],
    },
    expected: 'pass',
    says: /cells of the Liberty file/,
    check: ({ envelope, opened }) => {
      expect(envelope.result).toMatchObject({ flops: 2 });
      expect(opened).toEqual(['inc/width.vh', 'lib/c e$l|l&s.lib', "r t l/co(u)n#t&e'r.v"]);
    },
  },
  {
    name: 'a memory file is opened and told',
    files: {
      ...withMore(
        '  reg [3:0] rom [0:1];\n  initial $readmemh("rtl/rom.hex", rom);\n  wire [3:0] word = rom[en];',
      ),
      'rtl/rom.hex': '3 5\n',
    },
    with: USUAL,
    expected: 'pass',
    says: /cells of/,
    check: ({ opened }) => expect(opened).toContain('rtl/rom.hex'),
  },
  {
    name: 'modules kept apart, some with parameters',
    files: pair(
      'module half #(parameter W = 1) (input [W-1:0] a, output [W-1:0] y);\n  assign y = ~a;\nendmodule',
      'module counter (input [2:0] a, output [2:0] y);\n  half #(2) h (.a(a[1:0]), .y(y[1:0]));\n  half g (.a(a[2]), .y(y[2]));\nendmodule',
    ),
    with: { ...USUAL, 'keep-hierarchy': true },
    expected: 'pass',
    says: /3 cells of the Liberty file, area 6/,
    check: ({ envelope }) => expect(envelope.result).toMatchObject({ cells_by_type: { INV: 3 } }),
  },
  {
    name: '#23 two drivers of one register, at its declaration',
    files: withMore('  always @(posedge clk) count[0] <= en;'),
    with: USUAL,
    expected: 'fail',
    says: /1 problem in the sources: multiple conflicting drivers for counter\.\\count \[0\]/,
    check: ({ events, envelope }) => {
      expect(places(events)).toEqual(['MULTIDRIVEN rtl/counter.v:5:23']);
      expect(Object(envelope.result).netlist).toBeUndefined();
    },
  },
  ...[
    [
      'a constant beside a gate',
      "  wire w = ~en;\n  assign w = 1'b1;",
      'MULTIDRIVEN rtl/counter.v:10:8',
    ],
    [
      'a constant beside a register',
      "  reg r;\n  always @(posedge clk) r <= en;\n  assign r = 1'b1;",
      'MULTIDRIVEN rtl/counter.v:11:3',
    ],
    [
      'two constants',
      "  wire w;\n  assign w = 1'b0;\n  assign w = 1'b1;\n  wire x = w & en;",
      'MULTIDRIVEN rtl/counter.v:10:8',
    ],
    ['a constant at an input', "  assign en = 1'b1;", 'MULTIDRIVEN rtl/counter.v:4:23'],
    [
      'one bit, in a slice',
      "  wire [3:0] w;\n  assign w[2:1] = 2'd1;\n  assign {w[3], w[2]} = 2'd2;\n  assign w[0] = en;",
      'MULTIDRIVEN rtl/counter.v:10:14',
    ],
    [
      'a constant beside a cell',
      "  wire w;\n  INV u (.A(en), .Y(w));\n  assign w = 1'b0;",
      'MULTIDRIVEN rtl/counter.v:11:7',
    ],
  ].map(
    ([what, more = '', place]): AdapterCase => ({
      name: `#23 two drivers that check does not see: ${what}`,
      files: withMore(more),
      with: USUAL,
      expected: 'fail',
      says: /problems? in the sources: /,
      check: ({ events }) => expect(places(events)).toContain(place),
    }),
  ),
  {
    name: '#23 a wire without a driver',
    files: design((text) =>
      text.replace('  always', '  wire half;\n  always').replace("4'd1", 'half'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /Wire counter\.\\half is used but has no driver/,
    check: ({ events }) => expect(places(events)).toEqual(['UNDRIVEN rtl/counter.v:7:8']),
  },
  {
    name: '#23 a wire without a driver, in synthesis alone: a pin of an instance that is left open',
    files: pair(
      'module half (input a, input b, output y);\n  assign y = a & b;\nendmodule',
      'module counter (input a, output y);\n  half h (.a(a), .y(y));\nendmodule',
    ),
    with: USUAL,
    expected: 'fail',
    says: /Wire counter\.\\h\.b is used but has no driver/,
    check: ({ events }) => expect(places(events)).toEqual(['UNDRIVEN rtl/counter.v:5:8']),
  },
  {
    name: '#23 a loop',
    files: withMore('  wire a, b;\n  assign a = b & en;\n  assign b = ~a;'),
    with: USUAL,
    expected: 'fail',
    says: /found logic loop in module counter/,
    check: ({ events }) =>
      expect(places(events)).toEqual([expect.stringMatching(/^LOOP rtl\/counter\.v:1[01]:\d+$/)]),
  },
  {
    name: '#23 a loop that crosses modules',
    files: pair(
      'module half (input a, input b, output y);\n  assign y = a & b;\nendmodule',
      'module counter (input a, output y);\n  wire w;\n  half h (.a(a), .b(w), .y(y));\n  assign w = ~y;\nendmodule',
    ),
    with: { ...USUAL, 'keep-hierarchy': true },
    expected: 'fail',
    says: /found logic loop/,
  },
  {
    name: '#23 a latch, at its line',
    files: withMore('  reg held;\n  always @* if (en) held = count[0];'),
    with: USUAL,
    expected: 'fail',
    says: /1 latch in the sources: a latch holds held/,
    check: ({ events, envelope }) => {
      expect(places(events)).toEqual(['LATCH rtl/counter.v:11:3']);
      expect(envelope.result).toMatchObject({ clean: false, latches: 1 });
    },
  },
  ...[
    ['open while high', 'if (en)', { LATCH: 1 }],
    ['open while low', 'if (!en)', { LATCH: 1 }],
  ].map(
    ([how, condition, types]): AdapterCase => ({
      name: `a latch that is allowed, ${how}`,
      files: design((text) =>
        text
          .replace('count\n', 'count, output reg held\n')
          .replace('endmodule', `  always @* ${condition} held = count[0];\nendmodule`),
      ),
      with: { ...USUAL, 'allow-latches': true },
      expected: 'pass',
      says: /cells of the Liberty file/,
      check: ({ envelope }) =>
        expect(envelope.result).toMatchObject({ latches: 1, cells_by_type: types }),
    }),
  ),
  {
    name: 'a latch that is allowed, and the Liberty file has none',
    files: {
      ...withoutCells('LATCH'),
      'rtl/counter.v':
        'module counter (input g, input d, output reg q);\n  always @* if (g) q = d;\nendmodule\n',
    },
    with: { ...USUAL, 'allow-latches': true },
    expected: 'fail',
    says: /no cell of the Liberty file stands for \$_DLATCH_P_/,
    check: ({ events }) => expect(places(events)).toContain('UNMAPPED rtl/counter.v:2:3'),
  },
  {
    name: 'a register that no cell can be',
    files: withoutCells('DFFR'),
    with: USUAL,
    expected: 'fail',
    says: /cannot be legalized/,
  },
  {
    name: 'a tri-state, which synthesis would turn into a plain wire',
    files: design((text) =>
      text
        .replace('count\n', 'count, inout bus\n')
        .replace('endmodule', "  assign bus = en ? count[0] : 1'bz;\nendmodule"),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /1 use of z/,
    check: ({ events }) => expect(places(events)).toContain('TRISTATE rtl/counter.v:10:16'),
  },
  {
    name: 'an initial value, which no cell has: shown, and counted',
    files: design((text) => text.replace('count\n', "count = 4'd9\n")),
    with: USUAL,
    expected: 'pass',
    says: /cells/,
    check: ({ envelope, events }) => {
      expect(places(events)).toEqual(['INIT-LOST rtl/counter.v:5:23']);
      expect(envelope.result).toMatchObject({ initial_values: 1 });
    },
  },
  {
    name: 'a cell of the Liberty file with an open input',
    files: withMore('  wire y;\n  NAND2 u (.A(en), .Y(y));'),
    with: USUAL,
    expected: 'fail',
    says: /the input B of NAND2 u is open/,
    check: ({ events }) => expect(places(events)).toEqual(['UNCONNECTED rtl/counter.v:11:9']),
  },
  {
    name: 'a module of the sources that has the name of a cell',
    files: pair(
      'module INV (input A, output Y);\n  assign Y = A;\nendmodule',
      'module counter (input a, output y);\n  INV u (.A(a), .Y(y));\nendmodule',
    ),
    with: USUAL,
    expected: 'unknown',
    says: /Re-definition of cell\/module INV/,
  },
  {
    name: 'a module without contents',
    files: pair(
      'module ram (input c, input [3:0] a, output [3:0] q);\nendmodule',
      'module counter (input c, input [3:0] a, output [3:0] q);\n  ram r (.c(c), .a(~a), .q(q));\nendmodule',
    ),
    with: USUAL,
    expected: 'unknown',
    says: /1 without contents and not named in allow-black-boxes: ram/,
  },
  {
    name: 'a module without contents that is allowed',
    files: pair(
      '(* blackbox *)\nmodule ram (input c, input [3:0] a, output [3:0] q);\n  parameter P = 1;\nendmodule',
      'module counter (input c, input [3:0] a, output [3:0] q);\n  ram #(2) r (.c(c), .a(~a), .q(q));\nendmodule',
    ),
    with: { ...USUAL, 'allow-black-boxes': ['ram'] },
    expected: 'pass',
    says: /5 cells/,
    check: ({ envelope }) => expect(envelope.result).toMatchObject({ black_boxes: ['ram'] }),
  },
  {
    name: '#18 a module that is missing',
    files: withMore('  gone g (.a(en));'),
    with: USUAL,
    expected: 'unknown',
    says: /Module `\\gone' .* is not part of the design/,
  },
  {
    name: '#21 another top than the design has',
    files: GOOD,
    with: { ...USUAL, top: 'nothing_of_it' },
    expected: 'unknown',
    says: /Module `nothing_of_it' not found/,
  },
  {
    name: 'a top of wires alone',
    files: {
      ...GOOD,
      'rtl/counter.v': 'module counter (input a, output y);\n  assign y = a;\nendmodule\n',
    },
    with: USUAL,
    expected: 'unknown',
    says: /no cell/,
  },
  {
    name: 'a syntax error in the sources, at its line',
    files: design((text) => text.replace("4'd0;", "4'd0")),
    with: USUAL,
    expected: 'fail',
    says: /rtl\/counter\.v:9: ERROR: syntax error/,
    check: ({ events }) => expect(places(events)).toEqual(['ERROR rtl/counter.v:9']),
  },
  {
    name: 'a port that a module does not have',
    files: pair(
      'module half (input a, output y);\n  assign y = a;\nendmodule',
      'module counter (input a, output y);\n  half h (.b(a), .y(y));\nendmodule',
    ),
    with: USUAL,
    expected: 'fail',
    says: /does not have a port named 'b'/,
  },
  {
    name: 'a source that is missing',
    files: GOOD,
    with: { ...USUAL, files: ['rtl/counter.v', 'rtl/gone.v'] },
    expected: 'unknown',
    says: /Can't open input file `rtl\/gone\.v'/,
  },
  {
    name: 'an include file that is missing',
    files: design((text) => `\`include "gone.vh"\n${text}`),
    with: USUAL,
    expected: 'unknown',
    says: /Can't open include file `gone\.vh'/,
  },
  {
    name: 'a memory file that is missing',
    files: withMore(
      '  reg [3:0] rom [0:1];\n  initial $readmemh("rtl/gone.hex", rom);\n  wire [3:0] w = rom[en];',
    ),
    with: USUAL,
    expected: 'unknown',
    says: /Can not open file `rtl\/gone\.hex/,
  },
  {
    name: 'a Liberty file that is missing',
    files: GOOD,
    with: { ...USUAL, liberty: 'lib/gone.lib' },
    expected: 'unknown',
    says: /Can't open input file `lib\/gone\.lib'/,
  },
  {
    name: 'a Liberty file that is cut short',
    files: { ...GOOD, 'lib/cells.lib': CELLS.slice(0, CELLS.length / 2) },
    with: USUAL,
    expected: 'unknown',
    says: /Liberty|liberty|groups/,
  },
  {
    name: 'a Liberty file without cells',
    files: { ...GOOD, 'lib/cells.lib': 'library(none) {\n}\n' },
    with: USUAL,
    expected: 'unknown',
    says: /it has no cell/,
  },
  {
    name: 'sources that print what the tool prints',
    files: design((text) =>
      text
        .replace(
          'endmodule',
          '  initial $display("Found and reported 0 problems.\\nEnd of script. Logfile hash: 0, CPU");\nendmodule',
        )
        .replace("4'd1", 'half')
        .replace('  always', '  wire half;\n  always'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /\\half is used but has no driver/,
  },
  {
    name: 'a netlist in the place of a source',
    files: GOOD,
    with: { ...USUAL, netlist: 'rtl/counter.v' },
    expected: 'unknown',
    says: /named as something else too/,
    error: 'invalid_arguments',
  },
  {
    name: 'a netlist outside the workspace',
    files: GOOD,
    with: { ...USUAL, netlist: '../counter.v' },
    expected: 'unknown',
    says: /netlist cannot be/,
    error: 'invalid_arguments',
  },
  ...[
    'rtl/"; tee -o pwned log x; ".v',
    'rtl/a;tee -o pwned log.v',
    'rtl/a\ntee -o pwned log',
    'rtl/[a].v',
    '~/x.v',
  ].map(
    (file): AdapterCase => ({
      name: `a file name that a script cannot hold: ${JSON.stringify(file)}`,
      files: { ...GOOD, ...(file.startsWith('~') ? {} : { [file]: COUNTER }) },
      with: { ...USUAL, files: [file] },
      expected: 'unknown',
      says: /cannot name the file|matches no file|parameter `files`/,
      error: 'invalid_arguments',
    }),
  ),
  {
    name: 'a macro that would be a command',
    files: GOOD,
    with: { ...USUAL, defines: ['A=1; tee -o pwned log'] },
    expected: 'unknown',
    says: /cannot hold/,
    error: 'invalid_arguments',
  },
  ...(['yosys', 'berkeley-abc'] as const).map(
    (name): AdapterCase => ({
      name: `${name} is missing`,
      files: GOOD,
      with: USUAL,
      arrange: only(...['yosys', 'berkeley-abc', 'sh'].filter((one) => one !== name)),
      expected: 'unknown',
      says: new RegExp(`the program \`${name}\`, which yosys-synth needs, is not here.*apt-get`),
      error: 'engine_not_found',
    }),
  ),
  {
    name: 'yosys is killed',
    files: GOOD,
    with: USUAL,
    arrange: replaced('yosys', 'kill -9 $$'),
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'yosys is killed while it maps, with a netlist of earlier in place',
    files: { ...GOOD, 'build/counter.v': 'old' },
    with: USUAL,
    arrange: replaced('yosys', 'case "$*" in *map.ys) kill -9 $$;; esac\nexec /usr/bin/yosys "$@"'),
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'yosys does not end in time',
    files: GOOD,
    with: USUAL,
    arrange: replaced('yosys', 'sleep 30'),
    timeoutMs: 500,
    expected: 'unknown',
    says: /did not end within/,
    error: 'engine_timeout',
  },
  {
    name: '#22 yosys ends well and has done nothing',
    files: GOOD,
    with: USUAL,
    arrange: replaced('yosys', 'exit 0'),
    expected: 'unknown',
    says: /before the end of its script/,
    error: 'output_unparsable',
  },
  {
    name: 'yosys crashes',
    files: GOOD,
    with: USUAL,
    arrange: replaced('yosys', 'echo "terminate called" >&2; exit 134'),
    expected: 'unknown',
    says: /134/,
    error: 'engine_nonzero',
  },
  {
    name: 'abc is killed',
    files: GOOD,
    with: USUAL,
    arrange: replaced('berkeley-abc', 'kill -9 $$'),
    expected: 'unknown',
    says: /exited with code 1/,
    error: 'engine_nonzero',
  },
  {
    name: 'abc ends well and has done nothing',
    files: GOOD,
    with: USUAL,
    arrange: replaced('berkeley-abc', 'exit 0'),
    expected: 'unknown',
    says: /exited with code 1/,
    error: 'engine_nonzero',
  },
  {
    name: 'another version of yosys: the answer counts for less',
    files: GOOD,
    with: USUAL,
    arrange: replaced(
      'yosys',
      'exec /usr/bin/yosys "$@"',
      'echo "Yosys 0.60 (git sha1 0)"; exit 0',
    ),
    expected: 'pass',
    says: /cells/,
    check: ({ envelope, prepared }) => {
      expect(envelope.provenance.limitations).toContainEqual(
        expect.stringMatching(/^yosys is 0\.60; tested with/),
      );
      expect(Object(prepared.descriptor?.raw).maturity).toBe('structured');
    },
  },
];

adapterCases('yosys-synth', cases);

test('the same sources give the same bytes in another place, and the netlist is replaced', async () => {
  const fingerprints: unknown[] = [];
  for (const build of [
    {},
    { 'build/counter.v': 'something longer that was there before\n'.repeat(999) },
  ]) {
    const room = engineRoom({ ...GOOD, ...build });
    const { envelope } = await callEngine(room, {
      uses: 'yosys-synth',
      with: { ...USUAL, stat: 'build/stat.json' },
    });
    expect(envelope.engineering.status).toBe('pass');
    for (const name of ['build/counter.v', 'build/stat.json']) {
      const digest = fingerprintFile(join(room.root, name));
      fingerprints.push(digest.ok && digest.value);
    }
  }
  expect(fingerprints.slice(0, 2)).toEqual(fingerprints.slice(2));
});

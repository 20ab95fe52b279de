import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, type EngineRoom, engineRoom, writeProgram } from '../support/engine-room.ts';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';

/** Counts to nine and starts again. */
const COUNTER = `module counter (
    input wire clk,
    input wire en,
    output reg [3:0] count
);
  initial count = 0;
  always @(posedge clk)
    if (en) count <= count == 9 ? 4'd0 : count + 4'd1;
\`ifdef FORMAL
  always @(posedge clk) begin
    below_ten: assert (count < 10);
    at_nine: cover (count == 9);
  end
\`endif
endmodule
`;
const USUAL = { top: 'counter', files: ['rtl/*.v'], depth: 12 };
const counter = (change: (text: string) => string): Record<string, string> => ({
  'rtl/counter.v': change(COUNTER),
});
/** The counter with more in its block of properties. */
const withProperty = (more: string): Record<string, string> =>
  counter((text) => text.replace('    at_nine', `    ${more}\n    at_nine`));

/** A bug that takes a hundred steps to come out. */
const DEEP = {
  'rtl/deep.v': `module deep (input wire clk);
  reg [7:0] n = 0;
  always @(posedge clk) n <= n + 1'b1;
  always @(posedge clk) in_time: assert (n < 100);
endmodule
`,
};
const DEEPER = { top: 'deep', files: ['rtl/deep.v'] };

/** Assumptions that leave nothing, and an assert that is false. */
const CONTRADICTION = withProperty(
  'assume (en); assume (!en); nonsense: assert (count == 11); // both',
);

/** One register and no initial value; each assert is wrong in the first step, or for the unknown. */
const UNDEFINED = {
  'rtl/undefined.v': `module undefined_values (input wire clk, input wire s);
  reg r, r1, r2;
  always @(posedge clk) r <= 1'b1;
  always @(posedge clk) r1 <= s;
  always @(posedge clk) r2 <= s;
  wire y = s ? 1'b1 : 1'bx;
  always @* begin
    constant: assert (r);
    twins: assert (r1 == r2);
    unknown_side: assert (y);
  end
endmodule
`,
};

const FIFO = join(import.meta.dirname, '../../examples/fifo');
const fifo = (change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(
    ['rtl', 'props'].flatMap((folder) =>
      readdirSync(join(FIFO, folder)).map((name) => [
        `${folder}/${name}`,
        change(readFileSync(join(FIFO, folder, name), 'utf8')),
      ]),
    ),
  );
const OF_FIFO = {
  top: 'fifo_props',
  files: ['rtl/*.v', 'props/*.v'],
  'include-dirs': ['rtl'],
  depth: 8,
  'min-asserts': 8,
};

/** The product of two primes, to be taken apart. */
const HARD = {
  'rtl/hard.v': `module hard (input wire [30:0] a, input wire [30:0] b);
  wire [61:0] product = a * b;
  always @* prime: assert (product != 62'd3058029800452605353 || a == 1 || b == 1);
endmodule
`,
};

/** The programs of the adapter and no others, each from where it is, or as the case has it. */
const only =
  (...programs: readonly string[]) =>
  (room: EngineRoom): EngineRoom => {
    for (const name of programs) symlinkSync(`/usr/bin/${name}`, join(room.bin, name));
    return { ...room, searchPath: room.bin };
  };
const ALL = ['yosys', 'yosys-smtbmc', 'python3', 'z3', 'sh', 'kill', 'cat'] as const;
const without = (name: string): ((room: EngineRoom) => EngineRoom) =>
  only(...ALL.filter((one) => one !== name));
/** Another program in the place of one. */
const replaced =
  (name: string, script: string) =>
  (room: EngineRoom): EngineRoom => {
    writeProgram(join(room.bin, name), `#!/bin/sh\n${script}\n`);
    return room;
  };
/** z3 that answers its version and then something of its own. */
const solver = (script: string): ((room: EngineRoom) => EngineRoom) =>
  replaced('z3', `if [ "$1" = --version ]; then exec /usr/bin/z3 --version; fi\n${script}`);

const cases: AdapterCase[] = [
  {
    name: 'a counter that stays below ten',
    files: counter((text) => text),
    with: USUAL,
    expected: 'pass',
    says: /1 assert \(1 cover reached\) hold in every step, by induction over \d+ steps?/,
    check: ({ envelope, opened, events }) => {
      expect(envelope.result).toMatchObject({
        proven: true,
        asserts: 1,
        asserts_reached: 1,
        assumes: 0,
        covers: 1,
        covers_reached: 1,
        depth: 12,
        solver: 'z3',
        assert_names: ['below_ten'],
        engine_steps: ['bmc', 'cover', 'induction'],
      });
      expect(opened).toEqual(['rtl/counter.v']);
      expect(events).toEqual([]);
    },
  },
  {
    name: 'the same, one too far: at its label, with its waveform',
    files: counter((text) => text.replace('count == 9 ?', 'count == 10 ?')),
    with: { ...USUAL, counterexample: 'build/formal/cex.vcd' },
    expected: 'fail',
    says: /in step 10 there fails: below_ten/,
    check: ({ envelope, events, prepared }) => {
      expect(envelope.result).toMatchObject({
        proven: false,
        failed: ['below_ten'],
        failed_step: 10,
      });
      expect(events.map(({ code, file }) => `${code} ${file}`)).toEqual([
        'ASSERT rtl/counter.v:11:5',
      ]);
      expect(envelope.artifacts).toMatchObject([
        { role: 'counterexample', path: 'build/formal/cex.vcd' },
      ]);
      expect(prepared.problem).toBeUndefined();
    },
  },
  {
    name: 'an assert without a label fails, at its line',
    files: withProperty('assert (count != 3);'),
    with: USUAL,
    expected: 'fail',
    says: /in step 3 there fails: rtl\/counter\.v:12/,
    check: ({ events }) => expect(events.map(({ file }) => file)).toEqual(['rtl/counter.v:12']),
  },
  {
    name: 'asserts in instances, a package, an include file, a macro, names with blanks and letters',
    files: {
      'rtl/c o/unit ü.sv': `\`include "width.vh"
module unit (input logic clk, input logic [\`W-1:0] d);
  logic [\`W-1:0] q;
  always_ff @(posedge clk) q <= d;
  logic ready = 1'b0;
  always_ff @(posedge clk) ready <= 1'b1;
  always_ff @(posedge clk) if (ready && wide_pkg::N == 2) follows: assert (q == $past(d) \`WRONG);
endmodule
`,
      'rtl/wide_pkg.sv': 'package wide_pkg;\n  localparam N = 2;\nendpackage\n',
      'rtl/top.sv': `module top (input logic clk, input logic [3:0] d);
  for (genvar i = 0; i < 2; i++) begin : g
    unit u (.clk, .d);
  end
endmodule
`,
      'inc/width.vh': '`define W 4\n',
    },
    with: {
      top: 'top',
      files: ['rtl/wide_pkg.sv', 'rtl/c o/unit ü.sv', 'rtl/top.sv'],
      'include-dirs': ['inc'],
      defines: ['WRONG=+1'],
      depth: 4,
      asserts: ['g.u.follows'],
    },
    expected: 'fail',
    says: /there fails: g\[\d\]\.u\.follows/,
    check: ({ opened, events }) => {
      expect([...opened].sort()).toEqual([
        'inc/width.vh',
        'rtl/c o/unit ü.sv',
        'rtl/top.sv',
        'rtl/wide_pkg.sv',
      ]);
      expect(events.map(({ file }) => file)).toContainEqual(
        expect.stringMatching(/^rtl\/c o\/unit ü\.sv:7:/),
      );
    },
  },
  {
    name: 'an assumption that a proof needs, under the same clock as the assert',
    files: counter((text) =>
      text
        .replace(
          'begin\n    below_ten: assert (count < 10);',
          'begin\n    assume (!en);\n    still: assert (count == 0);',
        )
        .replace(/ {4}at_nine.*\n/, ''),
    ),
    with: { ...USUAL, asserts: ['still'] },
    expected: 'pass',
    says: /1 assert \(1 assume\) hold/,
  },
  {
    name: 'wrong in the first step, and for the unknown: no convenient value is taken',
    files: UNDEFINED,
    with: { top: 'undefined_values', files: ['rtl/*.v'], depth: 3 },
    expected: 'fail',
    says: /in step 0 there fails: \w+, \w+, \w+/,
    check: ({ envelope }) =>
      expect([...Object(envelope.result).failed].sort()).toEqual([
        'constant',
        'twins',
        'unknown_side',
      ]),
  },
  {
    name: 'the FIFO of the examples',
    files: fifo((text) => text),
    with: OF_FIFO,
    expected: 'pass',
    says: /8 asserts hold in every step, by induction over 1 step/,
  },
  {
    name: 'the FIFO of the examples, which takes a word when it is full',
    files: fifo((text) => text.replace('push && !full', 'push')),
    with: OF_FIFO,
    expected: 'fail',
    says: /there fails: .*no_overflow/,
  },
  {
    name: 'a memory that is written and read beyond its end',
    files: {
      'rtl/memory.v': `module memory (input wire clk, input wire we, input wire [1:0] a, input wire [3:0] d);
  reg [3:0] words [0:2];
  reg [3:0] last;
  reg [1:0] there;
  reg was_written = 0;
  always @(posedge clk) if (we) words[a] <= d;
  always @(posedge clk) {was_written, there, last} <= {we, a, d};
  always @* if (was_written) reads_back: assert (words[there] == last);
endmodule
`,
    },
    with: { top: 'memory', files: ['rtl/memory.v'], depth: 4 },
    expected: 'fail',
    says: /there fails: reads_back/,
  },
  {
    name: '#29 no assert at all',
    files: counter((text) => text.replace(/ {4}below_ten.*\n/, '')),
    with: USUAL,
    expected: 'unknown',
    says: /there is no assert below counter/,
  },
  {
    name: '#29 asserts, and none of them below the top',
    files: {
      ...counter((text) => text.replace(/`ifdef[\s\S]*`endif\n/, '')),
      'rtl/props.v': 'module props (input a);\n  always @* any: assert (a);\nendmodule\n',
    },
    with: USUAL,
    expected: 'unknown',
    says: /there is no assert below counter/,
  },
  {
    name: '#30 assumptions that contradict each other, and a false assert',
    files: CONTRADICTION,
    with: USUAL,
    expected: 'unknown',
    says: /the assumptions contradict each other in step 0/,
  },
  {
    name: '#30 assumptions that contradict each other from the fifth step on',
    files: withProperty('assume (count < 4); assume (en);'),
    with: USUAL,
    expected: 'unknown',
    says: /the assumptions contradict each other in step 4/,
  },
  {
    name: '#32 a bug at step 100, searched to 20: induction does not prove it',
    files: DEEP,
    with: { ...DEEPER, depth: 20 },
    expected: 'unknown',
    says: /nothing fails in the first 20 steps, and induction over as many does not prove in_time/,
    check: ({ events }) => expect(events.map(({ code }) => code)).toEqual(['INDUCTION']),
  },
  {
    name: '#32 the same bug, searched far enough',
    files: DEEP,
    with: { ...DEEPER, depth: 101 },
    expected: 'fail',
    says: /in step 100 there fails: in_time/,
  },
  {
    name: '#32 no step at all',
    files: DEEP,
    with: { ...DEEPER, depth: 0 },
    expected: 'unknown',
    says: /parameter `depth`/,
    error: 'invalid_arguments',
  },
  {
    name: 'no depth',
    files: DEEP,
    with: DEEPER,
    expected: 'unknown',
    says: /depth/,
    error: 'invalid_arguments',
  },
  {
    name: '#68 a solver that complains and then says sat',
    files: counter((text) => text),
    with: USUAL,
    arrange: solver('echo "(error \\"line 1\\")"; echo sat; cat >/dev/null'),
    expected: 'unknown',
    says: /yosys-smtbmc exited with code 1 .*Solver Error/,
    error: 'engine_nonzero',
  },
  ...['timeout', 'unknown'].map(
    (word): AdapterCase => ({
      name: `#68 a solver that says ${word}`,
      files: counter((text) => text),
      with: USUAL,
      arrange: solver(`echo ${word}; cat >/dev/null`),
      expected: 'unknown',
      says: new RegExp(`Unexpected response from solver: ${word}`),
      error: 'engine_nonzero',
    }),
  ),
  {
    name: 'a solver that always says unsat',
    files: counter((text) => text),
    with: USUAL,
    arrange: solver(
      'while read -r line; do case "$line" in "(check-sat)") echo unsat;; "(exit)") exit;; esac; done',
    ),
    expected: 'unknown',
    says: /contradict/,
  },
  {
    name: 'a cover that is not reached',
    files: withProperty('never_there: cover (count == 12);'),
    with: USUAL,
    expected: 'fail',
    says: /not reached within 12 steps: cover never_there/,
    check: ({ events }) =>
      expect(events.map(({ code, file }) => `${code} ${file}`)).toEqual([
        'COVER rtl/counter.v:12:5',
      ]),
  },
  {
    name: 'an assert that no step looks at',
    files: withProperty('if (count == 12) hidden: assert (0);'),
    with: USUAL,
    expected: 'unknown',
    says: /never looked at, and not named in allow-unreached: hidden/,
    check: ({ envelope }) =>
      expect(envelope.result).toMatchObject({
        asserts: 2,
        asserts_reached: 1,
        unreached: ['hidden'],
      }),
  },
  {
    name: 'an assert that no step is to look at',
    files: withProperty('if (count == 12) hidden: assert (0);'),
    with: { ...USUAL, 'allow-unreached': ['hidden'] },
    expected: 'pass',
    says: /2 asserts/,
  },
  {
    name: 'an assert that is asked for by name and is not there',
    files: counter((text) => text),
    with: { ...USUAL, asserts: ['below_ten', 'below_nine'] },
    expected: 'unknown',
    says: /there is no assert below_nine/,
  },
  {
    name: 'fewer asserts than asked for',
    files: counter((text) => text),
    with: { ...USUAL, 'min-asserts': 2 },
    expected: 'unknown',
    says: /1 assert of at least 2/,
  },
  {
    name: 'two equal asserts stay two',
    files: withProperty('also_below_ten: assert (count < 10);'),
    with: { ...USUAL, 'min-asserts': 2, asserts: ['also_below_ten', 'below_ten'] },
    expected: 'pass',
    says: /2 asserts/,
  },
  {
    name: 'a listed file of which nothing is below the top',
    files: {
      ...counter((text) => text),
      'rtl/props.v': 'module props (input a);\n  always @* any: assert (a);\nendmodule\n',
    },
    with: USUAL,
    expected: 'unknown',
    says: /no module of rtl\/props\.v is below counter/,
  },
  {
    name: 'an assert of what is to happen eventually, which the model leaves out',
    files: counter((text) =>
      text.replace('`endif', '  sometime: assert property (s_eventually count == 12);\n`endif'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /eventually: sometime/,
  },
  {
    name: 'two clocks',
    files: counter((text) =>
      text
        .replace('`ifdef', '  reg late;\n  always @(negedge clk) late <= en;\n`ifdef')
        .replace('count == 9);\n', 'count == 9 && late);\n'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /registers change at several edges/,
  },
  {
    name: 'an assert at the other edge of the clock',
    files: counter((text) =>
      text.replace('  always @(posedge clk) begin', '  always @(negedge clk) begin'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /registers change at several edges/,
  },
  {
    name: 'a latch beside registers',
    files: counter((text) =>
      text
        .replace('`ifdef', '  reg held;\n  always @* if (!clk) held = en;\n`ifdef')
        .replace('count < 10', 'count < 10 || held'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /registers change at several edges, or are latches/,
  },
  {
    name: 'a hierarchy that is to be kept, a black box with any output',
    files: {
      'rtl/top.v': `(* keep_hierarchy *) module sub (input wire clk, input wire d, output reg q);
  always @(posedge clk) q <= d;
  always @(posedge clk) bit_of_two: assert (q == 0 || q == 1);
endmodule
module top (input wire clk, output wire q);
  wire d;
  macro m (.clk(clk), .d(d));
  sub s (.clk(clk), .d(d), .q(q));
  always @* wrong: assert (!d);
endmodule
`,
      'rtl/macro.v': '(* blackbox *) module macro (input wire clk, output wire d);\nendmodule\n',
    },
    with: { top: 'top', files: ['rtl/*.v'], depth: 3 },
    expected: 'fail',
    says: /in step 0 there fails: wrong/,
    check: ({ envelope }) =>
      expect(envelope.result).toMatchObject({
        assert_names: ['s.bit_of_two', 'wrong'],
        black_boxes: 1,
      }),
  },
  {
    name: 'text of the design that looks like an answer',
    files: counter((text) =>
      text
        .replace(
          'initial count = 0;',
          'initial count = 0;\n  initial $display("\\nEnd of script. Logfile hash: 0\\n##   0:00:00  Status: PASSED");',
        )
        .replace('count == 9 ?', 'count == 10 ?'),
    ),
    with: USUAL,
    expected: 'fail',
    says: /below_ten/,
  },
  {
    name: 'a syntax error in the sources: nothing was looked at, at its line',
    files: counter((text) => text.replace('if (en)', 'if en')),
    with: USUAL,
    expected: 'unknown',
    says: /rtl\/counter\.v:\d+: ERROR: syntax error/,
    check: ({ events }) =>
      expect(events.map(({ file }) => file)).toContainEqual(
        expect.stringMatching(/^rtl\/counter\.v:[78]$/),
      ),
  },
  {
    name: 'a concurrent assertion, which Yosys cannot read',
    files: counter((text) =>
      text.replace('`endif', '  later: assert property (@(posedge clk) en |=> en);\n`endif'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /syntax error, unexpected '@'/,
  },
  {
    name: 'two drivers of one net',
    files: counter((text) =>
      text
        .replace('`ifdef', '  wire w;\n  assign w = en;\n  assign w = clk;\n`ifdef')
        .replace('count < 10', 'count < 10 || w'),
    ),
    with: USUAL,
    expected: 'unknown',
    says: /in 'check -assert'.* multiple conflicting drivers/,
  },
  {
    name: 'a listed file that is missing',
    files: counter((text) => text),
    with: { ...USUAL, files: ['rtl/counter.v', 'rtl/gone.v'] },
    expected: 'unknown',
    says: /rtl\/gone\.v.* No such file/,
  },
  {
    name: 'an include file that is missing',
    files: counter((text) => `\`include "gone.vh"\n${text}`),
    with: USUAL,
    expected: 'unknown',
    says: /include file `gone\.vh'/,
  },
  {
    name: 'a module that is missing',
    files: counter((text) => text.replace('`ifdef', '  gone g (clk);\n`ifdef')),
    with: USUAL,
    expected: 'unknown',
    says: /Module `\\gone' .* is not part of the design/,
  },
  {
    name: 'another top than the design has',
    files: counter((text) => text),
    with: { ...USUAL, top: 'nothing_of_it' },
    expected: 'unknown',
    says: /Module `nothing_of_it' not found/,
  },
  {
    name: 'a file name that would be a command',
    files: { 'rtl/a"; shell touch pwned; ".v': COUNTER },
    with: { ...USUAL, files: ['rtl/a"; shell touch pwned; ".v'] },
    expected: 'unknown',
    says: /cannot name the file/,
    error: 'invalid_arguments',
  },
  {
    name: 'a waveform outside the workspace',
    files: counter((text) => text),
    with: { ...USUAL, counterexample: '../cex.vcd' },
    expected: 'unknown',
    says: /leads outside/,
    error: 'invalid_arguments',
  },
  ...(['yosys', 'yosys-smtbmc', 'z3', 'python3'] as const).map(
    (name): AdapterCase => ({
      name: `${name} is missing`,
      files: counter((text) => text),
      with: USUAL,
      arrange: without(name),
      expected: 'unknown',
      says: new RegExp(`the program \`${name}\`, which yosys-formal needs, is not here.*apt-get`),
      error: 'engine_not_found',
    }),
  ),
  {
    name: 'z3 is killed before it answers',
    files: counter((text) => text),
    with: USUAL,
    arrange: solver('kill -9 $$'),
    expected: 'unknown',
    says: /yosys-smtbmc exited with code 1/,
    error: 'engine_nonzero',
  },
  {
    name: 'z3 dies in the middle',
    files: HARD,
    with: { top: 'hard', files: ['rtl/hard.v'], depth: 2 },
    arrange: solver('exec 3<&0\n/usr/bin/z3 "$@" <&3 &\nsleep 1\nkill -9 $!'),
    expected: 'unknown',
    says: /yosys-smtbmc exited with code 1/,
    error: 'engine_nonzero',
  },
  {
    name: 'yosys-smtbmc is killed',
    files: counter((text) => text),
    with: USUAL,
    arrange: (room) => {
      mkdirSync(join(room.bin, '../share/yosys'), { recursive: true });
      for (const name of ['smtio.py', 'ywio.py']) {
        symlinkSync(`/usr/share/yosys/${name}`, join(room.bin, '../share/yosys', name));
      }
      return replaced('yosys-smtbmc', 'kill -9 $$')(room);
    },
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'yosys is killed',
    files: counter((text) => text),
    with: USUAL,
    arrange: replaced('yosys', 'if [ "$1" = -V ]; then exec /usr/bin/yosys -V; fi\nkill -9 $$'),
    expected: 'unknown',
    says: /SIGKILL/,
    error: 'engine_signal',
  },
  {
    name: 'yosys ends well and has done nothing',
    files: counter((text) => text),
    with: USUAL,
    arrange: replaced('yosys', 'if [ "$1" = -V ]; then exec /usr/bin/yosys -V; fi\nexit 0'),
    expected: 'unknown',
    says: /before the end of its script/,
    error: 'output_unparsable',
  },
  {
    name: 'another version of z3: the answer counts for less',
    files: counter((text) => text),
    with: USUAL,
    arrange: replaced(
      'z3',
      'if [ "$1" = --version ]; then echo "Z3 version 4.13.0 - 64 bit"; exit 0; fi\nexec /usr/bin/z3 "$@"',
    ),
    expected: 'pass',
    says: /1 assert/,
    check: ({ envelope, prepared }) => {
      expect(envelope.provenance.limitations).toContainEqual(
        expect.stringMatching(/^z3 is 4\.13\.0; tested with/),
      );
      expect(Object(prepared.descriptor?.raw).maturity).toBe('structured');
    },
  },
];

adapterCases('yosys-formal', cases);

const bounded: AdapterCase[] = [
  {
    name: 'a counter that stays below ten, and the depth is said',
    files: counter((text) => text),
    with: USUAL,
    expected: 'pass',
    says: /bounded: 1 assert \(1 cover reached\) hold in the first 12 steps/,
    check: ({ envelope }) => {
      expect(envelope.result).toMatchObject({ holds_to_depth: true, depth: 12 });
      expect(envelope.result).not.toHaveProperty('proven');
      expect(envelope.engineering.assertion).toBe('properties-bounded');
    },
  },
  {
    name: '#32 a bug at step 100, searched to 20: a pass that says 20',
    files: DEEP,
    with: { ...DEEPER, depth: 20 },
    expected: 'pass',
    says: /hold in the first 20 steps, no later one seen/,
  },
  {
    name: '#32 the same bug, searched far enough',
    files: DEEP,
    with: { ...DEEPER, depth: 101 },
    expected: 'fail',
    says: /in step 100 there fails: in_time/,
  },
  {
    name: '#30 assumptions that contradict each other',
    files: CONTRADICTION,
    with: USUAL,
    expected: 'unknown',
    says: /contradict/,
  },
  {
    name: '#29 no assert at all',
    files: counter((text) => text.replace(/ {4}below_ten.*\n/, '')),
    with: USUAL,
    expected: 'unknown',
    says: /there is no assert/,
  },
];

adapterCases('yosys-formal-bounded', bounded);

test('the waveform that a flow asks for is there after a pass as well, and says so', async () => {
  const room = engineRoom(counter((text) => text));
  const { envelope } = await callEngine(room, {
    uses: 'yosys-formal',
    with: { ...USUAL, counterexample: 'build/cex.vcd' },
  });
  expect(envelope.engineering.status).toBe('pass');
  expect(envelope.artifacts).toEqual([]);
  expect(readFileSync(join(room.root, 'build/cex.vcd'), 'utf8')).toMatch(
    /^\$comment No counterexample: 1 assert .* \$end\n\$enddefinitions \$end\n$/,
  );
});

test('a solver that does not come to an end is ended with everything that it started', async () => {
  const room = engineRoom(HARD);
  const { envelope } = await callEngine(room, {
    uses: 'yosys-formal',
    with: { top: 'hard', files: ['rtl/hard.v'], depth: 2 },
    timeoutMs: 2000,
  });
  expect(envelope.error?.code).toBe('engine_timeout');
  expect(envelope.engineering.status).toBe('unknown');
  expect(processesOf(room)).toEqual([]);
});

/** Every process that works in the workspace of the room. */
function processesOf({ root }: EngineRoom): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && lookAt(() => readlinkSync(`/proc/${pid}/cwd`)) === root,
  );
}

function lookAt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

import { expect } from 'vitest';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';

const COUNTER = `module counter (
    input  wire       clk,
    input  wire       rst,
    output reg  [3:0] count
);
  always @(posedge clk)
    if (rst) count <= 4'd0;
    else count <= count + 4'd1;
endmodule
`;
/** Four bits into three: WIDTH. */
const NARROW = COUNTER.replace('output reg  [3:0]', 'output reg  [2:0]');
const waived = (comment: string): string => `${comment}\n${NARROW}/* verilator lint_on WIDTH */\n`;
const USUAL = { top: 'counter', files: ['rtl/*.v'] };

const cases: AdapterCase[] = [
  {
    name: 'a clean counter',
    files: { 'rtl/counter.v': COUNTER },
    with: USUAL,
    expected: 'pass',
    says: /no warning in 1 module below counter/,
    check: ({ envelope, opened }) => {
      expect(envelope.result).toMatchObject({ clean: true, files: 1, modules: 1, waiver_count: 0 });
      expect(envelope.tool_version).toMatch(/^\d+\.\d+/);
      expect(opened).toEqual(['rtl/counter.v']);
    },
  },
  {
    name: 'an include file and a package are opened and told',
    files: {
      'rtl/counter.v': `\`include "width.vh"\n${COUNTER}`,
      'inc/width.vh': '// nothing\n',
      'rtl/a_pkg.sv': 'package a_pkg;\n  localparam int W = 4;\nendpackage\n',
    },
    with: { top: 'counter', files: ['rtl/a_pkg.sv', 'rtl/counter.v'], 'include-dirs': ['inc'] },
    expected: 'pass',
    says: /no warning/,
    check: ({ opened }) =>
      expect([...opened].sort()).toEqual(['inc/width.vh', 'rtl/a_pkg.sv', 'rtl/counter.v']),
  },
  {
    name: 'a width mismatch, at its line',
    files: { 'rtl/counter.v': NARROW },
    with: USUAL,
    expected: 'fail',
    says: /warning.*rtl\/counter\.v:/,
    check: ({ events }) =>
      expect(events.map(({ code, file }) => `${code} ${file}`)).toContainEqual(
        expect.stringMatching(/^WIDTH\w* rtl\/counter\.v:[78]:\d+$/),
      ),
  },
  {
    name: 'a syntax error in the sources',
    files: { 'rtl/counter.v': COUNTER.replace('endmodule', 'endmodul') },
    with: USUAL,
    expected: 'fail',
    says: /error.*rtl\/counter\.v:\d+:\d+: syntax error/,
  },
  {
    name: 'waived by a comment, and nobody allowed it',
    files: { 'rtl/counter.v': waived('/* verilator lint_off WIDTH */') },
    with: USUAL,
    expected: 'unknown',
    says: /1 waiver not named in allow-waivers: WIDTH@rtl\/counter\.v:1/,
  },
  {
    name: 'waived by a comment, allowed for that file',
    files: { 'rtl/counter.v': waived('/* verilator lint_off WIDTH */') },
    with: { ...USUAL, 'allow-waivers': ['WIDTH@rtl/counter.v'] },
    expected: 'pass',
    says: /1 waiver/,
    check: ({ envelope }) =>
      expect(envelope.result).toMatchObject({ waivers: ['WIDTH@rtl/counter.v:1'] }),
  },
  {
    name: 'waived by a comment, allowed for another file',
    files: { 'rtl/counter.v': waived('// verilator lint_off WIDTH') },
    with: { ...USUAL, 'allow-waivers': ['WIDTH@rtl/other.v'] },
    expected: 'unknown',
    says: /1 waiver not named/,
  },
  {
    name: 'waived in an include file',
    files: {
      'rtl/counter.v': `\`include "off.vh"\n${NARROW}`,
      'inc/off.vh': '/* verilator lint_off WIDTH */\n',
    },
    with: { ...USUAL, 'include-dirs': ['inc'] },
    expected: 'unknown',
    says: /WIDTH@inc\/off\.vh:1/,
  },
  {
    name: 'waived by a flag, and nobody allowed it',
    files: { 'rtl/counter.v': NARROW },
    with: { ...USUAL, waive: ['WIDTH'] },
    expected: 'unknown',
    says: /WIDTH@flag/,
  },
  {
    name: 'waived by a flag that is allowed',
    files: { 'rtl/counter.v': NARROW },
    with: { ...USUAL, waive: ['WIDTH'], 'allow-waivers': ['WIDTH'] },
    expected: 'pass',
    says: /1 waiver/,
  },
  {
    name: 'waived by a configuration file, whole',
    files: { 'rtl/counter.v': NARROW, 'off.vlt': '`verilator_config\nlint_off -file "*.v"\n' },
    with: { top: 'counter', files: ['off.vlt', 'rtl/counter.v'], 'allow-waivers': ['WIDTH'] },
    expected: 'unknown',
    says: /1 waiver not named in allow-waivers: \*@off\.vlt:2/,
  },
  {
    name: 'waived by a configuration file, whole, and that is allowed',
    files: { 'rtl/counter.v': NARROW, 'off.vlt': '`verilator_config\nlint_off -file "*.v"\n' },
    with: { top: 'counter', files: ['off.vlt', 'rtl/counter.v'], 'allow-waivers': ['*'] },
    expected: 'pass',
    says: /1 waiver/,
  },
  {
    name: 'a listed file of which nothing is below the top',
    files: { 'rtl/counter.v': COUNTER, 'rtl/orphan.v': 'module orphan;\nendmodule\n' },
    with: USUAL,
    expected: 'unknown',
    says: /no module of rtl\/orphan\.v was elaborated/,
  },
  {
    name: 'another top than the design has',
    files: { 'rtl/counter.v': COUNTER },
    with: { top: 'nothing_of_it', files: ['rtl/*.v'] },
    expected: 'unknown',
    says: /top-module 'nothing_of_it'/,
  },
  {
    name: 'a module that is missing',
    files: { 'rtl/counter.v': COUNTER.replace('endmodule', 'gone g ();\nendmodule') },
    with: USUAL,
    expected: 'unknown',
    says: /Cannot find file containing module: 'gone'/,
  },
  {
    name: 'an include file that is missing, with the syntax errors that follow',
    files: { 'rtl/counter.v': `\`include "gone.vh"\n${COUNTER.replace("4'd1", '`ONE')}` },
    with: USUAL,
    expected: 'unknown',
    says: /Cannot find include file/,
  },
  {
    name: 'a listed file that is missing',
    files: { 'rtl/counter.v': COUNTER },
    with: { top: 'counter', files: ['rtl/counter.v', 'rtl/gone.v'] },
    expected: 'unknown',
    says: /Cannot find file containing module/,
  },
  {
    name: 'a file name that would be an option',
    files: { 'rtl/counter.v': COUNTER },
    with: { top: 'counter', files: ['--version'] },
    expected: 'unknown',
    says: /parameter `files`/,
    error: 'invalid_arguments',
  },
  {
    name: 'raw arguments',
    files: { 'rtl/counter.v': COUNTER },
    with: { args: ['--lint-only', 'rtl/counter.v'] },
    expected: 'unknown',
    says: /raw/,
    error: 'invalid_arguments',
  },
];

adapterCases('verilator-lint', cases);

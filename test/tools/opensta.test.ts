import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { WithValue } from '../../src/flow/stage.ts';
import { isJsonObject, own } from '../../src/values/strict-json.ts';
import { type EngineRoom, writeProgram } from '../support/engine-room.ts';
import { type AdapterCase, adapterCases } from './adapter-cases.ts';
import {
  CROSSING,
  PIPE,
  PIPE_SDC,
  PIPE_SPEF,
  TIED_PIPE,
  TIMED_CELLS,
} from './designs/timed-designs.ts';

type With = Readonly<Record<string, WithValue>>;

const USUAL = { top: 'pipe', netlist: 'build/pipe.v', sdc: 'sta/pipe.sdc', liberty: ['lib/*.lib'] };

/** A case of the pipe with other constraints, or another netlist or library. */
function pipe(
  name: string,
  changes: { sdc?: string; netlist?: string; liberty?: string; with?: With },
  outcome: Omit<AdapterCase, 'name' | 'files' | 'with'>,
): AdapterCase {
  const files = {
    'build/pipe.v': changes.netlist ?? PIPE,
    'sta/pipe.sdc': changes.sdc ?? PIPE_SDC,
    'lib/cells.lib': changes.liberty ?? TIMED_CELLS,
  };
  return { name, files, with: { ...USUAL, ...changes.with }, ...outcome };
}

const unknown = (says: RegExp): Pick<AdapterCase, 'expected' | 'says'> => ({
  expected: 'unknown',
  says,
});

/** A script in the place of the tool. */
function replaced(script: string): (room: EngineRoom) => EngineRoom {
  return (room) => {
    writeProgram(join(room.bin, 'sta'), `#!/bin/sh\n${script}\n`);
    return room;
  };
}
const unlessVersion = (otherwise: string): string =>
  `[ "$1" = -version ] && exec /usr/bin/sta -version\n${otherwise}`;

const TIED_SDC = PIPE_SDC.replace('{a b}', '{a rn}').replace('ports y', 'ports {y z}');
const CLOCKS = `create_clock -name c1 -period 10 [get_ports ck1]
create_clock -name c2 -period 5 [get_ports ck2]
set_input_delay 1 -clock c1 [get_ports a]
set_output_delay 1 -clock c2 [get_ports y]
`;
const VIRTUAL = `create_clock -name clk -period 10 [get_ports clk]
create_clock -name io -period 10
set_input_delay 1 -clock io [get_ports {a b}]
set_output_delay 1 -clock io [get_ports y]
`;
/** A gate with a timing arc from one input only. */
const HALF_GATE = TIMED_CELLS.replace(/timing \(\) \{ related_pin : "B";[\s\S]*?\} \}(?= \})/, '');
/** A register without an arc to its output. */
const DEAF_REGISTER = TIMED_CELLS.replace(
  /(cell \(DFF\)[\s\S]*?function : "IQ"; )timing \(\) \{[\s\S]*?\} \}(?= \})/,
  '$1',
);

const met: AdapterCase[] = [
  pipe(
    'setup and hold met',
    { with: { report: 'build/reports/timing.rpt' } },
    {
      expected: 'pass',
      says: /setup met at 4 endpoints, hold at 4, worst slack 0\.875 ns/,
      check: ({ envelope, opened }) => {
        expect(envelope.result).toMatchObject({
          met: true,
          worst_slack: 0.875,
          setup_worst_slack: 8.25,
          hold_worst_slack: 0.875,
          setup_tns: 0,
          hold_tns: 0,
          endpoints: 4,
          hold_endpoints: 4,
          clocks: 1,
          registers: 3,
          cells: 4,
          violations: 0,
          unconstrained: 0,
          allowed_unconstrained: 0,
          warnings: 0,
          constraints: { create_clock: 1, set_input_delay: 2, set_output_delay: 1 },
          report_path: 'build/reports/timing.rpt',
          netlist: {
            path: 'build/pipe.v',
            fingerprint: expect.stringMatching(/^blake3:[0-9a-f]{64}$/),
          },
        });
        expect(envelope.tool_version).toBe('2.0.17');
        expect([...opened].sort()).toEqual(['build/pipe.v', 'lib/cells.lib', 'sta/pipe.sdc']);
      },
    },
  ),
  pipe(
    'a setup slack of zero',
    { sdc: PIPE_SDC.replace('-period 10', '-period 4.897').replace('delay 1 ', 'delay 4.647 ') },
    {
      expected: 'pass',
      says: /worst slack 0 ns/,
      check: ({ envelope }) =>
        expect(envelope.result).toMatchObject({ setup_worst_slack: 0, violations: 0 }),
    },
  ),
  pipe(
    'a hold slack of zero',
    { sdc: `${PIPE_SDC}set_input_delay -min 0.125 -clock clk [get_ports a]\n` },
    { expected: 'pass', says: /worst slack 0 ns/ },
  ),
  pipe('delays by a virtual clock', { sdc: VIRTUAL }, { expected: 'pass', says: /setup met/ }),
  pipe(
    'a delay given to every input, the clock among them',
    { sdc: PIPE_SDC.replace('[get_ports {a b}]', '[all_inputs]') },
    {
      expected: 'pass',
      says: /setup met/,
      check: ({ envelope }) => expect(envelope.result).toMatchObject({ warnings: 1 }),
    },
  ),
  pipe(
    'two clocks and a path between them',
    { netlist: CROSSING, sdc: CLOCKS, with: { top: 'crossing' } },
    {
      expected: 'pass',
      says: /setup met at 4 endpoints/,
      check: ({ envelope }) => expect(envelope.result).toMatchObject({ clocks: 2, registers: 3 }),
    },
  ),
  pipe(
    'two clocks apart, and the crossing allowed',
    {
      netlist: CROSSING,
      sdc: `${CLOCKS}set_clock_groups -asynchronous -group c1 -group c2\n`,
      with: { top: 'crossing', 'allow-unconstrained': ['r2/?'] },
    },
    {
      expected: 'pass',
      says: /setup met at 3 endpoints/,
      check: ({ envelope }) =>
        expect(envelope.result).toMatchObject({
          allowed_unconstrained: 1,
          allowed_unconstrained_names: ['r2/D'],
        }),
    },
  ),
  pipe(
    'constants at registers, allowed by name',
    { netlist: TIED_PIPE, sdc: TIED_SDC, with: { 'allow-unconstrained': ['rz/D', 'rc/*'] } },
    {
      expected: 'pass',
      says: /setup met/,
      check: ({ envelope }) =>
        expect(envelope.result).toMatchObject({
          allowed_unconstrained_names: ['rc/D', 'rz/D'],
          unconstrained: 0,
        }),
    },
  ),
  pipe(
    'a path without registers, by a virtual clock',
    {
      netlist: 'module pipe (a, y);\n  input a;\n  output y;\n  INV g (.A(a), .Y(y));\nendmodule\n',
      sdc: VIRTUAL.replace(/^.*get_ports clk.*\n/, '').replace('{a b}', 'a'),
    },
    { expected: 'pass', says: /setup met at 1 endpoint/ },
  ),
  pipe(
    'with parasitics of every net',
    { with: { spef: 'build/pipe.spef' } },
    {
      expected: 'pass',
      says: /setup met/,
      check: ({ envelope }) =>
        expect(envelope.result).toMatchObject({ nets: 7, nets_without_parasitics: 0 }),
    },
  ),
  pipe(
    'an SDC of two files, with loops, procs, variables and bits of a bus',
    {
      netlist: PIPE.replace('(clk, a, b, y)', '(clk, d, y)')
        .replace('clk, a, b;', 'clk;\n  input [1:0] d;')
        .replace('.D(a)', '.D(d[0])')
        .replace('.D(b)', '.D(d[1])'),
      sdc: `source sta/clocks.sdc
proc given {delay args} {
  foreach port $args { set_input_delay $delay -clock clk $port }
}
given 1 [get_ports d[0]] \\
  [get_ports d[1]]
puts "period: [get_property [get_clocks clk] period]"
set_output_delay 1 -clock clk [all_outputs]
`,
    },
    {
      expected: 'pass',
      says: /setup met at 4/,
      check: ({ opened }) => expect(opened).toContain('sta/clocks.sdc'),
    },
  ),
  pipe(
    'names with blanks in them',
    { with: { netlist: 'build/the pipe.v', sdc: 'sta/the pipe.sdc' } },
    { expected: 'pass', says: /setup met/ },
  ),
];

const failed: AdapterCase[] = [
  pipe(
    'setup missed (34: the tool exits with 0)',
    {
      sdc: PIPE_SDC.replace('-period 10', '-period 1.5').replaceAll('delay 1 ', 'delay 0.5 '),
      with: { report: 'timing.rpt' },
    },
    {
      expected: 'fail',
      says: /1 violation, the worst at ry\/D \(setup, slack -0\.25 ns\)/,
      check: ({ envelope, events }) => {
        expect(envelope.result).toMatchObject({
          met: false,
          worst_slack: -0.25,
          setup_tns: -0.25,
          hold_worst_slack: 0.375,
          violations: 1,
          report_path: 'timing.rpt',
        });
        expect(events.map(({ code, severity }) => `${severity} ${code}`)).toEqual(['error SETUP']);
      },
    },
  ),
  pipe(
    'hold missed, setup met',
    { sdc: `${PIPE_SDC}set_input_delay -min 0 -clock clk [get_ports a]\n` },
    {
      expected: 'fail',
      says: /ra\/D \(hold, slack -0\.125 ns\)/,
      check: ({ envelope }) =>
        expect(envelope.result).toMatchObject({ setup_worst_slack: 8.25, hold_tns: -0.125 }),
    },
  ),
  pipe(
    'a slack less than zero by a femtosecond',
    {
      sdc:
        PIPE_SDC.replace('output_delay 1', 'output_delay -max 9.500001') +
        'set_output_delay -min 1 -clock clk y\n',
    },
    { expected: 'fail', says: /y \(output setup, slack -\d/ },
  ),
  pipe(
    'a reset that is late',
    {
      netlist: TIED_PIPE,
      sdc: `${TIED_SDC}set_input_delay -max 9.9 -clock clk [get_ports rn]\n`,
      with: { 'allow-unconstrained': ['rz/D', 'rc/D'] },
    },
    { expected: 'fail', says: /ra\/RN \(recovery, slack -0\.15 ns\)/ },
  ),
  pipe(
    'a period that is too short for a register',
    { liberty: TIMED_CELLS.replaceAll('clock : true;', 'clock : true; min_period : 12;') },
    { expected: 'fail', says: /3 violations, the worst at r\w\/CK \(width or period\)/ },
  ),
  pipe(
    'a violation at an endpoint that is allowed without constraints',
    {
      sdc: PIPE_SDC.replace('-period 10', '-period 1.7'),
      with: { 'allow-unconstrained': ['*'] },
    },
    { expected: 'fail', says: /ry\/D/ },
  ),
  pipe(
    'missed for the parasitics alone',
    {
      sdc: PIPE_SDC.replace('-period 10', '-period 2.5'),
      with: { spef: 'build/pipe.spef' },
    },
    { expected: 'fail', says: /ry\/D \(setup/ },
  ),
];

const incomplete: AdapterCase[] = [
  pipe(
    'an empty SDC',
    { sdc: '' },
    {
      ...unknown(/there is no clock: create one in the SDC; \d more reasons/),
      check: ({ envelope }) => {
        expect(envelope.result).toMatchObject({ met: null, clocks: 0, endpoints: 0 });
        expect(envelope.result).not.toHaveProperty('worst_slack');
        expect(envelope.result).not.toHaveProperty('setup_tns');
      },
    },
  ),
  pipe(
    'a clock at a port that is not there (37)',
    { sdc: PIPE_SDC.replace('[get_ports clk]', '[get_ports clock]') },
    {
      ...unknown(/sta\/pipe\.sdc:1: port 'clock' not found/),
      check: ({ events }) =>
        expect(events.map(({ file, raw_msg }) => `${file} ${raw_msg}`)).toContain(
          "sta/pipe.sdc:1 port 'clock' not found.",
        ),
    },
  ),
  pipe(
    'a clock at no port, looked for quietly (37)',
    { sdc: PIPE_SDC.replace('[get_ports clk]', '[get_ports -quiet clock]') },
    unknown(/3 register pins without a clock \(ra\/CK, rb\/CK, ry\/CK\)/),
  ),
  pipe(
    'a second clock that is at no port, and that nothing uses (37)',
    { sdc: `${PIPE_SDC}create_clock -name fast -period 2 [get_ports -quiet fast]\n` },
    unknown(/the clock fast is at no port or pin, and no delay is given by it/),
  ),
  pipe(
    'no delay at inputs and outputs (38)',
    { sdc: PIPE_SDC.replace(/^set_.*\n/gm, '') },
    unknown(/2 inputs without a whole set_input_delay \(a, b\)/),
  ),
  pipe(
    'no delay at inputs and outputs, allowed (38)',
    {
      sdc: PIPE_SDC.replace(/^set_.*\n/gm, ''),
      with: { 'allow-unconstrained': ['a', 'b', 'y', 'ra/D', 'rb/D'] },
    },
    {
      expected: 'pass',
      says: /setup met at 1 endpoint, hold at 1/,
      check: ({ envelope }) => expect(envelope.result).toMatchObject({ allowed_unconstrained: 5 }),
    },
  ),
  pipe(
    'an input delay for setup alone',
    { sdc: PIPE_SDC.replace('set_input_delay 1', 'set_input_delay -max 1') },
    unknown(/2 inputs without a whole set_input_delay/),
  ),
  pipe(
    'an input delay without a clock, at an endpoint that another input reaches',
    {
      netlist: PIPE.replace('.D(a)', '.D(n2)').replace(
        'wire n,',
        'wire n2;\n  NAND2 i (.A(a), .B(b), .Y(n2));\n  wire n,',
      ),
      sdc: `${PIPE_SDC.replace('{a b}', 'a')}set_input_delay 1 [get_ports b]\n`,
    },
    unknown(/1 input without a whole set_input_delay \(b\)/),
  ),
  pipe(
    'an output delay by one edge alone',
    { sdc: PIPE_SDC.replace('set_output_delay 1', 'set_output_delay -rise 1') },
    unknown(/1 output without a whole set_output_delay \(y\)/),
  ),
  pipe(
    'a false path over everything',
    { sdc: `${PIPE_SDC}set_false_path -from [all_clocks]\n` },
    unknown(/4 endpoints without a setup path/),
  ),
  pipe(
    'a false path to one register',
    { sdc: `${PIPE_SDC}set_false_path -hold -to ry/D\n` },
    unknown(/1 endpoint without a hold path \(ry\/D\)/),
  ),
  pipe(
    'a constraint that is missed, and a register that is not constrained',
    {
      sdc: `${PIPE_SDC.replace('-period 10', '-period 1.7')}set_false_path -to ra/D\n`,
    },
    unknown(/1 endpoint without a setup path \(ra\/D\).*; 1 violation all the same/),
  ),
  pipe(
    'timing arcs that the SDC disables',
    { sdc: `${PIPE_SDC}set_disable_timing -from A -to Y [get_cells g]\n` },
    unknown(/1 endpoint without a setup path \(g\/A\)/),
  ),
  pipe(
    'tie cells and constants at registers, and nobody allowed them',
    { netlist: TIED_PIPE, sdc: TIED_SDC },
    unknown(/2 endpoints held at a constant \(rc\/D, rz\/D\)/),
  ),
  pipe(
    'a case analysis that holds a register at a constant',
    { sdc: `${PIPE_SDC}set_case_analysis 0 [get_ports a]\n` },
    unknown(/1 endpoint held at a constant \(ra\/D\)/),
  ),
  pipe(
    'a reset that nobody constrained',
    {
      netlist: TIED_PIPE,
      sdc: TIED_SDC.replace('{a rn}', 'a'),
      with: { 'allow-unconstrained': ['rz/D', 'rc/D'] },
    },
    unknown(/1 input without a whole set_input_delay \(rn\)/),
  ),
  pipe(
    'a gate with an input that nothing drives',
    { netlist: PIPE.replace('.B(qb)', '.B(nobody)') },
    unknown(/1 input that nothing drives \(g\/B\)/),
  ),
  pipe(
    'a gate with an input that is not connected',
    { netlist: PIPE.replace(', .B(qb)', '') },
    unknown(/1 input that nothing drives \(g\/B\)/),
  ),
  pipe(
    'a loop of gates',
    {
      netlist: PIPE.replace(
        'NAND2 g (.A(qa), .B(qb), .Y(n));',
        'NAND2 g (.A(qa), .B(l), .Y(n));\n  NAND2 h (.A(n), .B(qb), .Y(l));',
      ),
    },
    unknown(/the tool says: There is 1 combinational loop/),
  ),
  pipe(
    'a Liberty file that leaves out an arc of a gate',
    { liberty: HALF_GATE },
    unknown(/1 endpoint without a setup path \(g\/B\)/),
  ),
  pipe(
    'a Liberty file that leaves out the arc to the output of a register',
    { liberty: DEAF_REGISTER },
    unknown(/3 outputs that no timing arc leads to \(ra\/Q, rb\/Q, ry\/Q\)/),
  ),
  pipe(
    'a module that is there without its contents (39)',
    {
      netlist: `${PIPE.replace('endmodule', '  stub s (.a(qa));\nendmodule')}module stub (a);\n  input a;\nendmodule\n`,
    },
    unknown(/1 module without contents \(s\)/),
  ),
  pipe(
    'a top without contents',
    { netlist: 'module pipe (clk, a, b, y);\n  input clk, a, b;\n  output y;\nendmodule\n' },
    unknown(/the netlist has no cell/),
  ),
  pipe(
    'parasitics of some nets only',
    { with: { spef: 'build/part.spef' } },
    unknown(/1 driver whose net has no parasitics in the SPEF file \(ry\/Q\)/),
  ),
];

const unreadable: AdapterCase[] = [
  pipe(
    'a cell that no Liberty file has (39)',
    { netlist: PIPE.replace('NAND2 g', 'NAND9 g') },
    {
      ...unknown(/linking pipe: build\/pipe\.v:7: module NAND9 not found for instance g/),
      check: ({ envelope, events }) => {
        expect(envelope.result).not.toHaveProperty('worst_slack');
        expect(events.map(({ file }) => file)).toContain('build/pipe.v:7');
      },
    },
  ),
  pipe(
    'a pin that the cell does not have',
    { netlist: PIPE.replace('.Q(y)', '.QQ(y)') },
    unknown(/build\/pipe\.v:8: instance ry port QQ not found/),
  ),
  pipe(
    'another top than the netlist has (35)',
    { with: { top: 'pipes' } },
    unknown(/pipes is not a/),
  ),
  pipe(
    'a Liberty file that is missing (35)',
    { with: { liberty: ['lib/gone.lib'] } },
    unknown(/lib\/gone\.lib/),
  ),
  pipe(
    'a netlist that is missing',
    { with: { netlist: 'gone.v' } },
    unknown(/gone\.v is not there/),
  ),
  pipe(
    'an SDC that is missing (35)',
    { with: { sdc: 'gone.sdc' } },
    unknown(/cannot read file gone\.sdc/),
  ),
  pipe(
    'parasitics that are missing',
    { with: { spef: 'gone.spef' } },
    unknown(/cannot read file gone\.spef/),
  ),
  pipe(
    'parasitics of another netlist',
    { with: { spef: 'build/other.spef' } },
    unknown(/build\/other\.spef:\d+: .* not found/),
  ),
  pipe(
    'parasitics that are cut off',
    { with: { spef: 'build/cut.spef' } },
    unknown(/build\/cut\.spef:\d+: syntax error/),
  ),
  pipe(
    'a syntax error in the netlist',
    { netlist: PIPE.replace('endmodule', 'endmodul') },
    unknown(/reading build\/pipe\.v: build\/pipe\.v:\d+: syntax error/),
  ),
  pipe(
    'a syntax error in the Liberty file, which the tool reads on from',
    { liberty: TIMED_CELLS.replace(/\}\s*$/, '} }\n') },
    unknown(/lib\/cells\.lib:\d+: syntax error/),
  ),
  pipe(
    'a Liberty file that is cut off',
    { liberty: TIMED_CELLS.slice(0, 1500) },
    unknown(/lib\/cells\.lib:\d+: syntax error/),
  ),
  pipe(
    'one library twice',
    { with: { liberty: ['lib/cells.lib', './lib/cells.lib'] } },
    unknown(/library timed_cells already exists/),
  ),
  pipe(
    'one library twice, the warning allowed',
    {
      with: {
        liberty: ['lib/cells.lib', './lib/cells.lib'],
        'allow-warnings': ['library * already exists.'],
      },
    },
    { expected: 'pass', says: /setup met/ },
  ),
  pipe(
    'a Liberty file that includes another',
    { liberty: TIMED_CELLS.replace('cell (INV)', 'include_file(other.lib);\n  cell (INV)') },
    unknown(/lib\/cells\.lib includes another file/),
  ),
  pipe(
    'an error of Tcl midway in the SDC (35)',
    { sdc: PIPE_SDC.replace('set_output_delay', 'set_output_dely') },
    {
      ...unknown(/sta\/pipe\.sdc:3: invalid command name "set_output_dely"/),
      check: ({ events }) => expect(events.map(({ file }) => file)).toEqual(['sta/pipe.sdc:3']),
    },
  ),
  pipe(
    'an SDC with a command that has no end',
    { sdc: `${PIPE_SDC}if {1} {\n` },
    unknown(/sta\/pipe\.sdc:4: this command has no end/),
  ),
  pipe(
    'an error in a file that the SDC sources, and catches',
    { sdc: `catch { source sta/broken.sdc }\n${PIPE_SDC}` },
    unknown(/sta\/broken\.sdc:2: invalid command name "nonsense"/),
  ),
  pipe(
    'an SDC for units that are not those of the library',
    { sdc: `set_units -time ps\n${PIPE_SDC}` },
    unknown(/sta\/pipe\.sdc:1: time scale 1e-12 does not match library scale 1e-09/),
  ),
];

const hostile: AdapterCase[] = [
  pipe(
    'an SDC that exits before the check (35)',
    { sdc: `${PIPE_SDC}exit 0\n` },
    unknown(/sta\/pipe\.sdc:4: invalid command name "exit"/),
  ),
  pipe(
    'an SDC that redefines what results are told with, over a design that is too slow',
    {
      sdc: `${PIPE_SDC.replace('-period 10', '-period 1.7')}
proc puts {args} {}
proc exit {args} {}
proc find_timing_paths {args} { return {} }
proc write_sdc {args} {}
rename set_false_path set_nothing
namespace eval ::gate { proc record {args} {} }
namespace eval ::sta { proc worst_slack_cmd {args} { return 1 } }
`,
    },
    { expected: 'fail', says: /ry\/D \(setup, slack -0\.05 ns\)/ },
  ),
  pipe(
    'an SDC that prints what the tool might, over a design without delays',
    {
      sdc: `create_clock -name clk -period 10 [get_ports clk]
foreach line {{STA_RESULT done} {slack (MET)} "0\\tdone" {Error: none}} { puts $line }
`,
    },
    unknown(/2 inputs without a whole set_input_delay/),
  ),
  pipe(
    'an SDC that prints an error that is none',
    { sdc: `${PIPE_SDC}puts "Error: nothing"\nputs -nonewline stderr "Warning: x\\nError: y"\n` },
    { expected: 'pass', says: /setup met/ },
  ),
  ...['exec touch owned', 'open owned w', 'file delete build/pipe.v', 'load ./x.so', 'cd /'].map(
    (command) =>
      pipe(
        `an SDC that reaches out: ${command}`,
        { sdc: `${PIPE_SDC}${command}\n` },
        unknown(/sta\/pipe\.sdc:4: invalid command name/),
      ),
  ),
  pipe(
    'an SDC that sources a command of the shell',
    { sdc: `${PIPE_SDC}source {|touch owned}\n` },
    unknown(/cannot read file \|touch owned/),
  ),
  pipe(
    'an SDC with a command where the tool expects a number',
    {
      sdc: `${PIPE_SDC}create_generated_clock -name g -source clk -edges {{[exec touch owned]} 3 5} ra/Q\n`,
    },
    unknown(/sta\/pipe\.sdc:4: a bracket that is no bit of a bus/),
  ),
  pipe(
    'an SDC that sources itself',
    { sdc: `source sta/pipe.sdc\n${PIPE_SDC}` },
    unknown(/files of SDC source each other/),
  ),
  pipe(
    'an SDC with a handle of its own making',
    { sdc: `${PIPE_SDC}set_false_path -to _10ffffffffff0000_p_Port\n` },
    { ...unknown(/SIGSEGV/), error: 'engine_signal' },
  ),
  pipe(
    'an SDC that changes the netlist',
    { sdc: `${PIPE_SDC}read_verilog build/pipe.v\nlink_design pipe\n` },
    unknown(/invalid command name "read_verilog"/),
  ),
  pipe(
    'an SDC that sets a variable of the tool',
    { sdc: `${PIPE_SDC}set sta_crpr_enabled 0\n` },
    unknown(/the SDC sets sta_crpr_enabled/),
  ),
  ...['|touch owned', 'a[exec touch owned].sdc', '} ; exec touch owned ; {', '-exit'].map(
    (sdc): AdapterCase => ({
      ...pipe(
        `a file with the name ${sdc}`,
        { with: { sdc } },
        { ...unknown(/cannot name the file|parameter `sdc`/), error: 'invalid_arguments' },
      ),
    }),
  ),
  pipe(
    'a report in the place of the netlist',
    { with: { report: 'build/pipe.v' } },
    { ...unknown(/report cannot be build\/pipe\.v/), error: 'invalid_arguments' },
  ),
  {
    name: 'raw arguments',
    files: {},
    with: { args: ['-version'] },
    ...unknown(/raw/),
    error: 'invalid_arguments',
  },
];

const broken: AdapterCase[] = [
  {
    ...pipe(
      'the tool is not there',
      {},
      { ...unknown(/`sta`.*is not here/), error: 'engine_not_found' },
    ),
    arrange: (room) => ({ ...room, searchPath: room.bin }),
  },
  pipe(
    'the tool is killed',
    {},
    {
      ...unknown(/SIGKILL/),
      error: 'engine_signal',
      arrange: replaced(unlessVersion('kill -9 $$')),
    },
  ),
  pipe(
    'an SDC without end',
    { sdc: `${PIPE_SDC}while 1 {}\n` },
    { ...unknown(/did not end within/), error: 'engine_timeout', timeoutMs: 1000 },
  ),
  pipe(
    'the tool ends well and does nothing (35)',
    {},
    {
      ...unknown(/records is not there/),
      error: 'output_unparsable',
      arrange: replaced(unlessVersion('exit 0')),
    },
  ),
  pipe(
    'the tool is killed behind a wrapper that exits with 0',
    {},
    {
      ...unknown(/ended before the end of its script|records is not there/),
      error: 'output_unparsable',
      arrange: replaced(
        unlessVersion(
          '/usr/bin/sta "$@" & p=$!; while [ ! -e /proc/$p/exe ]; do :; done; kill -9 $p; exit 0',
        ),
      ),
    },
  ),
  pipe(
    'the tool crashes after its work',
    {},
    {
      ...unknown(/exited with code 3/),
      error: 'engine_nonzero',
      arrange: replaced(unlessVersion('/usr/bin/sta "$@"; exit 3')),
    },
  ),
  pipe(
    'another version of the tool',
    {},
    {
      expected: 'pass',
      says: /setup met/,
      arrange: replaced('[ "$1" = -version ] && echo 2.6.0 && exit\nexec /usr/bin/sta "$@"'),
      check: ({ envelope }) => {
        expect(envelope.tool_version).toBe('2.6.0');
        expect(envelope.provenance.maturity).toBe('structured');
        expect(envelope.provenance.limitations).toContain(
          'sta is 2.6.0; tested with >=2.0.17 <2.1.0.',
        );
      },
    },
  ),
];

/** Files that stand beside the usual ones, whoever needs them. */
const BESIDE = {
  'build/the pipe.v': PIPE,
  'sta/the pipe.sdc': PIPE_SDC,
  'sta/clocks.sdc': 'create_clock -name clk -period 10 [get_ports clk]\n',
  'sta/broken.sdc': '# one\nnonsense\n',
  'build/pipe.spef': PIPE_SPEF,
  'build/part.spef': PIPE_SPEF.slice(0, PIPE_SPEF.indexOf('*D_NET y')),
  'build/cut.spef': PIPE_SPEF.slice(0, PIPE_SPEF.indexOf('*END', PIPE_SPEF.indexOf('*D_NET y'))),
  'build/other.spef': PIPE_SPEF.replaceAll('ry:', 'rz:'),
};

const roots: string[] = [];
adapterCases(
  'opensta',
  [...met, ...failed, ...incomplete, ...unreadable, ...hostile, ...broken].map((one) => ({
    ...one,
    files: { ...BESIDE, ...one.files },
    arrange: (room: EngineRoom) => {
      roots.push(room.root);
      return one.arrange?.(room) ?? room;
    },
    check: (called) => {
      const root = roots.at(-1) ?? '';
      expect(existsSync(join(root, 'owned'))).toBe(false);
      const { result } = called.envelope;
      const report = isJsonObject(result) ? own(result, 'report_path') : undefined;
      if (typeof report === 'string') {
        expect(readFileSync(join(root, report), 'utf8')).toMatch(/slack \((?:MET|VIOLATED)\)/);
      }
      one.check?.(called);
    },
  })),
);

#!/usr/bin/env node
/**
 * Does the netlist do what the RTL says?
 *
 * First a proof by induction over matched registers. Where that fails the answer is still open:
 * induction may just be too weak. So a counterexample is searched for, over a few cycles from
 * reset; only a found one says "no".
 *
 * Yosys' proof alone would take all registers to have one clock, a net with two drivers for either
 * of them, and a register that only the netlist has for whatever makes the outputs equal. So here
 * clocks are data (clk2fflogic), the drivers are checked before, and a proof counts only if every
 * register of the netlist is one of the RTL.
 */
import { runEngine } from './lib/engine.mjs';
import {
  clocksOf,
  findInitial,
  findUnmodelled,
  matchRegisters,
  readProblems,
} from './lib/netlists.mjs';
import { readCounterexample, readInduction, readModelFound } from './lib/sat.mjs';
import { checkModuleName, readSource, readSources, readVerilog } from './lib/sources.mjs';
import { runYosysScript } from './lib/yosys.mjs';

const DEFAULT_DEPTH = 12;

/** A clock is low and then high: one step of the solver for each. */
const STEPS_PER_CYCLE = 2;

/** Low, high, low: in reset each clock has both of its edges. */
const STEPS_IN_RESET = 3;

const descriptor = {
  name: 'equiv',
  summary: 'equivalence of a netlist and its RTL',
  maturity: 'workflow-validated',
  provenance_limitations: [
    'input_hash covers the names of the source, netlist and Liberty files, not their contents.',
    "The Yosys package is identified by its version, and the engine's own lib/ folder not at all.",
    'Registers of one name are taken to start with equal contents.',
    'A counterexample starts with all registers at zero, and in reset where a reset is named.',
  ],
  invocation: {
    args_template: [
      'check',
      '--top',
      '{top}',
      '--liberty',
      '{liberty}',
      '--netlist',
      '{netlist}',
      '{files}',
    ],
    optional: [
      { arg: 'reset', flag: '--reset' },
      { arg: 'depth', flag: '--depth' },
    ],
    emits_json: true,
  },
  inputs: {
    type: 'object',
    required: ['top', 'liberty', 'netlist', 'files'],
    additionalProperties: false,
    properties: {
      top: { type: 'string', description: 'name of the top module, in the RTL and the netlist' },
      liberty: { type: 'string', description: 'Liberty file with the functions of the cells' },
      netlist: { type: 'string', description: 'netlist (Verilog)' },
      files: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Verilog files and the headers (.vh, .svh) that they include',
      },
      reset: { type: 'string', description: 'input, active high, set in the first cycle' },
      depth: {
        type: 'integer',
        minimum: 2,
        maximum: 1000,
        description: `clock cycles searched for a counterexample (default ${DEFAULT_DEPTH})`,
      },
    },
  },
  artifacts: [],
  assertion: {
    id: 'netlist-equivalent',
    field: 'equivalent',
    pass_when: { is_true: true },
    summary_field: 'summary',
  },
  consumes: ['rtl', 'netlist', 'liberty'],
};

await runEngine(import.meta.url, descriptor, async (given, report) => {
  const { top, files, reset, depth = DEFAULT_DEPTH } = given;
  checkModuleName(top);
  if (reset !== undefined) checkModuleName(reset);
  const liberty = readSource(given.liberty);
  const netlist = readSource(given.netlist);
  const sources = readSources(files);
  const gold = await prepareRtl(sources, top, report);
  const gate = await prepareNetlist(netlist, liberty, top, report);

  const outputs = Object.entries(gold.module.ports).filter(
    ([, port]) => port.direction === 'output',
  );
  const figures = {
    top,
    files: sources.files.length,
    output_bits: outputs.reduce((sum, [, { bits }]) => sum + bits.length, 0),
    equiv_cells: 0,
    equiv_proven: 0,
    registers: 0,
    unmatched_registers: 0,
    netlist_digest: netlist.digest,
    liberty_digest: liberty.digest,
  };
  const answer = (equivalent, summary, more) => ({ equivalent, summary, ...figures, ...more });

  const difference = comparePorts(gold.module.ports, gate.module.ports);
  if (difference !== undefined) return answer(false, difference);
  if (outputs.length === 0) return answer(null, 'there is no output: nothing can be compared');

  const obstacle = findObstacle(gold, 'RTL') ?? findObstacle(gate, 'netlist');
  if (obstacle !== undefined) return answer(null, obstacle);

  const names = outputs.map(([name]) => name);
  if (!(await canBeDefined(gold, names, depth, report))) {
    // An undefined value is allowed to become anything, so any netlist would pass.
    return answer(null, 'the RTL leaves an output undefined: equivalence would say nothing');
  }

  const { registers, unmatched } = matchRegisters(gold.module, gate.module);
  figures.registers = registers;
  figures.unmatched_registers = unmatched.length;
  const { cells, proven, unproven } = await prove(gold, gate, report);
  figures.equiv_cells = cells;
  figures.equiv_proven = proven;
  if (proven === cells && cells >= figures.output_bits) {
    if (unmatched.length > 0) {
      const summary = `the netlist has a register that the RTL has not: ${unmatched[0]}`;
      return answer(null, summary, { unmatched });
    }
    const initial = findInitial(gold.module);
    if (initial !== undefined) {
      return answer(null, `${initial} starts with a value in the RTL, and in no netlist`);
    }
    return answer(true, `all ${cells} points are equivalent`);
  }

  const found = await searchDifference(gold, gate, reset, depth, report);
  if (found !== undefined) {
    const summary = `outputs differ in step ${found.length} of a counterexample`;
    return answer(false, summary, { unproven, counterexample: found });
  }
  const open = `${cells - proven} of ${cells} points are not proven`;
  return answer(null, `${open}, no difference within ${depth} cycles`, { unproven });
});

async function prepareRtl(sources, top, report) {
  const read = [readVerilog(sources, '-noblackbox')];
  return await prepare(read, sources.files, top, 'gold', report);
}

async function prepareNetlist(netlist, liberty, top, report) {
  const read = [
    `read_liberty ${liberty.path}`, // with the functions of its cells, so without -lib
    `read_verilog -noblackbox ${netlist.path}`,
  ];
  return await prepare(read, [netlist, liberty], top, 'gate', report);
}

async function prepare(read, files, top, name, report) {
  const run = await runYosysScript(
    [
      ...read,
      `hierarchy -check -top ${top}`,
      'proc -noopt', // what is optimised has no second driver any more
      'setattr -mod -unset keep_hierarchy *',
      'setattr -unset keep_hierarchy *',
      'flatten',
      // check overlooks a net that is both 0 and 1. So it sees a copy in which each of the two comes
      // from a cell: one of Yosys' own that has an output and nothing else.
      'design -push-copy',
      'hilomap -singleton -hicell $initstate Y -locell $initstate Y',
      'tee -o check.txt check',
      'design -pop',
      'memory -nordff',
      'opt_clean',
      `rename ${top} ${name}`,
      `write_json ${name}.json`,
      'design -push-copy',
      'async2sync',
      `write_rtlil ${name}-synchronous.il`,
      'design -pop',
      'clk2fflogic',
      `write_rtlil ${name}.il`,
    ],
    files,
    report,
  );
  const design = (path) => ({ path, bytes: run.text(path) });
  return {
    problems: readProblems(run.text('check.txt')),
    module: JSON.parse(run.text(`${name}.json`)).modules[name],
    file: design(`${name}.il`),
    synchronous: design(`${name}-synchronous.il`),
  };
}

/** Why nothing can be said about this side, or undefined. */
function findObstacle({ problems, module }, side) {
  if (problems.length > 0) return `${problems.length} problem(s) in the ${side}: ${problems[0]}`;
  const unmodelled = findUnmodelled(module);
  return unmodelled && `in the ${side}, ${unmodelled}`;
}

/** The first difference of the ports in words, or undefined. */
function comparePorts(gold, gate) {
  for (const name of new Set([...Object.keys(gold), ...Object.keys(gate)])) {
    const describe = (port) =>
      port ? `${port.direction} of ${port.bits.length} bit(s)` : 'absent';
    const [inRtl, inNetlist] = [describe(gold[name]), describe(gate[name])];
    if (inRtl !== inNetlist)
      return `port ${name}: ${inRtl} in the RTL, ${inNetlist} in the netlist`;
  }
  return undefined;
}

/** Whether there is a run at whose end every output has a value. A step is a cycle here. */
async function canBeDefined({ synchronous }, outputs, depth, report) {
  const defined = outputs.map((name) => `-set-def-at ${depth} ${name}`).join(' ');
  const options = `-seq ${depth} -set-init-def -set-def-inputs ${defined}`;
  const run = await runYosysScript(
    ['read_rtlil gold-synchronous.il', `tee -o answer.txt sat ${options} gold`],
    [synchronous],
    report,
  );
  return readModelFound(run.text('answer.txt'));
}

async function prove(gold, gate, report) {
  const run = await runYosysScript(
    [
      'read_rtlil gold.il',
      'read_rtlil gate.il',
      'equiv_make gold gate equiv',
      'hierarchy -top equiv',
      'equiv_simple -undef',
      'equiv_induct -undef',
      'tee -o answer.txt equiv_status',
    ],
    [gold.file, gate.file],
    report,
  );
  const text = run.text('answer.txt');
  const [, cells] = /^Found (\d+) \$equiv cells/m.exec(text) ?? [];
  const [, proven] = /^ +Of those cells (\d+) are proven/m.exec(text) ?? [];
  const unproven = [...text.matchAll(/^ +Unproven \$equiv .*: \\(.+)_gold/gm)];
  return {
    cells: Number(cells ?? 0),
    proven: Number(proven ?? 0),
    unproven: [...new Set(unproven.map(([, name]) => name))].sort(),
  };
}

/** Inputs and outputs of a run in whose last step the outputs differ; undefined if none is found. */
async function searchDifference(gold, gate, reset, depth, report) {
  const steps = depth * STEPS_PER_CYCLE;
  // Steps in reset (-seq) are not compared: before it has acted, the outputs may show anything.
  const stepsInReset = reset === undefined ? 0 : STEPS_IN_RESET;
  const given = [];
  for (let step = 1; step <= stepsInReset; step++) given.push(`-set-at ${step} in_${reset} 1`);
  // The only clock just ticks. With several of them the solver chooses.
  const clocks = clocksOf(gold.module);
  const ticking = clocks.length === 1 ? steps : stepsInReset;
  for (const clock of clocks) {
    for (let step = 1; step <= ticking; step++) {
      given.push(`-set-at ${step} in_${clock} ${(step - 1) % STEPS_PER_CYCLE}`);
    }
  }
  const run = await runYosysScript(
    [
      'read_rtlil gold.il',
      'read_rtlil gate.il',
      'miter -equiv -ignore_gold_x -flatten -make_outputs -make_assert gold gate miter',
      'hierarchy -top miter',
      'rename -enumerate', // trace.json would hold names that JSON does not allow
      // From zero, or the two sides start with different memories and differ at once.
      `tee -o answer.txt sat -prove-asserts -set-init-zero -set-def-inputs ${given.join(' ')} ` +
        `-seq ${stepsInReset} -tempinduct-baseonly -maxsteps ${steps - stepsInReset} ` +
        '-show-ports -dump_json trace.json miter',
    ],
    [gold.file, gate.file],
    report,
  );
  const { answer, step } = readInduction(run.text('answer.txt'));
  if (answer !== 'refuted') return undefined;
  const isPort = (name) => /^(in|gold|gate)_[^.]+$/.test(name);
  return readCounterexample(run.text('trace.json'), stepsInReset + step, isPort);
}

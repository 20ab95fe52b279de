#!/usr/bin/env node
/**
 * Does the netlist do what the RTL says?
 *
 * First a proof by induction over matched registers. Where that fails the answer is still open:
 * induction may just be too weak. So a counterexample is searched for, over a few cycles from
 * reset; only a found one says "no".
 */
import { runEngine } from './lib/engine.mjs';
import { readCounterexample, readInduction, readModelFound } from './lib/sat.mjs';
import { checkModuleName, readSource, readSources, readVerilog } from './lib/sources.mjs';
import { runYosysScript } from './lib/yosys.mjs';

const DEFAULT_DEPTH = 12;

const descriptor = {
  name: 'equiv',
  summary: 'equivalence of a netlist and its RTL',
  maturity: 'workflow-validated',
  provenance_limitations: [
    'input_hash covers the names of the source, netlist and Liberty files, not their contents.',
    "The Yosys package is identified by its version, and the engine's own lib/ folder not at all.",
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

  const outputs = Object.entries(gold.ports).filter(([, port]) => port.direction === 'output');
  const figures = {
    top,
    files: sources.files.length,
    output_bits: outputs.reduce((sum, [, { bits }]) => sum + bits.length, 0),
    equiv_cells: 0,
    equiv_proven: 0,
    netlist_digest: netlist.digest,
    liberty_digest: liberty.digest,
  };
  const answer = (equivalent, summary, more) => ({ equivalent, summary, ...figures, ...more });

  const difference = comparePorts(gold.ports, gate.ports);
  if (difference !== undefined) return answer(false, difference);
  if (outputs.length === 0) return answer(null, 'there is no output: nothing can be compared');

  const names = outputs.map(([name]) => name);
  if (!(await canBeDefined(gold, names, depth, report))) {
    // An undefined value is allowed to become anything, so any netlist would pass.
    return answer(null, 'the RTL leaves an output undefined: equivalence would say nothing');
  }

  const { cells, proven, unproven } = await prove(gold, gate, report);
  figures.equiv_cells = cells;
  figures.equiv_proven = proven;
  if (proven === cells && cells >= figures.output_bits) {
    return answer(true, `all ${cells} points are equivalent`);
  }

  const found = await searchDifference(gold, gate, reset, depth, report);
  if (found !== undefined) {
    const summary = `outputs differ in cycle ${found.length} of a counterexample`;
    return answer(false, summary, { unproven, counterexample: found });
  }
  const open = `${cells - proven} of ${cells} points are not proven`;
  return answer(null, `${open}, no difference within ${depth} cycles`, { unproven });
});

async function prepareRtl(sources, top, report) {
  const commands = [
    readVerilog(sources, '-noblackbox'),
    `hierarchy -check -top ${top}`,
    'proc',
    'flatten',
    'memory',
    'opt_clean',
    `rename ${top} gold`,
  ];
  return await prepare(commands, sources.files, 'gold', report);
}

async function prepareNetlist(netlist, liberty, top, report) {
  const commands = [
    `read_liberty ${liberty.path}`, // with the functions of its cells, so without -lib
    `read_verilog -noblackbox ${netlist.path}`,
    `hierarchy -check -top ${top}`,
    'proc',
    'flatten',
    'opt_clean',
    `rename ${top} gate`,
  ];
  return await prepare(commands, [netlist, liberty], 'gate', report);
}

async function prepare(commands, files, name, report) {
  const write = [`write_rtlil ${name}.il`, `write_json ${name}.json`];
  const run = await runYosysScript([...commands, ...write], files, report);
  return {
    ports: JSON.parse(run.text(`${name}.json`)).modules[name].ports,
    file: { path: `${name}.il`, bytes: run.text(`${name}.il`) },
  };
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

/** Whether there is a run at whose end every output has a value. */
async function canBeDefined({ file }, outputs, depth, report) {
  const defined = outputs.map((name) => `-set-def-at ${depth} ${name}`).join(' ');
  const options = `-seq ${depth} -set-init-def -set-def-inputs ${defined}`;
  const run = await runYosysScript(
    ['read_rtlil gold.il', `tee -o answer.txt sat ${options} gold`],
    [file],
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

/** Inputs and outputs of a run in whose last cycle the outputs differ; undefined if none is found. */
async function searchDifference(gold, gate, reset, depth, report) {
  // With a reset, the first cycle (-seq) is not compared: before it has acted, the outputs may
  // show anything.
  const cyclesInReset = reset === undefined ? 0 : 1;
  const inReset = reset === undefined ? '' : `-set-at 1 in_${reset} 1`;
  const run = await runYosysScript(
    [
      'read_rtlil gold.il',
      'read_rtlil gate.il',
      'miter -equiv -ignore_gold_x -flatten -make_outputs -make_assert gold gate miter',
      'hierarchy -top miter',
      // From zero, or the two sides start with different memories and differ at once.
      `tee -o answer.txt sat -prove-asserts -set-init-zero -set-def-inputs ${inReset} ` +
        `-seq ${cyclesInReset} -tempinduct-baseonly -maxsteps ${depth - cyclesInReset} ` +
        '-show-ports -dump_json trace.json miter',
    ],
    [gold.file, gate.file],
    report,
  );
  const { answer, step } = readInduction(run.text('answer.txt'));
  if (answer !== 'refuted') return undefined;
  const isPort = (name) => /^(in|gold|gate)_[^.]+$/.test(name);
  return readCounterexample(run.text('trace.json'), cyclesInReset + step, isPort);
}

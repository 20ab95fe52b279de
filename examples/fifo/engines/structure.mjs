#!/usr/bin/env node
/**
 * Structural check: no latch, no wire without a driver, no wire with two, no logic loop.
 *
 * Yosys accepts all four without a word and builds something that differs from simulation.
 */
import { runEngine } from './lib/engine.mjs';
import { placeOf } from './lib/places.mjs';
import { checkModuleName, readSources, readVerilog } from './lib/sources.mjs';
import { readStatistics } from './lib/statistics.mjs';
import { runYosysScript } from './lib/yosys.mjs';

const descriptor = {
  name: 'structure',
  summary: 'structural check of RTL: latches, undriven wires, conflicting drivers, logic loops',
  maturity: 'workflow-validated',
  provenance_limitations: [
    'input_hash covers the names of the source files, not their contents.',
    "The Yosys package is identified by its version, and the engine's own lib/ folder not at all.",
  ],
  invocation: {
    args_template: ['check', '--top', '{top}', '{files}'],
    optional: [],
    emits_json: true,
  },
  inputs: {
    type: 'object',
    required: ['top', 'files'],
    additionalProperties: false,
    properties: {
      top: { type: 'string', description: 'name of the top module' },
      files: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Verilog files and the headers (.vh, .svh) that they include',
      },
    },
  },
  artifacts: [],
  assertion: {
    id: 'structure-clean',
    field: 'clean',
    pass_when: { is_true: true },
    summary_field: 'summary',
  },
  consumes: ['rtl'],
};

const LATCHES = ['$dlatch', '$adlatch', '$dlatchsr', '$sr'];

await runEngine(import.meta.url, descriptor, async ({ top, files }, report) => {
  checkModuleName(top);
  const sources = readSources(files);
  const run = await runYosysScript(
    [
      // Without -noblackbox an empty module would count as a cell from elsewhere.
      readVerilog(sources, '-noblackbox'),
      `hierarchy -check -top ${top}`,
      'tee -o modules.json stat -json',
      'proc',
      // Flat, or a loop through two modules and an unconnected input go unseen.
      'flatten',
      'tee -q -o check.txt check', // quiet: we report what it finds,
      'tee -o flat.json stat -json',
      'write_json design.json',
    ],
    sources.files,
    report,
  );

  const design = JSON.parse(run.text('design.json')).modules[top];
  const problems = [...findLatches(design), ...readCheck(run.text('check.txt'), design)];
  for (const { kind, message, places } of problems) {
    report('error', message, { code: `STRUCTURE-${kind.toUpperCase()}`, file: places[0] });
  }

  const { modules } = readStatistics(run.text('modules.json'), top);
  const { cells } = readStatistics(run.text('flat.json'), top);
  const count = (kind) => problems.filter((problem) => problem.kind === kind).length;
  return {
    ...judge(problems, cells),
    top,
    files: sources.files.length,
    modules,
    cells,
    latches: count('latch'),
    undriven: count('undriven'),
    conflicting_drivers: count('conflicting-drivers'),
    loops: count('loop'),
    problems,
  };
});

function judge(problems, cells) {
  if (problems.length > 0) {
    return { clean: false, summary: `${problems.length} structural problem(s)` };
  }
  if (cells === 0)
    return { clean: null, summary: 'the design is empty: there was nothing to check' };
  return { clean: true, summary: `no structural problem in ${cells} cells` };
}

function findLatches({ cells }) {
  return Object.values(cells)
    .filter(({ type }) => LATCHES.includes(type))
    .map(({ attributes, connections }) => ({
      kind: 'latch',
      message: `a latch of ${connections.Q.length} bit(s): not every path assigns the value`,
      places: [placeOf(attributes)].filter(Boolean),
    }));
}

/**
 * The report of `check`: a `Warning:` line for each problem, indented lines with the cells that
 * take part, and the number of problems at the end, which must agree with what was understood.
 */
function readCheck(text, design) {
  const problems = [];
  for (const line of text.split('\n')) {
    const message = /^Warning: (.*?):?$/.exec(line)?.[1];
    if (message !== undefined) {
      const wire = /^Wire [^.]+\.\\?(\S+)/.exec(message)?.[1];
      problems.push({
        kind: kindOf(message),
        message: message.replace(/ for \S*\$\S*$/, ''), // a name that Yosys made up helps nobody
        places: [placeOf(design.netnames[wire]?.attributes)].filter(Boolean),
      });
    } else {
      const cell = /^ +(?:port \S+ of )?cell (\S+) \(/.exec(line)?.[1];
      const place = placeOf(design.cells[cell?.replace(/^\\/, '')]?.attributes);
      if (place !== undefined) problems.at(-1)?.places.push(place);
    }
  }
  const reported = /^Found and reported (\d+) problems\.$/m.exec(text)?.[1];
  if (Number(reported) !== problems.length) {
    throw new Error(`check reports ${reported} problems, ${problems.length} were read`);
  }
  return problems;
}

function kindOf(message) {
  if (message.includes('used but has no driver')) return 'undriven';
  if (message.includes('conflicting drivers')) return 'conflicting-drivers';
  if (message.includes('logic loop')) return 'loop';
  return 'other';
}

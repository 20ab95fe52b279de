#!/usr/bin/env node
/**
 * Synthesis to the cells of a Liberty file. Writes the netlist and its statistics.
 *
 * The netlist depends on the logic alone: no attributes, no source lines, no date. So an edit
 * of a comment gives the same bytes, and what reads only the netlist stays valid.
 */
import { runEngine } from './lib/engine.mjs';
import { readLibraryCells } from './lib/liberty.mjs';
import { writeOutput } from './lib/outputs.mjs';
import { checkModuleName, digest, readSource, readSources, readVerilog } from './lib/sources.mjs';
import { readStatistics } from './lib/statistics.mjs';
import { runYosysScript } from './lib/yosys.mjs';

const descriptor = {
  name: 'synth',
  summary: 'synthesis of RTL to the cells of a Liberty file',
  maturity: 'workflow-validated',
  provenance_limitations: [
    'input_hash covers the names of the source and Liberty files, not their contents.',
    "The Yosys package is identified by its version, and the engine's own lib/ folder not at all.",
    'Nothing is said about timing.',
  ],
  invocation: {
    args_template: [
      'run',
      '--top',
      '{top}',
      '--liberty',
      '{liberty}',
      '--netlist',
      '{netlist}',
      '--stat',
      '{stat}',
      '{files}',
    ],
    optional: [],
    emits_json: true,
  },
  inputs: {
    type: 'object',
    required: ['top', 'liberty', 'netlist', 'stat', 'files'],
    additionalProperties: false,
    properties: {
      top: { type: 'string', description: 'name of the top module' },
      liberty: { type: 'string', description: 'Liberty file with the cells to use' },
      netlist: { type: 'string', description: 'where to write the netlist (Verilog)' },
      stat: { type: 'string', description: 'where to write the statistics (JSON)' },
      files: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Verilog files and the headers (.vh, .svh) that they include',
      },
    },
  },
  artifacts: [
    { role: 'netlist', field: 'netlist_path' },
    { role: 'synthesis_statistics', field: 'stat_path' },
  ],
  assertion: {
    id: 'netlist-mapped',
    field: 'mapped',
    pass_when: { is_true: true },
    summary_field: 'summary',
  },
  consumes: ['rtl', 'liberty'],
};

await runEngine(import.meta.url, descriptor, async (given, report) => {
  const { top, files } = given;
  checkModuleName(top);
  const sources = readSources(files);
  const liberty = readSource(given.liberty);
  const run = await runYosysScript(
    [
      `read_liberty -lib ${liberty.path}`,
      'write_json library.json',
      readVerilog(sources, '-noblackbox'),
      `hierarchy -check -top ${top}`,
      'proc',
      'tee -o check-rtl.txt check', // synthesis would tie undriven wires to a constant
      `synth -flatten -nordff -top ${top}`,
      `dfflibmap -liberty ${liberty.path}`,
      `abc -liberty ${liberty.path}`,
      'opt_clean -purge',
      'tee -o check-netlist.txt check -mapped',
      `tee -o stat.json stat -liberty ${liberty.path} -json`,
      'write_verilog -noattr netlist.v',
    ],
    [...sources.files, liberty],
    report,
  );

  const netlist = run.text('netlist.v');
  const statistics = readStatistics(run.text('stat.json'), top);
  const library = readLibraryCells(run.text('library.json'));
  const problems =
    countProblems(run.text('check-rtl.txt')) + countProblems(run.text('check-netlist.txt'));
  const unmapped = Object.entries(statistics.cells_by_type)
    .filter(([type]) => !library.includes(type))
    .reduce((sum, [, count]) => sum + count, statistics.memories + statistics.processes);

  writeOutput(given.netlist, netlist);
  writeOutput(given.stat, `${JSON.stringify({ top, ...statistics }, null, 2)}\n`);
  report('info', `wrote ${given.netlist} and ${given.stat}`, { code: 'SYNTH-WROTE' });
  return {
    ...judge(statistics, problems, unmapped),
    top,
    files: sources.files.length,
    cells: statistics.cells,
    cells_by_type: statistics.cells_by_type,
    area: statistics.area,
    unmapped,
    problems,
    netlist_path: given.netlist,
    netlist_digest: digest(netlist),
    stat_path: given.stat,
    liberty_digest: liberty.digest,
  };
});

function judge({ cells, area }, problems, unmapped) {
  if (unmapped > 0) return { mapped: false, summary: `${unmapped} cell(s) are not in the Liberty` };
  if (problems > 0) return { mapped: false, summary: `${problems} problem(s) found by check` };
  if (cells === 0) return { mapped: null, summary: 'the netlist is empty' };
  return { mapped: true, summary: `${cells} cells, area ${area}` };
}

function countProblems(check) {
  const count = /^Found and reported (\d+) problems\.$/m.exec(check)?.[1];
  if (count === undefined) throw new Error('check did not say how many problems it found');
  return Number(count);
}

#!/usr/bin/env node
/**
 * Holds a netlist against an area budget. Reads the netlist and the Liberty file, nothing else.
 */
import { runEngine } from './lib/engine.mjs';
import { readLibraryCells } from './lib/liberty.mjs';
import { checkModuleName, readSource } from './lib/sources.mjs';
import { readStatistics } from './lib/statistics.mjs';
import { runYosysScript } from './lib/yosys.mjs';

const descriptor = {
  name: 'cells',
  summary: 'area of a netlist against a budget',
  maturity: 'workflow-validated',
  provenance_limitations: [
    'input_hash covers the names of the netlist and the Liberty file, not their contents.',
    "The Yosys package is identified by its version, and the engine's own lib/ folder not at all.",
    'Area is the sum of the cells; placement and wiring are not in it.',
  ],
  invocation: {
    args_template: [
      'check',
      '--top',
      '{top}',
      '--liberty',
      '{liberty}',
      '--max-area',
      '{max_area}',
      '{netlist}',
    ],
    optional: [],
    emits_json: true,
  },
  inputs: {
    type: 'object',
    required: ['top', 'liberty', 'max_area', 'netlist'],
    additionalProperties: false,
    properties: {
      top: { type: 'string', description: 'name of the top module' },
      liberty: { type: 'string', description: 'Liberty file with the areas of the cells' },
      max_area: { type: 'number', description: 'the budget, in the unit of the Liberty file' },
      netlist: { type: 'string', description: 'netlist (Verilog)' },
    },
  },
  artifacts: [],
  assertion: {
    id: 'area-within-budget',
    field: 'within_budget',
    pass_when: { is_true: true },
    summary_field: 'summary',
  },
  consumes: ['netlist', 'liberty'],
};

await runEngine(import.meta.url, descriptor, async (given, report) => {
  const { top, max_area } = given;
  checkModuleName(top);
  const liberty = readSource(given.liberty);
  const netlist = readSource(given.netlist);
  const run = await runYosysScript(
    [
      `read_liberty -lib ${liberty.path}`,
      'write_json library.json',
      `read_verilog -noblackbox ${netlist.path}`,
      `hierarchy -check -top ${top}`,
      'flatten',
      `tee -o stat.json stat -liberty ${liberty.path} -json`,
    ],
    [liberty, netlist],
    report,
  );

  const statistics = readStatistics(run.text('stat.json'), top);
  const { cells, cells_by_type, area } = statistics;
  const library = readLibraryCells(run.text('library.json'));
  const strangers = Object.keys(cells_by_type).filter((type) => !library.includes(type));
  return {
    ...judge(statistics, strangers, max_area),
    top,
    cells,
    cells_by_type,
    area,
    max_area,
    netlist_digest: netlist.digest,
    liberty_digest: liberty.digest,
  };
});

function judge({ cells, area, processes, memories }, strangers, max_area) {
  if (cells === 0) return { within_budget: null, summary: 'the netlist has no cell' };
  if (strangers.length > 0) {
    const names = strangers.join(', ');
    return { within_budget: null, summary: `the Liberty file has no area for ${names}` };
  }
  if (processes + memories > 0) {
    return { within_budget: null, summary: 'the netlist holds logic that is not in cells' };
  }
  return { within_budget: area <= max_area, summary: `area ${area} of ${max_area}` };
}

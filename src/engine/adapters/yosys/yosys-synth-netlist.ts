import { err, ok, type Result } from '../../../values/result.ts';
import { plural, printable } from '../../../values/text.ts';
import { withoutComments } from '../verilog-text.ts';
import { readWritten } from '../written.ts';
import type { LibertyCell } from './liberty-cells.ts';
import { type CheckReport, readCheck } from './yosys-check.ts';
import { placeOfSource } from './yosys-log.ts';
import { readArea, readStatistics, type Statistics } from './yosys-stat.ts';
import type { Opinion } from './yosys-synth-elaborate.ts';

/** What was written of a netlist. */
export interface MappedNetlist {
  readonly statistics: Statistics;
  readonly check: CheckReport;
  /** A loop that showed when the memories were gone. */
  readonly loop: string | undefined;
  /** A line that gives something no value. */
  readonly open: string | undefined;
  readonly area: number | null;
  readonly unmappedCells: readonly UnmappedCell[];
}

/** @param at the path of what the script wrote under a name */
export function readNetlist(
  at: (name: string) => string,
  top: string,
): Result<MappedNetlist, string> {
  const [stat, loops, checked, area, left, netlist] = [
    ...['stat.json', 'loops.txt', 'mapped.txt', 'area.txt', 'unmapped.il', 'netlist.v'],
  ].map((name) => readWritten(at(name)));
  for (const text of [stat, loops, checked, area, left, netlist]) if (text && !text.ok) return text;
  if (!stat?.ok || !loops?.ok || !checked?.ok || !area?.ok || !left?.ok || !netlist?.ok) {
    return err('nothing was written');
  }
  const statistics = readStatistics(stat.value, top);
  if (!statistics.ok) return statistics;
  const check = readCheck(checked.value, new Map());
  const before = readCheck(loops.value, new Map());
  if (check === undefined || before === undefined) {
    return err('yosys did not say how many problems the netlist has');
  }
  return ok({
    statistics: statistics.value,
    check,
    loop: before.findings.find(({ code }) => code === 'LOOP')?.message,
    open: openIn(netlist.value),
    area: readArea(area.value),
    unmappedCells: unmappedIn(left.value),
  });
}

/** A constant of the netlist that is x or z in a bit. */
function openIn(netlist: string): string | undefined {
  const line = withoutComments(netlist)
    .split('\n')
    .find((one) => /\b\d+'s?[bh][0-9a-f_]*[xz]/.test(one));
  return line === undefined ? undefined : printable(line.trim(), 100);
}

/** A cell of Yosys' own that no cell of the technology stands for. */
export interface UnmappedCell {
  readonly type: string;
  readonly name: string;
  readonly place: string | undefined;
}

/** Cells as RTLIL has them: an attribute stands before what it belongs to. */
function unmappedIn(dump: string): UnmappedCell[] {
  const cells: UnmappedCell[] = [];
  let place: string | undefined;
  for (const line of dump.split('\n')) {
    const source = /^ *attribute \\src "([^"]*)"$/.exec(line);
    if (source) place = placeOfSource(source[1]);
    const cell = /^ *cell (\$\S+) (\S+)$/.exec(line);
    if (cell) cells.push({ type: cell[1] ?? '', name: cell[2] ?? '', place });
    if (/^ *(?:cell|wire|module|end)\b/.test(line)) place = undefined;
  }
  return cells;
}

/** @param boxes the names of black boxes that may be in it */
export function opinionOf(
  { statistics, check, loop, open, area }: MappedNetlist,
  liberty: ReadonlyMap<string, LibertyCell>,
  boxes: readonly string[],
): Opinion {
  const { cells, cellsByType, memories, processes } = statistics;
  if (loop !== undefined) {
    return { clean: false, summary: `1 problem behind the memories and tables: ${loop}` };
  }
  const internal = [...cellsByType.keys()].filter((type) => type.startsWith('$'));
  if (internal.length > 0) {
    const named = internal.slice(0, 3).join(', ');
    return { clean: false, summary: `no cell of the Liberty file stands for ${named}` };
  }
  if (check.problems > 0) {
    return {
      clean: false,
      summary: `${plural(check.problems, 'problem')} in the netlist: ${check.first ?? ''}`,
    };
  }
  const foreign = [...cellsByType.keys()].filter(
    (type) => !liberty.has(type) && !boxes.includes(type),
  );
  if (foreign.length > 0) {
    const named = foreign.slice(0, 3).join(', ');
    return { clean: null, summary: `the netlist holds what the Liberty file does not: ${named}` };
  }
  const unwanted = [...cellsByType.keys()].filter((type) => liberty.get(type)?.isDontUse);
  if (unwanted.length > 0) {
    const named = unwanted.slice(0, 3).join(', ');
    return { clean: null, summary: `the netlist holds what the library says not to use: ${named}` };
  }
  if (open !== undefined) {
    return { clean: null, summary: `the netlist has a pin or a port without a value: ${open}` };
  }
  if (memories > 0 || processes > 0) {
    return { clean: null, summary: 'memories or processes are left in the netlist' };
  }
  if (cells === 0) return { clean: null, summary: 'the netlist has no cell' };
  const size = area === null ? '' : `, area ${area}`;
  return { clean: true, summary: `${plural(cells, 'cell')} of the Liberty file${size}` };
}

import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fingerprintFile } from '../../../fingerprint/file.ts';
import type { Fingerprint } from '../../../values/brands.ts';
import { err, ok, type Result } from '../../../values/result.ts';
import type { JsonObject } from '../../../values/strict-json.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { isOn, textIn, textsIn } from '../values.ts';
import type { LibertyCell } from './liberty-cells.ts';
import { runYosys } from './yosys-script.ts';
import type { Elaborated, Opinion } from './yosys-synth-elaborate.ts';
import { opinionOf, readNetlist } from './yosys-synth-netlist.ts';

export interface Mapped {
  readonly verdict: Opinion;
  readonly figures: JsonObject;
  readonly netlist: { readonly file: string; readonly fingerprint: Fingerprint } | undefined;
}

/**
 * Maps a design that was found sound to the cells of the Liberty file. State machines keep the
 * encoding that they have in the sources, and memories their registers, so that the registers of
 * the netlist can be told by their names.
 */
export async function mapToCells(
  bench: Bench,
  { design, liberty, latches }: Elaborated,
): Promise<Result<Mapped, EnvelopeError>> {
  const { values, folder, workspace } = bench;
  const top = textIn(values, 'top') ?? '';
  const library = join(folder, 'cells.lib');
  // A plain name: each of these commands has its own idea of quotes.
  symlinkSync(resolve(workspace, textIn(values, 'liberty') ?? ''), library);
  const at = (name: string): string => join(folder, name);
  const latchMap = latches > 0 ? latchMapOf(liberty) : undefined;
  if (latchMap !== undefined) writeFileSync(at('latches.v'), latchMap);
  const run = await runYosys(bench, 'map', [
    `read_rtlil ${design}`,
    `synth ${isOn(values, 'keep-hierarchy') ? '' : '-flatten'} -nofsm -nordff -top ${top}`,
    // Once more: before, a loop through a memory or a table was hidden in it.
    `tee -o ${at('loops.txt')} check`,
    `dfflibmap -liberty ${library}`,
    ...(latchMap === undefined ? [] : [`techmap -map ${at('latches.v')}`, 'simplemap']),
    `abc -liberty ${library}`,
    ...tieCommand(liberty),
    'opt_clean -purge',
    `tee -o ${at('mapped.txt')} check -mapped`,
    `tee -o ${at('stat.json')} stat -json -top ${top}`,
    `tee -o ${at('area.txt')} stat -liberty ${library} -top ${top}`,
    `dump -o ${at('unmapped.il')} t:$*`,
    `write_verilog -noattr ${at('netlist.v')}`,
  ]);
  if (!run.ok) return run;
  if (!run.value.isDone) {
    const why = run.value.log.error?.text ?? '';
    // The one error that says what of the design has no cell: a kind of register.
    if (!/^FF \S+ .*cannot be legalized: /.test(why)) return err(noAnswer('yosys', run.value));
    return ok({ verdict: { clean: false, summary: why }, figures: {}, netlist: undefined });
  }
  const read = readNetlist(at, top);
  if (!read.ok) return err(unusable(read.error));
  const { statistics, area, unmappedCells } = read.value;
  for (const { type, name, place } of unmappedCells) {
    bench.finding({
      severity: 'error',
      code: 'UNMAPPED',
      message: `no cell of the Liberty file stands for ${name}, a ${type}`,
      place,
    });
  }
  const netlist = fingerprintFile(at('netlist.v'));
  if (!netlist.ok) return err(unusable(netlist.error.message));
  const flops = [...statistics.cellsByType]
    .filter(([type]) => liberty.get(type)?.isFlop)
    .reduce((sum, [, count]) => sum + count, 0);
  const unmapped = [...statistics.cellsByType].filter(([type]) => type.startsWith('$'));
  const figures = {
    cells: statistics.cells,
    flops,
    area,
    unmapped: unmapped.reduce((sum, [, count]) => sum + count, 0),
    cells_by_type: Object.fromEntries(statistics.cellsByType),
  };
  return ok({
    verdict: opinionOf(read.value, liberty, textsIn(values, 'allow-black-boxes')),
    figures,
    netlist: { file: at('netlist.v'), fingerprint: netlist.value },
  });
}

function usable(liberty: ReadonlyMap<string, LibertyCell>): LibertyCell[] {
  return [...liberty.values()].filter(({ isDontUse }) => !isDontUse);
}

/** Constants at pins and ports become cells, where the library has both. */
function tieCommand(liberty: ReadonlyMap<string, LibertyCell>): string[] {
  const cells = usable(liberty);
  const low = cells.find(({ constant }) => constant?.value === '0');
  const high = cells.find(({ constant }) => constant?.value === '1');
  if (!low?.constant || !high?.constant || !isPlain(low) || !isPlain(high)) return [];
  return [
    `hilomap -locell ${low.name} ${low.constant.pin} -hicell ${high.name} ${high.constant.pin}`,
  ];
}

/** Yosys maps flip-flops to a library and no latches: this maps those without set and reset. */
function latchMapOf(liberty: ReadonlyMap<string, LibertyCell>): string | undefined {
  const plain = usable(liberty).filter((cell) => cell.latch && isPlain(cell));
  const [cell] = plain;
  const latch = cell?.latch;
  if (cell === undefined || latch === undefined) return undefined;
  const module = (name: string, enable: string): string =>
    `module \\${name} (input E, input D, output Q);
  ${cell.name} _TECHMAP_REPLACE_ (.${latch.enable}(${enable}), .${latch.data}(D), .${latch.output}(Q));
endmodule
`;
  return (
    module('$_DLATCH_P_', latch.isLow ? '~E' : 'E') +
    module('$_DLATCH_N_', latch.isLow ? 'E' : '~E')
  );
}

/** Can the names of a cell be written into a script as they are? */
function isPlain({ name, latch, constant }: LibertyCell): boolean {
  const names = [name, latch?.enable, latch?.data, latch?.output, constant?.pin];
  return names.every((one) => one === undefined || /^[A-Za-z_]\w*$/.test(one));
}

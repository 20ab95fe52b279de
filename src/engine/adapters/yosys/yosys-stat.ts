import { err, ok, type Result } from '../../../values/result.ts';
import { isJsonObject, own, parseStrictObjectText } from '../../../values/strict-json.ts';

/** What `stat -json` counts in a design, every instance of a module for itself. */
export interface Statistics {
  readonly cells: number;
  readonly cellsByType: ReadonlyMap<string, number>;
  readonly memories: number;
  readonly processes: number;
}

/** Reads what `stat -json -top` wrote; the error says in words what is wrong with it. */
export function readStatistics(text: string, top: string): Result<Statistics, string> {
  const parsed = parseStrictObjectText(text);
  if (!parsed.ok) return err(`the statistics cannot be used: ${parsed.error.message}`);
  const modules = own(parsed.value, 'modules');
  const design = own(parsed.value, 'design');
  if (!isJsonObject(modules) || !isJsonObject(own(modules, `\\${top}`)) || !isJsonObject(design)) {
    return err(`the statistics do not tell of ${top}`);
  }
  const types = own(design, 'num_cells_by_type');
  if (!isJsonObject(types)) return err('the statistics name no types of cells');
  const cellsByType = new Map<string, number>();
  for (const [type, count] of Object.entries(types)) {
    if (!isCount(count)) return err(`the statistics do not count the cells of type ${type}`);
    cellsByType.set(type, count);
  }
  const cells = own(design, 'num_cells');
  const memories = own(design, 'num_memories');
  const processes = own(design, 'num_processes');
  if (!isCount(cells) || !isCount(memories) || !isCount(processes)) {
    return err('the statistics lack a count');
  }
  const sum = [...cellsByType.values()].reduce((total, count) => total + count, 0);
  if (sum !== cells) return err(`the statistics count ${cells} cells and name ${sum}`);
  return ok({ cells, cellsByType, memories, processes });
}

/** The area in what `stat -liberty` printed; with several modules that of all of them. */
export function readArea(text: string): number | null {
  const all = /^ {3}Chip area for top module '.*': (\d+(?:\.\d+)?)$/m.exec(text);
  const found = all ?? /^ {3}Chip area for module '.*': (\d+(?:\.\d+)?)$/m.exec(text);
  return found?.[1] === undefined ? null : Number(found[1]);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** Figures out of `stat -json`. */
import { EngineError } from './engine-error.mjs';

/** Marks hierarchy that was flattened away; no logic. */
const NO_LOGIC = ['$scopeinfo'];

/**
 * The figures of one module. Yosys prints valid JSON for a design that lost its module, so a
 * missing one counts as empty, never as good.
 */
export function readStatistics(text, module) {
  const { modules } = parse(text);
  const own = Object.hasOwn(modules, `\\${module}`) ? modules[`\\${module}`] : undefined;
  const types = Object.entries(own?.num_cells_by_type ?? {}).filter(
    ([type]) => !NO_LOGIC.includes(type),
  );
  return {
    modules: Object.keys(modules).length,
    cells: types.reduce((sum, [, count]) => sum + count, 0),
    cells_by_type: Object.fromEntries(types),
    area: own?.area ?? 0,
    memories: own?.num_memories ?? 0,
    processes: own?.num_processes ?? 0,
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new EngineError('the statistics of Yosys are not JSON');
  }
}

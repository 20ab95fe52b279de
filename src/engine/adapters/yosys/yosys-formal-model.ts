import { err, ok, type Result } from '../../../values/result.ts';
import { own } from '../../../values/strict-json.ts';
import { readWritten } from '../written.ts';
import { type Bit, readYosysJson, type YosysCell, type YosysModule } from './yosys-json.ts';

/** One assert, assume or cover of the design. */
export interface Property {
  /** As the solver's side names it; unique in the model. */
  readonly id: string;
  /** For people: its label behind its instances, or `FILE:LINE` where it has none. */
  readonly name: string;
  /** `path:line`, with a column where that is known. */
  readonly place: string | undefined;
  /** The statement that it comes from, by its last line: one of a loop or of a module gives several. */
  readonly statement:
    | { readonly range: string; readonly file: string; readonly line: number }
    | undefined;
}

/** What is to be proven, as it reached the solver's input. */
export interface FormalModel {
  readonly asserts: readonly Property[];
  readonly assumes: readonly Property[];
  readonly covers: readonly Property[];
  /** `s_eventually` properties, which the solver's input leaves out without a word. */
  readonly liveness: readonly Property[];
  /** The edges that registers change at; a model of steps cannot tell two of them apart. */
  readonly clocks: number;
  /** Does a register change at an edge that logic makes? Then it may never come. */
  readonly isClockMade: boolean;
}

const COMMENT = /^; yosys-smt2-(assert|assume|cover) \d+ (\S+)(?: .*)?$/gm;
const END = '; end of yosys output';

/**
 * Reads the two descriptions of one model: the cells that Yosys had when it wrote it, for places and
 * clocks, and the model itself, which is what will be solved. They must name the same properties.
 *
 * @param paths.cells path of what `json` wrote of the properties of the flat design
 * @param paths.registers path of what it wrote of the registers before, those of clocked properties among them
 * @param paths.smt2 path of what `write_smt2` wrote
 */
export function readModel(
  paths: { readonly cells: string; readonly registers: string; readonly smt2: string },
  top: string,
): Result<FormalModel, string> {
  const text = readWritten(paths.smt2);
  if (!text.ok) return text;
  if (!text.value.trimEnd().endsWith(END)) return err('the model was cut short');
  if (!text.value.includes(`\n; yosys-smt2-topmod ${top}\n`)) {
    return err(`the model is not of ${top}`);
  }
  const registers = moduleOf(paths.registers, top);
  if (!registers.ok) return registers;
  const cells = moduleOf(paths.cells, top);
  if (!cells.ok) return cells;
  const ofType = (...types: string[]): Property[] =>
    [...(cells.value?.cells ?? [])].flatMap(([name, cell]) =>
      types.includes(cell.type) ? [property(name, cell)] : [],
    );
  const model = {
    asserts: ofType('$assert'),
    assumes: ofType('$assume'),
    covers: ofType('$cover'),
    liveness: ofType('$live', '$fair'),
    ...clocksOf(registers.value),
  };
  const solved = [...text.value.matchAll(COMMENT)].map(([, kind, id]) => `${kind} ${id}`);
  const described = [
    ...model.asserts.map(({ id }) => `assert ${id}`),
    ...model.assumes.map(({ id }) => `assume ${id}`),
    ...model.covers.map(({ id }) => `cover ${id}`),
  ];
  return solved.sort().join('\n') === described.sort().join('\n')
    ? ok(model)
    : err('the model does not hold the properties of the design');
}

/** The one module that is left; without anything of what was asked for it is not told. */
function moduleOf(path: string, top: string): Result<YosysModule | undefined, string> {
  const modules = readYosysJson(path);
  return modules.ok ? ok(modules.value.get(top)) : modules;
}

function clocksOf(module: YosysModule | undefined): Pick<FormalModel, 'clocks' | 'isClockMade'> {
  const cells = [...(module?.cells.values() ?? [])];
  const free = new Set<Bit>([
    ...[...(module?.ports.values() ?? [])].flatMap(({ bits }) => bits),
    ...cells.flatMap(({ type, connections }) =>
      type === '$anyseq' ? (connections.get('Y') ?? []) : [],
    ),
  ]);
  return {
    clocks: new Set(cells.flatMap((cell) => edgeOf(cell) ?? [])).size,
    isClockMade: cells.some(
      ({ type, connections }) =>
        type === '$dff' && !(connections.get('CLK') ?? []).every((bit) => free.has(bit)),
    ),
  };
}

const RANGE = /^(.+):(\d+)\.(\d+)-(\d+)\.\d+$/s;

function property(cell: string, { attributes }: YosysCell): Property {
  // The solver's side has no backslash in its names.
  const id = cell.replaceAll('\\', '/');
  const isLabelled = !id.startsWith('$');
  // The innermost of the ranges of a cell: those before it are of the instances around it.
  const range = RANGE.exec(withLetters(String(own(attributes, 'src')).split('|').at(-1) ?? ''));
  if (!range) return { id, name: id, place: undefined, statement: undefined };
  const [text, file = '', line, column, lastLine] = range;
  const statement = { range: text, file, line: Number(lastLine) };
  // Without a label the range begins where what stands before it ends, on a line before, often.
  return isLabelled
    ? { id, name: id, place: `${file}:${line}:${column}`, statement }
    : { id, name: `${file}:${lastLine}`, place: `${file}:${lastLine}`, statement };
}

/** Yosys 0.23 writes the bytes of a letter beyond ASCII into JSON as `\uFFFFFFC3\uFFFFFFBC`. */
function withLetters(text: string): string {
  return text.replace(/(?:\uFFFFFF[0-9A-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('\uFFFFFF', ''), 'hex').toString('utf8'),
  );
}

/** What a register changes at; a latch and a register of the global clock change in every step. */
function edgeOf({ type, connections, parameters }: YosysCell): string | undefined {
  if (type === '$ff') return 'step';
  if (type !== '$dff') return undefined;
  const isRising = String(own(parameters, 'CLK_POLARITY')).endsWith('1');
  return `${isRising ? 'rising' : 'falling'} ${JSON.stringify(connections.get('CLK'))}`;
}

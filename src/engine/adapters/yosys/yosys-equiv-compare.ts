import { plural } from '../../../values/text.ts';
import type { Sides } from './yosys-equiv-sides.ts';
import { type Bit, whereIs, type YosysCell, type YosysModule } from './yosys-json.ts';
import { placeOfSource } from './yosys-log.ts';

/** What can be said of the two designs without any proof. */
export interface Shapes {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  readonly outputBits: number;
  /** Ports that one side has and the other has not, or has otherwise. */
  readonly differences: readonly Difference[];
  /** Why they cannot be compared. */
  readonly obstacle: string | undefined;
  /** Bits of registers of the netlist, and those of them that the sources do not have by that name. */
  readonly registers: number;
  readonly unmatched: readonly string[];
  /** Do equal contents on both sides mean the same, register by register? */
  readonly isOneToOne: boolean;
  /** Does one edge of one input clock every register on both sides? */
  readonly hasOneClock: boolean;
  /** Why a proof would not be enough. */
  readonly doubt: string | undefined;
  /** Where the sources bring in x, if anywhere; it may still reach nothing. */
  readonly unknown: string | undefined;
}

export interface Port {
  readonly name: string;
  readonly width: number;
  readonly place: string | undefined;
}

export interface Difference {
  readonly message: string;
  readonly place: string | undefined;
}

export function compareShapes({ gold: { module: gold }, gate: { module: gate } }: Sides): Shapes {
  const outputs = portsOf(gold, 'output');
  const pairs = pairRegisters(gold, gate);
  const clock = clockOf(gold);
  return {
    inputs: portsOf(gold, 'input'),
    outputs,
    outputBits: outputs.reduce((sum, { width }) => sum + width, 0),
    differences: differencesOf(gold, gate),
    obstacle: obstacleOf(gold, gate, outputs),
    registers: pairs.bits,
    unmatched: pairs.unmatched,
    isOneToOne: pairs.isOneToOne,
    hasOneClock: clock !== undefined && clock === clockOf(gate),
    doubt: doubtOf(gold, pairs.unmatched),
    unknown: whereIs(gold, 'x'),
  };
}

function doubtOf(gold: YosysModule, unmatched: readonly string[]): string | undefined {
  if (unmatched.length > 0) {
    const named = unmatched.slice(0, 3).join(', ');
    return `${plural(unmatched.length, 'register bit')} of the netlist that no register of the sources is named as: ${named}`;
  }
  const initial = [...gold.nets].find(([, net]) =>
    /[01]/.test(String(net.attributes['init'] ?? '')),
  );
  return initial && `${initial[0]} starts with a value in the sources, and in no netlist`;
}

function portsOf(module: YosysModule, direction: string): Port[] {
  return [...module.ports]
    .filter(([, port]) => port.direction === direction)
    .map(([name, { bits }]) => ({ name, width: bits.length, place: placeOfNet(module, name) }));
}

function placeOfNet(module: YosysModule, name: string): string | undefined {
  return placeOfSource(module.nets.get(name)?.attributes['src']);
}

function differencesOf(gold: YosysModule, gate: YosysModule): Difference[] {
  const differences: Difference[] = [];
  for (const [name, port] of gold.ports) {
    const other = gate.ports.get(name);
    const place = placeOfNet(gold, name);
    if (other === undefined) {
      differences.push({ message: `the netlist has no port ${name}`, place });
    } else if (other.direction !== port.direction || other.bits.length !== port.bits.length) {
      const [asked, is] = [port, other].map(
        ({ direction, bits }) => `${direction} of ${plural(bits.length, 'bit')}`,
      );
      differences.push({ message: `${name} is an ${asked}, in the netlist an ${is}`, place });
    }
  }
  for (const name of gate.ports.keys()) {
    if (!gold.ports.has(name)) {
      const place = placeOfNet(gate, name);
      differences.push({ message: `the sources have no port ${name}`, place });
    }
  }
  return differences;
}

function obstacleOf(
  gold: YosysModule,
  gate: YosysModule,
  outputs: readonly Port[],
): string | undefined {
  if (outputs.length === 0) return 'the sources have no output: there is nothing to compare';
  const both = [...gold.ports].find(([, { direction }]) => direction === 'inout');
  if (both) return `${both[0]} is an inout, of which yosys has no model`;
  const open = whereIs(gate, 'x');
  if (open !== undefined) return `the netlist has a pin or a port without a value (${open})`;
  return undefined;
}

/** Types of cells that hold a value: `$dff`, `$adffe`, `$dlatch`, `$_DFF_P_`, `$_DLATCH_N_` and so on. */
const REGISTER =
  /^\$(?:[a-z]*dff[a-z]*|[a-z]*dlatch[a-z]*|sr|ff|_[A-Z]*DFF[A-Z]*_\w*|_DLATCH[A-Z]*_\w*|_SR_\w*|_FF_)$/;

function isRegister({ type }: YosysCell): boolean {
  return REGISTER.test(type);
}

interface Pairs {
  readonly bits: number;
  readonly unmatched: readonly string[];
  readonly isOneToOne: boolean;
}

/**
 * Which register of the netlist is which of the sources: by the name of what it drives, directly or
 * through inverters, as a register that is set is made of one that is cleared.
 */
function pairRegisters(gold: YosysModule, gate: YosysModule): Pairs {
  const sources = registerBits(gold);
  const cells = registerBits(gate);
  const names = (module: YosysModule, bits: readonly Bit[]): ReadonlySet<string> =>
    new Set(bits.flatMap((bit) => namesOfBit(module, bit)));
  const [known, made] = [names(gold, sources), names(gate, cells)];
  const has = (module: YosysModule, bit: Bit, set: ReadonlySet<string>): boolean =>
    namesOfBit(module, bit).some((name) => set.has(name));
  const behind = inverters(gate);
  const unmatched: string[] = [];
  let isOneToOne = sources.every((bit) => has(gold, bit, made));
  for (const cell of cells) {
    if (has(gate, cell, known)) continue;
    isOneToOne = false;
    const reached = new Set<Bit>([cell]);
    // What is added while it runs is visited too.
    for (const bit of reached) for (const next of behind.get(bit) ?? []) reached.add(next);
    if (![...reached].some((bit) => has(gate, bit, known))) {
      unmatched.push(namesOfBit(gate, cell)[0] ?? 'one without a name');
    }
  }
  return { bits: cells.length, unmatched, isOneToOne };
}

function registerBits(module: YosysModule): Bit[] {
  return [...module.cells.values()]
    .filter(isRegister)
    .flatMap(({ connections }) => connections.get('Q') ?? []);
}

/** The outputs of inverters and buffers, by input. */
function inverters(module: YosysModule): ReadonlyMap<Bit, readonly Bit[]> {
  const behind = new Map<Bit, Bit[]>();
  for (const { type, connections } of module.cells.values()) {
    if (type !== '$_NOT_' && type !== '$_BUF_') continue;
    const [from] = connections.get('A') ?? [];
    const [to] = connections.get('Y') ?? [];
    if (from === undefined || to === undefined) continue;
    const others = behind.get(from);
    if (others) others.push(to);
    else behind.set(from, [to]);
  }
  return behind;
}

const NAMES = new WeakMap<YosysModule, ReadonlyMap<Bit, readonly string[]>>();

/** What the bit is called, with the width of the net: yosys pairs nets of one name and width. */
function namesOfBit(module: YosysModule, bit: Bit): readonly string[] {
  const known = NAMES.get(module) ?? nameBits(module);
  NAMES.set(module, known);
  return known.get(bit) ?? [];
}

function nameBits(module: YosysModule): ReadonlyMap<Bit, readonly string[]> {
  const names = new Map<Bit, string[]>();
  for (const [name, { bits }] of module.nets) {
    if (name.startsWith('$')) continue;
    for (const [index, bit] of bits.entries()) {
      if (typeof bit !== 'number') continue;
      const text = bits.length === 1 ? name : `${name}[${index}] of ${bits.length}`;
      const others = names.get(bit);
      if (others) others.push(text);
      else names.set(bit, [text]);
    }
  }
  return names;
}

/**
 * The input that clocks every register, with the edge. Then one step can stand for one cycle;
 * without registers any step can.
 */
function clockOf(module: YosysModule): string | undefined {
  const inputs = new Map<Bit, string>();
  for (const [name, { direction, bits }] of module.ports) {
    if (direction === 'input')
      for (const [index, bit] of bits.entries()) inputs.set(bit, `${name}[${index}]`);
  }
  const clocks = new Set<string | undefined>();
  for (const cell of module.cells.values()) {
    if (!isRegister(cell)) continue;
    const pin = cell.connections.get('CLK') ?? cell.connections.get('C');
    const input = inputs.get(pin?.[0] ?? '');
    const edge = edgeOf(cell);
    clocks.add(input === undefined || edge === undefined ? undefined : `${edge} of ${input}`);
  }
  if (clocks.size === 0) return 'none';
  return clocks.size === 1 ? [...clocks][0] : undefined;
}

function edgeOf({ type, parameters }: YosysCell): string | undefined {
  const letter = /^\$_S?DFF(?:E|SRE?)?_([PN])/.exec(type)?.[1];
  if (letter !== undefined) return letter;
  const polarity = parameters['CLK_POLARITY'];
  if (polarity === undefined) return undefined;
  return /^0*$/.test(String(polarity)) ? 'N' : 'P';
}

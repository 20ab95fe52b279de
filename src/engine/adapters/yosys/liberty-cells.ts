import { err, ok, type Result } from '../../../values/result.ts';

/** What a Liberty file says of one cell, as far as it matters for mapping. */
export interface LibertyCell {
  readonly name: string;
  /** Does it hold a flip-flop, or a bank of them? */
  readonly isFlop: boolean;
  readonly isLatch: boolean;
  /** Can an output of it let go of its net? */
  readonly isTriState: boolean;
  /** A plain latch: one pin opens it, one is held, one shows what is held. */
  readonly latch: PlainLatch | undefined;
  /** Does the library say that no tool is to choose it? */
  readonly isDontUse: boolean;
  /** What it does that the model which Yosys makes of it does not; undefined when that is nothing. */
  readonly unmodelled: string | undefined;
  /** A cell without inputs that drives one constant. */
  readonly constant: { readonly pin: string; readonly value: '0' | '1' } | undefined;
}

export interface PlainLatch {
  readonly enable: string;
  /** Is it open while its enable is low? */
  readonly isLow: boolean;
  readonly data: string;
  readonly output: string;
}

interface Group {
  readonly kind: string;
  readonly args: readonly string[];
  readonly attributes: Map<string, string>;
  readonly groups: Group[];
}

const TOKEN =
  /(\s+|\/\*[\s\S]*?\*\/|\/\/[^\n]*)|"((?:\\[\s\S]|[^"\\])*)"|([(){}:;,])|([^\s(){}:;,"]+)/g;
const KEPT = ['cell', 'pin', 'ff', 'ff_bank', 'latch', 'latch_bank'];

/**
 * Reads the cells of a Liberty file, by name. It takes what tools take (semicolons and quotes left
 * out, comments anywhere), and skips what says nothing of a cell's function.
 */
export function readLibertyCells(text: string): Result<ReadonlyMap<string, LibertyCell>, string> {
  const root = readGroups(text);
  if (root === undefined) return err('its groups are not closed');
  const cells = new Map<string, LibertyCell>();
  for (const library of root.groups) {
    if (library.kind !== 'library') continue;
    for (const group of library.groups) {
      const [name] = group.args;
      if (group.kind !== 'cell' || name === undefined) continue;
      if (cells.has(name)) return err(`it defines the cell ${name} twice`);
      cells.set(name, cellOf(name, group));
    }
  }
  return ok(cells);
}

function readGroups(text: string): Group | undefined {
  const root = newGroup('', []);
  const open = [root];
  let word = '';
  let args: string[] = [];
  let parentheses = 0;
  let value: string[] | undefined;
  const endValue = (): void => {
    if (value !== undefined) open.at(-1)?.attributes.set(word, value.join(' '));
    value = undefined;
  };
  for (const [, blank, quoted, sign, plain] of text.matchAll(TOKEN)) {
    if (blank !== undefined) {
      // Some files leave the semicolon out: then the line ends the value.
      if (value !== undefined && value.length > 0 && blank.includes('\n')) endValue();
    } else if (sign === undefined) {
      const token = quoted ?? plain ?? '';
      if (parentheses > 0) args.push(token);
      else if (value !== undefined) value.push(token);
      else {
        word = token;
        args = [];
      }
    } else if (sign === '(') {
      if (value === undefined) parentheses++;
      else value.push(sign);
    } else if (sign === ')') {
      if (value === undefined) parentheses = Math.max(0, parentheses - 1);
      else value.push(sign);
    } else if (parentheses > 0) {
      if (sign === ':') args.push(sign);
    } else if (sign === ':') {
      value = [];
    } else if (sign === '{') {
      const group = newGroup(word, args);
      const around = open.at(-1);
      if (around && (open.length === 1 || KEPT.includes(word))) around.groups.push(group);
      open.push(group);
    } else {
      endValue();
      if (sign === '}' && open.length > 1) open.pop();
      else if (sign === '}') return undefined;
    }
  }
  return open.length === 1 ? root : undefined;
}

function newGroup(kind: string, args: readonly string[]): Group {
  return { kind, args, attributes: new Map(), groups: [] };
}

function cellOf(name: string, { groups, attributes: own }: Group): LibertyCell {
  const pins = groups.filter(({ kind }) => kind === 'pin');
  const latches = groups.filter(({ kind }) => kind === 'latch' || kind === 'latch_bank');
  const inputs = pins.filter((pin) => pin.attributes.get('direction') === 'input');
  const [only] = pins;
  const driven = pins.length === 1 && inputs.length === 0 ? only?.attributes.get('function') : '';
  const constant = driven === '0' || driven === '1' ? driven : undefined;
  const pin = only?.args[0];
  return {
    name,
    isFlop: groups.some(({ kind }) => kind === 'ff' || kind === 'ff_bank'),
    isLatch: latches.length > 0,
    isTriState: pins.some(({ attributes }) => attributes.has('three_state')),
    isDontUse: own.get('dont_use') === 'true',
    unmodelled: groups.map(unmodelled).find((why) => why !== undefined),
    latch: latches.length === 1 ? plainLatch(latches[0], pins, inputs) : undefined,
    constant: constant !== undefined && pin !== undefined ? { pin, value: constant } : undefined,
  };
}

/** Yosys (0.23) lets the clear win, and knows one clock. */
function unmodelled({ attributes }: Group): string | undefined {
  if (attributes.has('clocked_on_also')) return 'has a second clock';
  if (!attributes.has('clear') || !attributes.has('preset')) return undefined;
  const isClearFirst =
    attributes.get('clear_preset_var1') === 'L' && attributes.get('clear_preset_var2') === 'H';
  return isClearFirst ? undefined : 'is not simply cleared while its clear and its preset are on';
}

function plainLatch(
  latch: Group | undefined,
  pins: readonly Group[],
  inputs: readonly Group[],
): PlainLatch | undefined {
  if (latch?.kind !== 'latch' || inputs.length !== 2) return undefined;
  const enable = /^\s*(!?)\s*(\w+)\s*('?)\s*$/.exec(latch.attributes.get('enable') ?? '');
  const data = (latch.attributes.get('data_in') ?? '').trim();
  const output = pins.find((pin) => pin.attributes.get('function')?.trim() === latch.args[0]);
  const [, before, name, after] = enable ?? [];
  const isInput = (pin: string | undefined): boolean => inputs.some(({ args }) => args[0] === pin);
  if (name === undefined || !isInput(name) || !isInput(data) || output?.args[0] === undefined) {
    return undefined;
  }
  return {
    enable: name,
    isLow: (before ?? '') !== (after ?? '') && !(before && after),
    data,
    output: output.args[0],
  };
}

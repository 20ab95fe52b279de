import { err, ok, type Result } from '../../../values/result.ts';
import type { StaMessage } from './opensta-messages.ts';

/** What the script of a run found, line by line. */
export interface StaRecords {
  /** Where the work ended early, and why. */
  readonly stopped: { readonly step: string; readonly why: string } | undefined;
  readonly isLinked: boolean;
  readonly cells: number | undefined;
  readonly registers: number | undefined;
  /** Files of SDC that were read. */
  readonly sdcFiles: readonly string[];
  readonly errors: readonly StaMessage[];
  readonly warnings: readonly StaMessage[];
  /** Variables of the tool that the SDC set. */
  readonly settings: readonly string[];
  readonly clocks: readonly { readonly name: string; readonly isVirtual: boolean }[];
  /** Ports and pins that a clock starts at. */
  readonly sources: ReadonlySet<string>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** What the tool's own check of the constraints says, by its kind. */
  readonly checks: ReadonlyMap<string, StaCheck>;
  /** Every pin that is to have a constrained path, and whether it is held at a constant. */
  readonly endpoints: ReadonlyMap<string, { readonly isConstant: boolean }>;
  readonly hollow: readonly string[];
  readonly floating: readonly string[];
  /** Pins and ports whose net has several drivers. */
  readonly contended: readonly string[];
  readonly untimed: readonly string[];
  /** Nets that parasitics were looked for at, and the drivers of those without. */
  readonly nets: number;
  readonly bare: readonly string[];
  /** From the driver of a net to each of its loads, where it has parasitics. */
  readonly wires: readonly { readonly from: string; readonly to: string }[];
  readonly setup: StaFigures;
  readonly hold: StaFigures;
  /** Pins that miss another check of time: a width, a period, a skew. */
  readonly violated: readonly string[];
}

export interface StaCheck {
  readonly message: string;
  readonly names: readonly string[];
}

/** Times are in seconds. */
export interface StaFigures {
  /** The worst path of each endpoint that has one. */
  readonly paths: ReadonlyMap<string, StaPath>;
  readonly worst: number | undefined;
  readonly totalNegative: number | undefined;
}

export interface StaPath {
  readonly slack: number;
  /** What is checked at its end: `setup`, `hold`, `output setup`, `recovery`, … */
  readonly check: string;
}

interface Figures {
  readonly paths: Map<string, StaPath>;
  worst: number | undefined;
  totalNegative: number | undefined;
}

/** The kinds of records that are lists of names. */
const LISTS = [
  'sdc',
  'setting',
  'source',
  'input',
  'output',
  'hollow',
  'floating',
  'contended',
  'untimed',
  'bare',
  'violated',
] as const;
type ListKind = (typeof LISTS)[number];

/** Reads the records; what does not come whole, to its last line, is none. */
export function readStaRecords(text: string, nonce: string): Result<StaRecords, string> {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.pop() !== `${nonce}\tdone`) {
    return err('sta ended before the end of its script');
  }
  const lists = new Map<string, string[]>(LISTS.map((kind) => [kind, []]));
  const listed = (kind: ListKind): string[] => lists.get(kind) ?? [];
  const errors: StaMessage[] = [];
  const warnings: StaMessage[] = [];
  const clocks: { name: string; isVirtual: boolean }[] = [];
  const wires: { from: string; to: string }[] = [];
  const checks = new Map<string, { message: string; names: string[] }>();
  const endpoints = new Map<string, { isConstant: boolean }>();
  const setup: Figures = { paths: new Map(), worst: undefined, totalNegative: undefined };
  const hold: Figures = { paths: new Map(), worst: undefined, totalNegative: undefined };
  let stopped: StaRecords['stopped'];
  let isLinked = false;
  let cells: number | undefined;
  let registers: number | undefined;
  let nets = 0;
  for (const line of lines) {
    const [mark, kind = '', first = '', second = '', third = '', fourth] = line.split('\t');
    if (mark !== nonce) return err('the records of sta hold a line that is none');
    const list = lists.get(kind);
    if (list !== undefined) {
      list.push(first);
      continue;
    }
    const figures = first === 'max' ? setup : hold;
    const place = first === '' ? undefined : `${first}:${second}`;
    if (kind === 'stopped') stopped = { step: first, why: second };
    else if (kind === 'linked') isLinked = true;
    else if (kind === 'cells') cells = numberOf(first);
    else if (kind === 'registers') registers = numberOf(first);
    else if (kind === 'net') nets++;
    else if (kind === 'wire') wires.push({ from: first, to: second });
    else if (kind === 'error') errors.push({ text: third, place });
    else if (kind === 'warning') warnings.push({ text: third, place });
    else if (kind === 'clock') clocks.push({ name: first, isVirtual: second !== '0' });
    else if (kind === 'check') {
      checks.set(first, { message: second, names: checks.get(first)?.names ?? [] });
    } else if (kind === 'named') checks.get(first)?.names.push(second);
    else if (kind === 'endpoint') endpoints.set(first, { isConstant: second !== '' });
    else if (kind === 'worst') figures.worst = numberOf(second);
    else if (kind === 'tns') figures.totalNegative = numberOf(second);
    else if (kind === 'path') {
      const slack = numberOf(third);
      if (slack === undefined) return err(`sta names no slack for ${second}`);
      const known = figures.paths.get(second);
      if (known === undefined || slack < known.slack) {
        figures.paths.set(second, { slack, check: fourth ?? '' });
      }
    } else return err(`the records of sta hold a line of no known kind, ${kind}`);
  }
  return ok({
    stopped,
    isLinked,
    cells,
    registers,
    sdcFiles: listed('sdc'),
    errors,
    warnings,
    settings: listed('setting'),
    clocks,
    sources: new Set(listed('source')),
    inputs: listed('input'),
    outputs: listed('output'),
    checks,
    endpoints,
    hollow: listed('hollow'),
    floating: listed('floating'),
    contended: listed('contended'),
    untimed: listed('untimed'),
    nets,
    bare: listed('bare'),
    wires,
    setup,
    hold,
    violated: listed('violated'),
  });
}

/** The tool writes 1e30 for what it does not know. */
const UNKNOWN = 1e29;

function numberOf(text: string): number | undefined {
  if (!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Math.abs(value) < UNKNOWN ? value : undefined;
}

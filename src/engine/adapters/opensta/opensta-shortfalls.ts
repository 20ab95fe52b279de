import { plural } from '../../../values/text.ts';
import { fitsAny } from '../wildcard.ts';
import { isComplete, type PortDelays, type StaConstraints } from './opensta-constraints.ts';
import type { StaFigures, StaRecords } from './opensta-records.ts';
import type { SpefNets } from './opensta-spef.ts';

/** What was not timed, or not to the end. */
export interface StaCoverage {
  /** Why the figures do not stand for the whole design, in words; none when they do. */
  readonly reasons: readonly string[];
  /** Pins and ports that are not constrained whole and that nobody allowed to be. */
  readonly unconstrained: readonly string[];
  /** Those that somebody allowed. */
  readonly allowed: readonly string[];
}

/** Names that share one shortfall, which may be allowed name by name. */
interface Gap {
  readonly thing: string;
  readonly fault: string;
  readonly remedy: string;
  readonly names: readonly string[];
}

/**
 * Looks for every way in which a part of the design is left out of the figures. A structure that is
 * whole, clocks and delays at both ends, and a path at each end: then no path was missed but what the
 * constraints themselves except.
 *
 * @param allowed patterns of names that may stay without constraints
 */
export function staCoverage(
  records: StaRecords,
  constraints: StaConstraints,
  allowed: readonly string[],
  spef: SpefNets | undefined,
): StaCoverage {
  const gaps = gapsIn(records, constraints, spef);
  const isAllowed = (name: string): boolean => fitsAny(allowed, name);
  const all = [...new Set(gaps.flatMap(({ names }) => names))].sort();
  const reasons = [
    ...whole(records, constraints),
    ...gaps.flatMap(({ names, ...gap }) => {
      const left = [...new Set(names)].filter((name) => !isAllowed(name)).sort();
      return left.length === 0 ? [] : [tell({ ...gap, names: left })];
    }),
    ...absent(records),
  ];
  return {
    reasons,
    unconstrained: all.filter((name) => !isAllowed(name)),
    allowed: all.filter(isAllowed),
  };
}

/** What nobody can allow. */
function* whole(records: StaRecords, constraints: StaConstraints): Generator<string> {
  const { clocks, settings, checks } = records;
  if ((records.cells ?? 0) === 0) yield 'the netlist has no cell: is it the right one?';
  const [setting] = settings;
  if (setting !== undefined) {
    yield `the SDC sets ${setting}, a variable of the tool, which has no effect here: leave it out`;
  }
  if (clocks.length === 0) yield 'there is no clock: create one in the SDC';
  const idle = clocks.find(
    ({ name, isVirtual }) => isVirtual && !constraints.delayClocks.has(name),
  );
  if (idle) {
    yield `the clock ${idle.name} is at no port or pin, and no delay is given by it: is its port misspelled?`;
  }
  for (const kind of ['loops', 'generated']) {
    const check = checks.get(kind);
    if (check) yield check.message.replace(/^Warning: /, 'the tool says: ');
  }
}

function gapsIn(
  records: StaRecords,
  constraints: StaConstraints,
  spef: SpefNets | undefined,
): Gap[] {
  const { checks, sources, inputs, outputs, endpoints, setup, hold } = records;
  const namesOf = (kind: string): readonly string[] => checks.get(kind)?.names ?? [];
  const constant = [...endpoints].filter(([, { isConstant }]) => isConstant).map(([name]) => name);
  const without = (figures: StaFigures): string[] =>
    [...endpoints]
      .filter(([name, { isConstant }]) => !isConstant && !figures.paths.has(name))
      .map(([name]) => name);
  const incomplete = (
    ports: readonly string[],
    delays: ReadonlyMap<string, PortDelays>,
  ): readonly string[] =>
    ports.filter((port) => !sources.has(port) && !isComplete(delays.get(port)));
  return [
    {
      thing: 'module',
      fault: 'without contents',
      remedy: 'give its cell in a Liberty file',
      names: records.hollow,
    },
    { thing: 'input', fault: 'that nothing drives', remedy: 'connect it', names: records.floating },
    {
      thing: 'pin',
      fault: 'whose net has several drivers',
      remedy: 'leave it one',
      names: records.contended,
    },
    {
      thing: 'output',
      fault: 'that no timing arc leads to',
      remedy: 'give a Liberty file that has its arcs',
      names: records.untimed,
    },
    {
      thing: 'register pin',
      fault: 'without a clock',
      remedy: 'create its clock',
      names: namesOf('no_clock'),
    },
    {
      thing: 'register pin',
      fault: 'with several clocks',
      remedy: 'choose one with set_case_analysis',
      names: namesOf('multiple_clock'),
    },
    {
      thing: 'input',
      fault: 'without a whole set_input_delay',
      remedy: 'give it by a clock, for setup and hold',
      names: [...namesOf('no_input_delay'), ...incomplete(inputs, constraints.inputDelays)],
    },
    {
      thing: 'output',
      fault: 'without a whole set_output_delay',
      remedy: 'give it by a clock, for setup and hold',
      names: [...namesOf('no_output_delay'), ...incomplete(outputs, constraints.outputDelays)],
    },
    {
      thing: 'endpoint',
      fault: 'held at a constant',
      remedy: 'look whether it should be',
      names: constant,
    },
    {
      thing: 'endpoint',
      fault: 'without a setup path',
      remedy: 'constrain it',
      names: without(setup),
    },
    {
      thing: 'endpoint',
      fault: 'without a hold path',
      remedy: 'constrain it',
      names: without(hold),
    },
    {
      thing: 'endpoint',
      fault: 'that the tool calls unconstrained',
      remedy: 'constrain it',
      names: namesOf('unconstrained'),
    },
    {
      thing: 'driver',
      fault: 'whose net has no parasitics in the SPEF file',
      remedy: 'extract them all',
      names: records.bare,
    },
    {
      thing: 'load',
      fault: 'that the SPEF file does not connect with its driver',
      remedy: 'extract the whole net',
      names: spef
        ? records.wires.flatMap(({ from, to }) => (spef.joins(from, to) ? [] : [to]))
        : [],
    },
  ];
}

function tell({ thing, fault, remedy, names }: Gap): string {
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  const what = `${plural(names.length, thing)} ${fault}`;
  return `${what} (${shown}): ${remedy}, or name it in allow-unconstrained`;
}

function* absent({ setup, hold }: StaRecords): Generator<string> {
  for (const [name, { paths, worst }] of [
    ['setup', setup],
    ['hold', hold],
  ] as const) {
    if (paths.size === 0) yield `there is no ${name} path at all`;
    else if (worst === undefined) yield `the tool names no worst ${name} slack`;
  }
}

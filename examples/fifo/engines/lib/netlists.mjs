/** What can be said of a flat module, as `write_json` has it, without any proof. */

/** Whether the cell holds a value: of Yosys' own cells those, and no others, have a Q. */
const isRegister = ({ connections }) => 'Q' in connections;

/** Inputs that clock a register. */
export function clocksOf({ ports, cells }) {
  const pins = Object.values(cells).flatMap(({ connections }) => connections.CLK ?? []);
  return Object.entries(ports)
    .filter(([, { direction, bits }]) => direction === 'input' && bits.length === 1)
    .filter(([, { bits }]) => pins.includes(bits[0]))
    .map(([name]) => name);
}

/** How many register bits `gate` has, and the names of those that no register of `gold` has. */
export function matchRegisters(gold, gate) {
  const known = new Set(nameRegisters(gold).flat());
  const registers = nameRegisters(gate);
  const unmatched = registers.filter((names) => !names.some((name) => known.has(name)));
  return {
    registers: registers.length,
    unmatched: unmatched.map(([name]) => name ?? 'a register without a name'),
  };
}

/** The names of each register bit. The width is part of them: Yosys pairs whole nets. */
function nameRegisters({ cells, netnames }) {
  const names = new Map();
  for (const [name, { bits, hide_name: isMadeUp, attributes }] of Object.entries(netnames)) {
    if (isMadeUp) continue;
    for (const [index, bit] of bits.entries()) {
      const text = bits.length === 1 ? name : `${name}[${index}] of ${bits.length}`;
      const others = names.get(bit) ?? [];
      // First what a file calls it, then the pins of cells.
      names.set(bit, 'src' in attributes ? [text, ...others] : [...others, text]);
    }
  }
  return Object.values(cells)
    .filter(isRegister)
    .flatMap(({ connections }) => connections.Q)
    .map((bit) => names.get(bit) ?? []);
}

/** A part of the module that Yosys has no model for, in words, or undefined. */
export function findUnmodelled({ ports, cells }) {
  for (const [name, { direction, bits }] of Object.entries(ports)) {
    if (direction === 'inout') return `port ${name} is an inout`;
    if (direction === 'output' && bits.includes('z')) return `port ${name} is z`;
  }
  for (const [name, { type, connections }] of Object.entries(cells)) {
    // A module that was not flattened has a name with other signs.
    if (!/^\$\w+$/.test(type)) return `nobody knows what ${type} does`;
    if (Object.values(connections).flat().includes('z')) return `a pin of ${name} is z`;
  }
  return undefined;
}

/** A net that starts with a value, or undefined. */
export function findInitial({ netnames }) {
  return Object.keys(netnames).find((name) => /[01]/.test(netnames[name].attributes.init ?? ''));
}

/** What `check` found, as it says it itself. */
export function readProblems(text) {
  const problems = [...text.matchAll(/^Warning: (.*?):?$/gm)].map(
    // A name that Yosys made up helps nobody.
    ([, message]) => message.replace(/ for \S*\$\S*$/, ''),
  );
  const reported = /^Found and reported (\d+) problems\.$/m.exec(text)?.[1];
  if (Number(reported) !== problems.length) {
    throw new Error(`check reports ${reported} problems, ${problems.length} were read`);
  }
  return problems;
}

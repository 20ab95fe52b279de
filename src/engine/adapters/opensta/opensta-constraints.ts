/** The constraints as the tool took them, from what it wrote of them. */
export interface StaConstraints {
  /** How often each command stands there. */
  readonly commands: Readonly<Record<string, number>>;
  readonly inputDelays: ReadonlyMap<string, PortDelays>;
  readonly outputDelays: ReadonlyMap<string, PortDelays>;
  /** Clocks that delays of inputs and outputs are given by. */
  readonly delayClocks: ReadonlySet<string>;
}

/** Which delays of a port are given by a clock, as `max rise` and so on. */
export interface PortDelays {
  readonly given: ReadonlySet<string>;
  /** Is one of them given without a clock? Such paths are timed to nothing. */
  readonly isClockless: boolean;
}

const DELAY = /^set_(input|output)_delay -?[\d.]+ (.*) \[get_ports \{(.*)\}\]$/;
const CLOCK = /-clock \[get_clocks \{(.*?)\}\]/;

/** Reads what `write_sdc` of OpenSTA (2.0.17) writes: one port and one delay a line. */
export function readStaConstraints(text: string): StaConstraints {
  const commands: Record<string, number> = {};
  const delays = {
    input: new Map<string, { given: Set<string>; isClockless: boolean }>(),
    output: new Map<string, { given: Set<string>; isClockless: boolean }>(),
  };
  const clocks = new Set<string>();
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const command = /^[a-z_]+(?= |$)/.exec(line)?.[0];
    if (command === undefined) continue;
    commands[command] = (commands[command] ?? 0) + 1;
    if (!/^set_(?:input|output)_delay$/.test(command)) continue;
    const clock = CLOCK.exec(line)?.[1];
    if (clock !== undefined) clocks.add(clock);
    const [, direction, options = '', port = ''] = DELAY.exec(line) ?? [];
    if (direction === undefined) continue;
    const all = delays[direction === 'input' ? 'input' : 'output'];
    const known = all.get(port) ?? { given: new Set<string>(), isClockless: false };
    all.set(port, known);
    if (clock === undefined) {
      known.isClockless = true;
      continue;
    }
    const flags = options.replace(CLOCK, '');
    for (const delay of either(flags, 'max', 'min')) {
      for (const edge of either(flags, 'rise', 'fall')) known.given.add(`${delay} ${edge}`);
    }
  }
  return { commands, inputDelays: delays.input, outputDelays: delays.output, delayClocks: clocks };
}

/** The one of two flags that is there; without a flag, both are meant. */
function either(flags: string, one: string, other: string): string[] {
  const found = [one, other].filter((flag) => flags.split(' ').includes(`-${flag}`));
  return found.length === 0 ? [one, other] : found;
}

/** For setup and for hold, by both edges, each by a clock. */
export function isComplete(delays: PortDelays | undefined): boolean {
  return delays?.given.size === 4 && !delays.isClockless;
}

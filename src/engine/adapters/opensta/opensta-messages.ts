/** One message of the tool, or of what it read. */
export interface StaMessage {
  readonly text: string;
  /** `path:line`, where it has one. */
  readonly place: string | undefined;
}

export interface StaMessages {
  readonly errors: readonly StaMessage[];
  readonly warnings: readonly StaMessage[];
}

const MESSAGE = /^(Error|Warning): (?:(.+?), (?:line )?(\d+),? )?(.*)$/;

/**
 * Reads what OpenSTA (2.0.17) printed: readers of files speak on stderr, commands on stdout. What
 * stands on stderr and is no warning is taken for an error.
 */
export function readStaMessages(stdout: string, stderr: string): StaMessages {
  const errors: StaMessage[] = [];
  const warnings: StaMessage[] = [];
  const read = (line: string, isSilentBefore: boolean): void => {
    const found = MESSAGE.exec(line);
    if (found) {
      const [, kind, file, at, text = ''] = found;
      const place = file === undefined ? undefined : `${file}:${at}`;
      (kind === 'Error' ? errors : warnings).push({ text, place });
    } else if (isSilentBefore && line.trim() !== '') {
      errors.push({ text: line, place: undefined });
    }
  };
  for (const line of stdout.split('\n')) read(line, false);
  for (const line of stderr.split('\n')) read(line, true);
  return { errors, warnings };
}

/** Warnings that change nothing about setup and hold. */
const HARMLESS = [
  // `set_input_delay … [all_inputs]` gives it for each clock: a clock needs no input delay.
  'set_input_delay relative to a clock defined on the same port/pin not allowed.',
  'set_fanout_load not supported.',
  'set_wire_load_min_block_size not supported.',
  '-no_design_rule ignored.',
];

export function isHarmless({ text }: StaMessage): boolean {
  return HARMLESS.includes(text);
}

/** The message with its place before it. */
export function told({ place, text }: StaMessage): string {
  return place === undefined ? text : `${place}: ${text}`;
}

/**
 * A small model of what a runner of GitHub Actions does with the output and the files of a step,
 * after its sources (ActionCommand, ActionCommandManager, FileCommandManager).
 */

/** A command that took effect. */
export interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** What came of the output of a step. */
export interface Processed {
  readonly commands: readonly Command[];
  /** Lines that were no command, or one while processing was off. */
  readonly lines: readonly string[];
  /** Lines by the group that they stand in. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Whether commands were processed at the end. */
  readonly isOn: boolean;
}

const REGISTERED = [
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'internal-set-repo-path',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
];

/** What a runner makes of everything that a step printed, on stdout and stderr alike. */
export function processOutput(text: string): Processed {
  const commands: Command[] = [];
  const lines: string[] = [];
  const groups = new Map<string, string[]>();
  const registered = new Set(REGISTERED);
  let token: string | undefined;
  let group: string[] | undefined;
  // A StreamReader ends a line at CR LF, at LF and at a CR alone.
  for (const line of text.split(/\r\n|\n|\r/)) {
    const command = parseNew(line, registered) ?? parseOld(line, registered);
    if (token !== undefined && command?.name.toLowerCase() === token.toLowerCase()) {
      registered.delete(token);
      token = undefined;
      continue;
    }
    if (token !== undefined || !command) {
      lines.push(line);
      group?.push(line);
      continue;
    }
    if (command.name === 'stop-commands') {
      token = command.data;
      registered.add(token);
      continue;
    }
    commands.push(command);
    if (command.name === 'group') {
      group = [];
      groups.set(command.data, group);
    } else if (command.name === 'endgroup') {
      group = undefined;
    }
  }
  return { commands, lines, groups, isOn: token === undefined };
}

/** `::name key=value,key=value::data`, after leading blanks. */
function parseNew(line: string, registered: ReadonlySet<string>): Command | undefined {
  const message = line.trimStart();
  if (!message.startsWith('::')) return undefined;
  const end = message.indexOf('::', 2);
  if (end < 0) return undefined;
  return command(message.slice(2, end), message.slice(end + 2), registered, {
    separator: ',',
    undo: (text, isProperty) =>
      text
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', isProperty ? ':' : '%3A')
        .replaceAll('%2C', isProperty ? ',' : '%2C')
        .replaceAll('%25', '%'),
  });
}

/** `##[name key=value;key=value]data`, wherever it stands in the line. */
function parseOld(line: string, registered: ReadonlySet<string>): Command | undefined {
  const start = line.indexOf('##[');
  if (start < 0) return undefined;
  const end = line.indexOf(']', start);
  if (end < 0) return undefined;
  return command(line.slice(start + 3, end), line.slice(end + 1), registered, {
    separator: ';',
    undo: (text) =>
      text
        .replaceAll('%3B', ';')
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%5D', ']'),
  });
}

function command(
  info: string,
  data: string,
  registered: ReadonlySet<string>,
  form: {
    readonly separator: string;
    readonly undo: (text: string, isProperty: boolean) => string;
  },
): Command | undefined {
  const space = info.indexOf(' ');
  const name = space < 0 ? info : info.slice(0, space);
  const isKnown = [...registered].some((known) => known.toLowerCase() === name.toLowerCase());
  if (!isKnown) return undefined;
  const pairs = space < 0 ? [] : info.slice(space + 1).split(form.separator);
  const properties = Object.fromEntries(
    pairs
      .map((pair) => pair.trim())
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), form.undo(pair.slice(at + 1), true)];
      }),
  );
  return { name: name.toLowerCase(), properties, data: form.undo(data, false) };
}

/**
 * The pairs of a file such as $GITHUB_OUTPUT, in order: `name=value`, or `name<<DELIMITER` and lines
 * up to the delimiter. Throws where a runner fails the step.
 */
export function parsePairs(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      pairs.push([line.slice(0, equals), line.slice(equals + 1)]);
      continue;
    }
    if (heredoc < 0) throw new Error(`Invalid format '${line}'`);
    const name = line.slice(0, heredoc);
    const delimiter = line.slice(heredoc + 2);
    if (name === '' || delimiter === '') throw new Error(`Invalid format '${line}'`);
    const end = lines.indexOf(delimiter, index + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    pairs.push([name, lines.slice(index + 1, end).join('\n')]);
    index = end;
  }
  return pairs;
}

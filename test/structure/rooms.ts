import { posix } from 'node:path';
import { parseSync } from 'vite';

/**
 * The rooms of src/ and who may look into which. A room is a folder of src/; it may always import
 * from itself. Type imports and dynamic imports count like any other.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = (() => {
  const foundation = ['process', 'generated', 'values'];
  const record = ['log', 'flow', 'fingerprint', ...foundation];
  const judgement = ['proof', ...record];
  const work = ['schedule', 'engine', 'cache', 'report'];
  return {
    values: [],
    generated: ['values'],
    process: ['generated', 'values'],
    fingerprint: foundation,
    log: ['fingerprint', ...foundation],
    flow: ['fingerprint', ...foundation],
    proof: record,
    schedule: judgement,
    engine: judgement,
    cache: judgement,
    report: judgement,
    gate: [...work, ...judgement],
    cli: ['gate', ...work, ...judgement],
    action: ['gate', ...work, ...judgement],
  };
})();

/** Packages that only one room may import. */
const packageRooms: Readonly<Record<string, string>> = {
  'node:child_process': 'process',
  child_process: 'process',
  execa: 'process',
  '@actions/core': 'action',
  '@actions/cache': 'cache',
};

/** The writing side of the log, and the rooms that may hold a writer. */
const logWriter = 'src/log/append.ts';
const logWriters: readonly string[] = ['log', 'gate'];

/** The edges, and the one program that speaks to a client which prints. */
const terminalRooms: readonly string[] = ['cli', 'action'];
const terminalPrograms: readonly string[] = ['src/cache/github-child.ts'];

export interface Violation {
  readonly file: string;
  /** What was imported, as written, or the global that was used. */
  readonly found: string;
  readonly rule: string;
}

/**
 * @param sources path from the repository's root (`src/flow/parse.ts`) to TypeScript source
 * @returns every import, and every use of a terminal, that the rooms forbid
 */
export function roomViolations(sources: ReadonlyMap<string, string>): Violation[] {
  return [...sources].flatMap(([file, source]) => fileViolations(file, source));
}

function fileViolations(file: string, source: string): Violation[] {
  const room = roomOf(file);
  if (room === undefined) return [{ file, found: file, rule: 'every file of src/ is in a room' }];
  const { imports, terminals } = inspect(file, source);
  return [
    ...imports.flatMap((found) => {
      const rule = brokenImportRule(file, room, found);
      return rule === undefined ? [] : [{ file, found, rule }];
    }),
    ...(mayTouchTerminal(file, room) ? [] : terminals).map((found) => ({
      file,
      found,
      rule: 'only the edges may touch the terminal',
    })),
  ];
}

function mayTouchTerminal(file: string, room: string): boolean {
  return terminalRooms.includes(room) || terminalPrograms.includes(file);
}

function roomOf(file: string): string | undefined {
  const room = /^src\/([^/]+)\//.exec(file)?.[1];
  return room !== undefined && Object.hasOwn(mayImport, room) ? room : undefined;
}

function brokenImportRule(file: string, room: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) {
    const owner = Object.hasOwn(packageRooms, specifier) ? packageRooms[specifier] : undefined;
    return owner === undefined || owner === room
      ? undefined
      : `only src/${owner} may import ${specifier}`;
  }
  const target = posix.join(posix.dirname(file), specifier);
  // Data beside the sources (schemas/, package.json) has no room.
  if (!target.startsWith('src/')) return undefined;
  const targetRoom = roomOf(target);
  if (targetRoom === undefined) return 'imports lead into a room';
  if (targetRoom === room) return undefined;
  if (target === logWriter && !logWriters.includes(room)) {
    return 'only src/log and src/gate may import the writing side of the log';
  }
  return mayImport[room]?.includes(targetRoom)
    ? undefined
    : `src/${room} may not import src/${targetRoom}`;
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What a file imports, in every way there is, and which globals of the terminal it uses. */
function inspect(file: string, source: string): { imports: string[]; terminals: string[] } {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const imports: string[] = [];
  const terminals: string[] = [];
  visit(program, (node) => {
    const specifier = importedBy(node);
    if (specifier !== undefined) imports.push(specifier);
    const terminal = terminalUsedBy(node);
    if (terminal !== undefined) terminals.push(terminal);
  });
  return { imports, terminals };
}

function visit(value: unknown, callback: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, callback);
  } else if (isNode(value)) {
    callback(value);
    for (const child of Object.values(value)) visit(child, callback);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** `import`, `export … from`, `import()`, `import('…').Type` and `require()`. */
function importedBy(node: Node): string | undefined {
  if (/^(?:Import|Export\w*)Declaration$|^ImportExpression$|^TSImportType$/.test(node.type)) {
    return text(node.source);
  }
  if (node.type === 'CallExpression' && isIdentifier(node.callee, 'require')) {
    return text((node.arguments as unknown[])[0]);
  }
  return undefined;
}

function terminalUsedBy(node: Node): string | undefined {
  if (isIdentifier(node, 'console')) return 'console';
  const usesStdout =
    node.type === 'MemberExpression' &&
    isIdentifier(node.object, 'process') &&
    (isIdentifier(node.property, 'stdout') || text(node.property) === 'stdout');
  return usesStdout ? 'process.stdout' : undefined;
}

function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value.name === name;
}

function text(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'Literal') return undefined;
  return typeof value.value === 'string' ? value.value : undefined;
}

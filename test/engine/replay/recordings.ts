import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { WithValue } from '../../../src/flow/stage.ts';
import { scratchFolder, writeFiles } from '../../support/scratch.ts';

/** Content of a file: text, base64, or a number of bytes that nobody looks at. */
type Content = string | { readonly base64: string } | { readonly omitted_bytes: number };

/** One recorded run of an engine, and what the gate must make of it. See recordings/README.md. */
export interface Recording {
  readonly engine: string;
  readonly case: string;
  /** Which run it is, for the name of a test. */
  readonly title: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, Content>>;
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly written: Readonly<Record<string, Content>>;
  readonly expected: {
    readonly mode: 'descriptor' | 'raw';
    readonly with?: Readonly<Record<string, WithValue>>;
    readonly status: 'ok' | 'error';
    readonly error_code?: string;
    readonly engineering: string;
    readonly engineering_with_default_floors: string;
  };
}

/** What a recorded engine says of itself. */
export interface Introduced {
  readonly describe: Readonly<Record<string, unknown>> | null;
  readonly describe_exit: number;
  readonly describe_stdout: string | null;
  readonly version_stdout: string;
}

interface EngineDocument {
  readonly files: Readonly<Record<string, Content>>;
  readonly cases: readonly (Omit<Recording, 'engine' | 'title' | 'files'> & {
    readonly files: Readonly<Record<string, string>>;
  })[];
}

const folder = fileURLToPath(new URL('../recordings/', import.meta.url));
const replayEngine = fileURLToPath(new URL('replay-engine.cjs', import.meta.url));

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
}

export const descriptors: Readonly<Record<string, Introduced>> = readJson('descriptors.json');

export const recordedFloors: Readonly<Record<string, unknown>> = readJson('default-floors.json');

export function introducedAs(engine: string): Introduced {
  const introduced = descriptors[engine];
  if (!introduced) throw new Error(`no descriptor of ${engine} was recorded`);
  return introduced;
}

export function readRecordings(): Recording[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => {
      const document: EngineDocument = parse(readFileSync(join(folder, name), 'utf8'));
      const engine = name.slice(0, -'.yaml'.length);
      return document.cases.map((one) => ({
        ...one,
        engine,
        title: `${engine}: ${one.case}`,
        files: Object.fromEntries(
          Object.entries(one.files).map(([path, key]) => {
            const content = document.files[key];
            if (content === undefined) throw new Error(`${name} has no file ${key}`);
            return [path, content];
          }),
        ),
      }));
    });
}

/** A recording made ready to be played: its design files in a workspace, its engine on a PATH. */
export interface Stage {
  readonly workspace: string;
  readonly searchPath: string;
  /** Absolute path of the engine. */
  readonly program: string;
}

export function setStage(recording: Recording): Stage {
  const root = scratchFolder();
  const workspace = join(root, 'workspace');
  const bin = join(root, 'bin');
  mkdirSync(workspace);
  writeFiles(
    workspace,
    Object.fromEntries(Object.entries(recording.files).map(([path, c]) => [path, bytesOf(c)])),
  );
  const [name, ...args] = recording.argv;
  const { describe, describe_exit, describe_stdout, version_stdout } = introducedAs(
    recording.engine,
  );
  const played = {
    program: name,
    describe: {
      stdout: describe === null ? (describe_stdout ?? '') : `${JSON.stringify(describe)}\n`,
      exit_code: describe_exit,
    },
    version: { stdout: version_stdout, exit_code: 0 },
    args: comparable(args, recording.expected.mode),
    isOrderFree: recording.expected.mode === 'descriptor',
    env: recording.env,
    written: Object.fromEntries(
      Object.entries(recording.written).map(([path, content]) => [path, playedContent(content)]),
    ),
    run: { stdout: recording.stdout, stderr: recording.stderr, exit_code: recording.exit_code },
  };
  writeFiles(bin, { 'recording.json': JSON.stringify(played) });
  const program = join(bin, name);
  copyFileSync(replayEngine, program);
  chmodSync(program, 0o755);
  return { workspace, program, searchPath: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin` };
}

function playedContent(content: Content): { text: string } | { zeros: number } {
  if (typeof content === 'string') return { text: content };
  if ('omitted_bytes' in content) return { zeros: content.omitted_bytes };
  throw new Error('an engine that writes a binary file was not recorded');
}

function bytesOf(content: Content): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return 'base64' in content
    ? Buffer.from(content.base64, 'base64')
    : Buffer.alloc(content.omitted_bytes);
}

/** The variables of a recording that the gate does not set by itself: a flow has to declare them. */
export function declaredEnv(recording: Recording): Record<string, string> {
  const { VYGES_LOG_FORMAT: _, ...declared } = recording.env;
  return declared;
}

/**
 * Arguments as two runs compare. A descriptor lists its options in an order of its own, and whoever
 * recorded the runs had another: there, options with their values are sorted. Raw ones are exact.
 */
export function comparable(args: readonly string[], mode: Recording['expected']['mode']): string[] {
  if (mode === 'raw') return [...args];
  const options: string[][] = [];
  const others: string[] = [];
  for (const arg of args) {
    const last = options.at(-1);
    if (arg.startsWith('-')) options.push([arg]);
    else if (last?.length === 1) last.push(arg);
    else others.push(arg);
  }
  return [...others, ...options.map((option) => option.join(' ')).sort()];
}

import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** What a test puts under a path: the bytes of a file, or a function that makes something else. */
export type Content = string | Uint8Array | ((absolute: string) => void);

/** A tiny engine: a shell script that describes itself and counts its starts. */
export interface EngineText {
  /** What it does; its stdout is the payload. `$1` is `check`, the arguments of the flow follow. */
  readonly does: string;
  /** Members that replace those of {@link DESCRIPTOR}; `undefined` takes one away. */
  readonly descriptor?: Readonly<Record<string, unknown>>;
  readonly version?: string;
}

/** A workspace as a test writes it down. */
export interface WorkspaceText {
  readonly flow?: string;
  readonly files?: Readonly<Record<string, Content>>;
  /** By path in the workspace. */
  readonly engines?: Readonly<Record<string, EngineText>>;
}

/** Enough for a verdict: `clean` must be true, and the argument `file` reaches the engine. */
export const DESCRIPTOR: Readonly<Record<string, unknown>> = {
  schema: 'vyges-tool-descriptor/1.1',
  name: 'tiny',
  maturity: 'structured',
  invocation: {
    args_template: ['check'],
    optional: [
      { arg: 'file' },
      { arg: 'second' },
      { arg: 'out', flag: '--out' },
      { arg: 'define', flag: '-D' },
    ],
    emits_json: true,
  },
  assertion: { id: 'clean', field: 'clean', pass_when: { is_true: true } },
  provenance_limitations: ['it reads nothing that it is not given'],
};

export const SAYS_CLEAN = `echo '{"clean": true, "checked": 3}'`;
export const SAYS_DIRTY = `echo '{"clean": false, "checked": 3}'`;

/** Says that a file is clean unless the word BUG stands in it. */
export function judges(path: string): string {
  return `if grep -q BUG '${path}'; then ${SAYS_DIRTY}; else ${SAYS_CLEAN}; fi`;
}

/** A workspace in a temporary folder, which goes when the tests of the file are over. */
export class TestWorkspace {
  readonly root: string;
  /** A folder beside the workspace: what lies in it is outside. */
  readonly outside: string;

  constructor(text: WorkspaceText) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signoff-workspace-')));
    folders.push(folder);
    this.root = join(folder, 'ws');
    this.outside = join(folder, 'outside');
    mkdirSync(this.root);
    mkdirSync(this.outside);
    if (text.flow !== undefined) this.write('signoff.yaml', text.flow);
    for (const [path, content] of Object.entries(text.files ?? {})) this.write(path, content);
    for (const [path, engine] of Object.entries(text.engines ?? {})) this.engine(path, engine);
  }

  /** The absolute path of something in the workspace. */
  at(path: string): string {
    return join(this.root, path);
  }

  /** Writes a file, or makes what the function makes; the folders on the way are made too. */
  write(path: string, content: Content): void {
    const absolute = this.at(path);
    mkdirSync(dirname(absolute), { recursive: true });
    if (typeof content === 'function') content(absolute);
    else writeFileSync(absolute, content);
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.at(path));
  }

  remove(path: string): void {
    rmSync(this.at(path), { recursive: true });
  }

  /** Replaces a text that stands exactly once in a file. */
  edit(path: string, from: string, to: string): void {
    const parts = this.read(path).split(from);
    if (parts.length !== 2) throw new Error(`${path} holds ${JSON.stringify(from)} not once`);
    writeFileSync(this.at(path), parts.join(to));
  }

  engine(path: string, { does, descriptor, version = '1.0.0' }: EngineText): void {
    const described = JSON.stringify({ ...DESCRIPTOR, ...descriptor });
    this.write(
      path,
      `#!/bin/sh
case "$1" in
  --describe) cat <<'END_OF_DESCRIPTOR'
${described}
END_OF_DESCRIPTOR
    exit 0 ;;
  --version) echo 'tiny ${version}'; exit 0 ;;
esac
${this.countsStartOf(path)}
${does}
`,
    );
    chmodSync(this.at(path), 0o755);
  }

  /** A shell command that counts one start, in a file that no run key knows. */
  countsStartOf(name: string): string {
    return `echo '${name}' >> '${join(this.outside, 'starts')}'`;
  }

  /** How often an engine was started to do its work; probes do not count. */
  startsOf(name: string): number {
    return this.noted('starts').filter((line) => line === name).length;
  }

  /** The lines that engines appended to a file outside the workspace. */
  noted(file: string): string[] {
    const path = join(this.outside, file);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  }

  /** The events of the log. */
  log(): LogLine[] {
    if (!this.has('events.jsonl')) return [];
    const lines = this.read('events.jsonl').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogLine);
  }

  /** Rewrites the log: what the function gives back for each event, in its place. */
  rewriteLog(change: (event: LogLine, index: number) => readonly LogLine[]): void {
    const events = this.log().flatMap(change);
    this.write('events.jsonl', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }

  appendToLog(text: string): void {
    appendFileSync(this.at('events.jsonl'), text);
  }

  /** The last outcome of a stage. */
  outcome(stage: string): LogLine {
    const found = this.log().findLast(({ type, rule }) => type === 'outcome' && rule === stage);
    if (!found) throw new Error(`the log has no outcome of ${stage}`);
    return found;
  }
}

/** One event as it stands in the log; a test reads of it what it needs. */
export interface LogLine {
  readonly type: string;
  readonly rule?: string;
  readonly run?: number;
  readonly verdict?: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly run_key?: string;
  readonly duration_ms?: number;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function makeWorkspace(text: WorkspaceText): TestWorkspace {
  return new TestWorkspace(text);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EVENTS, type EventName, withBase } from './github-events.ts';
import { type Command, type Processed, parsePairs, processOutput } from './runner.ts';
import { scratchFolder } from './scratch.ts';

/** dist/action.mjs, started and read as a runner does it. */

const own24 = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
/** The runner's Node, which is 24; the one of the tests where that is not to be had. */
const node = process.env.SIGNOFF_TEST_NODE ?? (existsSync(own24) ? own24 : process.execPath);
const action = fileURLToPath(new URL('../../dist/action.mjs', import.meta.url));

export interface ActionOptions {
  readonly event?: EventName;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Over what the runner sets; `undefined` takes a variable away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The commit that the event names as base of its change; one that is nowhere unless told. */
  readonly base?: string;
  /** Labels of the pull request. */
  readonly labels?: readonly string[];
  /** A module that is loaded into the action before it. */
  readonly preload?: string;
}

/** What a runner has when the step is over. */
export interface ActionRun extends Processed {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** stdout and stderr as they were printed. */
  readonly log: string;
  /** As later steps see them: the last value of a name counts. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Every value that the verdict had, in order. */
  readonly verdicts: readonly string[];
  readonly summary: string;
  /** Variables, state and paths for later steps: an action that only judges sets none. */
  readonly otherFiles: string;
  /** How long the process lived on after it had set its last output, in milliseconds. */
  readonly livedOnMs: number;
}

export interface StartedAction {
  readonly child: ChildProcess;
  readonly log: () => string;
  readonly ended: Promise<ActionRun>;
}

const LONGEST_MS = 50_000;

/** Every input with the default of action.yml, as a runner passes them. */
const DEFAULTS: Readonly<Record<string, string>> = {
  workspace: '.',
  flow: '',
  mode: 'run',
  stages: '',
  cache: 'auto',
  'cache-dir': '',
  restore: 'auto',
  trust: 'base',
  base: '',
  'accept-label': 'signoff-gate: judging accepted',
  labels: '',
  'cache-lookup-seconds': '60',
  'cache-transfer-seconds': '600',
  concurrency: '',
  'pass-env': '',
  summary: 'true',
  annotations: 'true',
  report: '',
};

/** A secret of the job: nothing that the action starts or writes may hold it. */
export const SECRET = 'ghs_16C7e42F292c6912E7710c838347Ae178B4a';

export function startAction(root: string, options: ActionOptions = {}): StartedAction {
  const files = runnerFiles();
  const environment = environmentOf(root, files, options);
  const preload = options.preload === undefined ? [] : ['--import', preloadFile(options.preload)];
  const child = spawn(node, [...preload, action], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const log = (): string => Buffer.concat(chunks).toString('utf8');
  const ended = new Promise<ActionRun>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the action did not end: ${log().slice(-5000)}`));
    }, LONGEST_MS);
    child.once('error', reject);
    child.once('close', (status, signal) => {
      clearTimeout(timer);
      const pairs = parsePairs(read(files.GITHUB_OUTPUT));
      resolve({
        ...processOutput(log()),
        status,
        signal,
        log: log(),
        outputs: Object.fromEntries(pairs),
        verdicts: pairs.filter(([name]) => name === 'verdict').map(([, value]) => value),
        summary: read(files.GITHUB_STEP_SUMMARY),
        otherFiles: [files.GITHUB_ENV, files.GITHUB_PATH, files.GITHUB_STATE].map(read).join(''),
        livedOnMs: Date.now() - statSync(files.GITHUB_OUTPUT).mtimeMs,
      });
    });
  });
  return { child, log, ended };
}

export function runAction(root: string, options: ActionOptions = {}): Promise<ActionRun> {
  return startAction(root, options).ended;
}

export function commandsNamed(run: Processed, name: string): Command[] {
  return run.commands.filter((command) => command.name === name);
}

/** The list that an output holds as JSON. */
export function listIn(run: ActionRun, output: string): string[] {
  return JSON.parse(run.outputs[output] ?? 'null') as string[];
}

function runnerFiles(): Record<
  'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY' | 'GITHUB_ENV' | 'GITHUB_PATH' | 'GITHUB_STATE',
  string
> & { readonly temp: string } {
  const temp = join(scratchFolder(), '_temp');
  const commands = join(temp, '_runner_file_commands');
  mkdirSync(commands, { recursive: true });
  const file = (name: string): string => {
    const path = join(commands, `${name}_0ef76c15-f1bb-4f0c-a1ba-a4a1ba4a1ba4`);
    writeFileSync(path, '');
    return path;
  };
  return {
    temp,
    GITHUB_OUTPUT: file('set_output'),
    GITHUB_STEP_SUMMARY: file('step_summary'),
    GITHUB_ENV: file('set_env'),
    GITHUB_PATH: file('add_path'),
    GITHUB_STATE: file('save_state'),
  };
}

function environmentOf(
  root: string,
  { temp, ...files }: ReturnType<typeof runnerFiles>,
  { event = 'push', inputs = {}, environment = {}, base, labels = [] }: ActionOptions,
): NodeJS.ProcessEnv {
  const payload = join(temp, 'event.json');
  writeFileSync(payload, JSON.stringify(withBase(EVENTS[event].payload, base, labels), null, 2));
  const given = Object.entries({ ...DEFAULTS, ...inputs }).map(([name, value]) => [
    `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
    value,
  ]);
  return {
    PATH: process.env['PATH'],
    HOME: homedir(),
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: 'octocat',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_JOB: 'gate',
    GITHUB_REPOSITORY: 'silicon/uart',
    GITHUB_RUN_ID: '1658821493',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_WORKFLOW: 'sign-off',
    GITHUB_WORKSPACE: root,
    GITHUB_EVENT_PATH: payload,
    // A step may map a secret into its variables.
    GITHUB_TOKEN: SECRET,
    DEPLOY_KEY: SECRET,
    RUNNER_ARCH: 'X64',
    RUNNER_NAME: 'GitHub Actions 2',
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: join(temp, 'tools'),
    ...EVENTS[event].variables,
    ...files,
    ...Object.fromEntries(given),
    ...environment,
  };
}

function preloadFile(source: string): string {
  const path = join(scratchFolder(), 'preload.mjs');
  writeFileSync(path, source);
  return path;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/**
 * Runs this repository's own workflow on this machine, as a runner would: twice, with a cache server
 * in between, so that the second run must restore what the first one saved.
 *
 *   npm run test:act
 *
 * Needs Go, which builds the runner from its module; without Go it says so and fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib/root.mjs';

const MODULE = 'github.com/nektos/act@v0.2.87';
const folder = fileURLToPath(root);
/** Kept with what npm installs: a build takes minutes. */
const bin = join(folder, 'node_modules', '.cache', 'signoff-gate');
const act = join(bin, 'act');
const STAGES = 5;

function call(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (error) throw error;
  return { status, output: `${stdout}${stderr}` };
}

function build() {
  if (existsSync(act)) return;
  mkdirSync(bin, { recursive: true });
  const { status, output } = call('go', ['install', MODULE], {
    env: { ...process.env, GOBIN: bin },
  });
  if (status !== 0) throw new Error(`the runner cannot be built:\n${output}`);
}

function runWorkflow(state) {
  const { status, output } = call(
    act,
    [
      'push',
      '--eventpath',
      eventFile(state),
      '--workflows',
      '.github/workflows/ci.yml',
      '--job',
      'action',
      '--matrix',
      'os:ubuntu-latest',
      '--platform',
      'ubuntu-latest=-self-hosted',
      '--cache-server-path',
      join(state, 'cache'),
      '--cache-server-addr',
      '127.0.0.1',
      '--artifact-server-path',
      join(state, 'artifacts'),
      '--artifact-server-addr',
      '127.0.0.1',
      '--no-cache-server=false',
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        XDG_CACHE_HOME: join(state, 'home'),
        // The runner takes the node that it finds first, whatever an action asks for.
        PATH: [join(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      },
    },
  );
  return { status, output };
}

/** The push of the commit that is checked out, as GitHub tells of one to the default branch. */
function eventFile(state) {
  const git = (...args) => call('git', ['-C', folder, ...args]).output.trim();
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  const path = join(state, 'event.json');
  const before = git('rev-parse', 'HEAD');
  const event = {
    ref: `refs/heads/${branch}`,
    before,
    after: before,
    repository: { name: 'signoff-gate', default_branch: branch },
  };
  writeFileSync(path, JSON.stringify(event));
  return path;
}

const state = mkdtempSync(join(tmpdir(), 'signoff-gate-act-'));
try {
  build();
  const checks = [
    ['the first run proves the example', /5 of 5 proven/, new RegExp(`${STAGES} ran`)],
    ['the second run restores every stage', /5 of 5 proven/, new RegExp(`${STAGES} restored`)],
  ];
  for (const [what, ...patterns] of checks) {
    const { status, output } = runWorkflow(state);
    const missing = patterns.filter((pattern) => !pattern.test(output));
    if (status !== 0 || missing.length > 0) {
      console.error(output);
      throw new Error(`${what}: exit ${status}, not seen: ${missing.join(', ') || 'nothing'}`);
    }
    console.log(`ok: ${what}`);
  }
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(state, { recursive: true, force: true });
}

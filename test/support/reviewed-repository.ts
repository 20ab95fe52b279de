import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprintFile } from '../../src/fingerprint/file.ts';
import { GitRepository } from './git.ts';
import { scratchFolder, writeFiles } from './scratch.ts';
import { DESCRIPTOR } from './workspace.ts';

/**
 * A repository whose `main` is proven: its log, its envelopes and its outputs are committed. What a
 * pull request does to it is a clone of it with more commits.
 */

const cli = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

/** Says that a file is clean unless the word BUG stands in it. */
const JUDGE = (file: string): string =>
  engineText(`
if grep -q BUG "${file}"; then echo '{"clean": false, "checked": 3}'; else echo '{"clean": true, "checked": 3}'; fi`);

export const FLOW = `name: uart
stages:
  lint:
    uses: ./engines/lint.sh
    inputs: [rtl/*.v]
    floors: { checked: { min: 3 } }
  synth:
    uses: ./engines/synth.sh
    inputs: [rtl/*.v]
    outputs: [build/net.v]
    floors: { checked: { min: 3 } }
  equiv:
    uses: ./engines/equiv.sh
    inputs: [build/net.v]
    floors: { checked: { min: 3 } }
  regress:
    run: [sh, scripts/judge.sh]
    tools: [sh]
    inputs: [rtl/*.v, scripts/judge.sh]
    evidence:
      json: build/regress.json
      assertion: { id: tests-passed, field: passed, pass_when: { is_true: true } }
    floors: { tests: { min: 2 } }
  review:
    by: person
    inputs: [docs/*.md]
`;

const FILES: Readonly<Record<string, string>> = {
  'uart/signoff.yaml': FLOW,
  'uart/rtl/a.v': 'module a;\nendmodule\n',
  'uart/rtl/b.v': 'module b;\nendmodule\n',
  'uart/docs/spec.md': 'A UART.\n',
  'uart/engines/lint.sh': engineText(`
if cat rtl/*.v | grep -q BUG; then echo '{"clean": false, "checked": 3}'; else echo '{"clean": true, "checked": 3}'; fi`),
  'uart/engines/synth.sh': engineText(
    `mkdir -p build; cat rtl/*.v > build/net.v; echo '{"clean": true, "checked": 3}'`,
  ),
  'uart/engines/equiv.sh': JUDGE('build/net.v'),
  'uart/scripts/judge.sh': `mkdir -p build
if cat rtl/*.v | grep -q BUG; then passed=false; else passed=true; fi
echo "{\\"passed\\": $passed, \\"tests\\": 2}" > build/regress.json
`,
  '.gitignore': 'uart/.signoff/*\n!uart/.signoff/runs\n',
  '.gitattributes': 'uart/events.jsonl merge=union -text\n',
};

function engineText(does: string): string {
  return `#!/bin/sh
case "$1" in
  --describe) cat <<'END_OF_DESCRIPTOR'
${JSON.stringify(DESCRIPTOR)}
END_OF_DESCRIPTOR
    exit 0 ;;
  --version) echo 'tiny 1.0.0'; exit 0 ;;
esac
${does}
`;
}

export interface Reviewed {
  readonly repository: GitRepository;
  /** The commit of `main`. */
  readonly base: string;
}

/** Makes the repository and proves it, once. */
export function reviewedRepository(): Reviewed {
  const root = scratchFolder();
  writeFiles(root, FILES);
  for (const name of ['lint', 'synth', 'equiv']) {
    chmodSync(join(root, `uart/engines/${name}.sh`), 0o755);
  }
  const repository = new GitRepository(root);
  recordReview(join(root, 'uart'), 1);
  runGate(join(root, 'uart'));
  const base = repository.commit('the design as it was reviewed');
  return { repository, base };
}

/** A clone of it on a branch of its own, as a contributor has it. */
export function cloneOf({ repository }: Reviewed, ...options: readonly string[]): GitRepository {
  const root = join(scratchFolder(), 'clone');
  execFileSync('git', ['clone', '--quiet', ...options, `file://${repository.root}`, root]);
  return new GitRepository(root);
}

/** `signoff-gate run` in a terminal, whatever comes of it. */
export function runGate(workspace: string, ...args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [cli, 'run', '--json', '--cache', 'off', ...args], {
      cwd: workspace,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (cause) {
    return String((cause as { stdout?: unknown }).stdout);
  }
}

/** What a reviewer's own tool writes: that the documents as they are now were looked at. */
export function recordReview(workspace: string, run: number, verdict = 'pass'): void {
  const fingerprint = fingerprintFile(join(workspace, 'docs/spec.md'));
  if (!fingerprint.ok) throw new Error(fingerprint.error.message);
  const inputs = { 'docs/spec.md': fingerprint.value };
  const common = { ts: '2026-11-02T09:00:00.000Z', rule: 'review', run };
  const oracle = { ref: 'review', grade: 'human' };
  appendEvents(workspace, [
    { ...common, type: 'dispatch', workdir: 'docs', params: {}, inputs },
    {
      ...common,
      type: 'outcome',
      verdict,
      outputs: {},
      proofs: [{ name: 'review', verdict, inputs, oracle }],
      tool_versions: {},
    },
  ]);
}

export function appendEvents(workspace: string, events: readonly object[]): void {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  appendFileSync(join(workspace, 'events.jsonl'), lines);
}

export interface LoggedEvent {
  readonly type: string;
  readonly rule?: string;
  readonly run?: number;
  readonly [field: string]: unknown;
}

export function eventsOf(workspace: string): LoggedEvent[] {
  return readFileSync(join(workspace, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoggedEvent);
}

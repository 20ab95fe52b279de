import * as core from '@actions/core';
import { onInterrupt } from '../process/interrupt.ts';
import { renderProblem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { readInputs } from './inputs.ts';
import { setFirstOutputs, setOutputs } from './outputs.ts';
import { isProven, passAll, refusedPass, type WorkspacePass } from './pass.ts';
import { publish, type Wishes } from './publish.ts';
import { RunnerConsole } from './runner-console.ts';
import { openWorkspaces } from './workspaces.ts';

/**
 * The GitHub edge. The exit code is 70 and the verdict `not-proven` from the first line on; only
 * the judgement changes them, so a crash, or a promise that never settles, fails the job.
 */
const console = new RunnerConsole();
process.exitCode = 70;
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
setFirstOutputs();

const repository = process.env['GITHUB_WORKSPACE'] || process.cwd();

/** @returns the exit code */
async function main(): Promise<0 | 1 | 2> {
  const inputs = readInputs(process.env);
  if (!inputs.ok) {
    const pass = refusedPass({ folder: '', root: repository, problems: inputs.error });
    return conclude([pass], { summary: true, annotations: true, report: undefined });
  }
  const workspaces = openWorkspaces(repository, inputs.value, process.env);
  if (!workspaces.ok) return conclude(workspaces.error.map(refusedPass), inputs.value);

  const interruption = onInterrupt((line) => process.stdout.write(`${line}\n`));
  console.start();
  const passes = await passAll(workspaces.value, {
    inputs: inputs.value,
    environment: process.env,
    repository,
    emit: console.emit,
    signal: interruption.signal,
  });
  console.resume();
  interruption.stop();
  return conclude(passes, inputs.value);
}

/** Tells what came of it, everywhere it is looked for; the verdict comes last. */
function conclude(passes: readonly WorkspacePass[], wishes: Wishes): 0 | 1 | 2 {
  const { files, complaints } = publish(passes, wishes, repository, process.env);
  for (const complaint of complaints) core.warning(complaint);
  const exitCode = exitCodeOf(passes);
  if (exitCode !== 0) core.error(failure(passes));
  else if (passes.some(({ outcome }) => outcome.kind === 'planned')) {
    core.notice('`mode: plan` says what a run would do; it proves nothing');
  }
  setOutputs(passes, files);
  return exitCode;
}

function exitCodeOf(passes: readonly WorkspacePass[]): 0 | 1 | 2 {
  if (passes.some(({ outcome }) => outcome.kind === 'refused')) return 2;
  return passes.every((pass) => isProven(pass) || pass.outcome.kind === 'planned') ? 0 : 1;
}

/** A runner cuts a message at 4096 characters, and the summary has every stage. */
const MOST_LINES = 100;

/** Names every stage that is not proven with its first reason. */
function failure(passes: readonly WorkspacePass[]): string {
  const lines = passes.flatMap(({ folder, outcome }) => {
    const place = folder === '' ? '' : `${folder}: `;
    return reasons(outcome).map((reason) => printable(place + reason, 1000));
  });
  const rest = lines.length - MOST_LINES;
  const more = rest > 0 ? [`and ${rest} more, which the job summary has`] : [];
  return ['Not proven.', ...lines.slice(0, MOST_LINES), ...more].join('\n');
}

function reasons(outcome: WorkspacePass['outcome']): string[] {
  switch (outcome.kind) {
    case 'planned':
      return [];
    case 'refused':
      return outcome.problems.map(renderProblem);
    case 'judged': {
      const { stages, problems } = outcome.reported.result;
      const open = stages.filter(({ assessment }) => assessment.status !== 'valid');
      return [
        ...open.map(({ assessment, held }) => {
          const why = held === undefined ? assessment.reason : `not run: ${held}`;
          return `${assessment.stage.name} is ${assessment.status}: ${why}`;
        }),
        ...problems.map(renderProblem),
      ];
    }
  }
}

function crash(cause: unknown): void {
  try {
    console.resume();
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    core.error(`internal error: ${text}`);
    // Whatever was said of a verdict before is not to be relied on.
    setFirstOutputs();
  } finally {
    process.exit(70);
  }
}

main().then((code) => {
  process.exitCode = code;
  // Whatever is still open (a socket, a timer) must not hold the job: all that counts is written.
  process.stdout.write('', () => process.exit());
}, crash);

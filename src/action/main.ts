import * as core from '@actions/core';
import { onInterrupt } from '../process/interrupt.ts';
import { type Problem, renderProblem } from '../values/problem.ts';
import { readInputs } from './inputs.ts';
import { setFirstOutputs, setOutputs } from './outputs.ts';
import { passAll } from './pass.ts';
import { publish } from './publish.ts';
import { RunnerConsole } from './runner-console.ts';
import { openWorkspaces } from './workspaces.ts';

/**
 * The GitHub edge. The exit code is 70 and the verdict `not-proven` from the first line on; only
 * the judgement changes them, so a crash, or a promise that never settles, fails the job.
 */
process.exitCode = 70;
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);
setFirstOutputs();

const console = new RunnerConsole();

/** @returns the exit code */
async function main(): Promise<0 | 1 | 2> {
  const inputs = readInputs(process.env);
  if (!inputs.ok) return fail(inputs.error);
  const root = process.env['GITHUB_WORKSPACE'] ?? process.cwd();
  const workspaces = openWorkspaces(root, inputs.value, process.env);
  if (!workspaces.ok) return fail(workspaces.error);

  const interruption = onInterrupt((line) => process.stdout.write(`${line}\n`));
  console.start();
  const passes = await passAll(
    workspaces.value,
    inputs.value,
    process.env,
    console.emit,
    interruption.signal,
  );
  console.resume();
  interruption.stop();
  const reports = publish(passes, inputs.value, root);
  setOutputs(passes, inputs.value.mode, reports.files);
  for (const complaint of reports.complaints) core.warning(complaint);
  if (inputs.value.mode === 'plan') {
    core.notice(
      'mode: plan says what a run would do; it proves nothing, and its verdict is not-proven',
    );
    return passes.every(({ result }) => result !== undefined)
      ? 0
      : fail(passes.flatMap(({ problems }) => problems));
  }
  const open = passes.filter(({ result }) => !result?.isProven);
  if (open.length === 0) return 0;
  core.error(failure(open));
  return 1;
}

/** Names every stage that is not proven with its first reason. */
function failure(open: Awaited<ReturnType<typeof passAll>>): string {
  const lines = open.flatMap(({ folder, result, problems }) => {
    const place = folder === '' ? '' : `${folder}: `;
    const stages = (result?.stages ?? [])
      .filter(({ assessment }) => assessment.status !== 'valid')
      .map(({ assessment, held }) => {
        const why = held === undefined ? assessment.reason : `not run: ${held}`;
        return `${place}${assessment.stage.name} is ${assessment.status}: ${why}`;
      });
    return [
      ...stages,
      ...(result?.problems ?? problems).map((found) => `${place}${renderProblem(found)}`),
    ];
  });
  return ['Not proven.', ...lines].join('\n');
}

function fail(problems: readonly Problem[]): 1 | 2 {
  console.resume();
  for (const found of problems) {
    core.error(renderProblem(found), {
      title: 'signoff-gate',
      ...(found.at ? { file: found.at.file } : {}),
      ...(found.at?.line === undefined ? {} : { startLine: found.at.line }),
    });
  }
  return 2;
}

function crash(cause: unknown): void {
  console.resume();
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  core.error(`internal error: ${text}`);
  process.exit(70);
}

main().then((code) => {
  process.exitCode = code;
  // Whatever is still open (a socket, a timer) must not hold the job: all that counts is written.
  process.stdout.write('', () => process.exit());
}, crash);

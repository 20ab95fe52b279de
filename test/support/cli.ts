import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { JudgementAnswer, RefusalAnswer } from '../../src/generated/documents.ts';
import type { SchemaError } from '../../src/generated/validators.js';
import { validateAnswerJudgement, validateAnswerRefusal } from '../../src/generated/validators.js';
import { type CliRun, type StartedCli, startCli } from '../e2e/built-cli.ts';
import type { TestWorkspace } from './workspace.ts';

/** The built command line over a workspace. */

export async function gate(workspace: TestWorkspace, ...args: string[]): Promise<CliRun> {
  return startCli(args, { cwd: workspace.root }).ended;
}

/** The judgement that `run` or `check` prints with `--json`, with its exit code. */
export async function judged(
  workspace: TestWorkspace,
  ...args: string[]
): Promise<{ readonly status: number | null; readonly answer: JudgementAnswer }> {
  const { status, stdout, stderr } = await gate(workspace, ...args, '--json');
  return { status, answer: documentIn(stdout, validateAnswerJudgement, stderr) };
}

/** What a command refuses with `--json`, with its exit code. */
export async function refused(
  workspace: TestWorkspace,
  ...args: string[]
): Promise<{ readonly status: number | null; readonly answer: RefusalAnswer }> {
  const { status, stdout, stderr } = await gate(workspace, ...args, '--json');
  return { status, answer: documentIn(stdout, validateAnswerRefusal, stderr) };
}

interface Validator<Document> {
  (value: unknown): value is Document;
  errors?: SchemaError[] | null;
}

/** The one document that stdout is, of the shape that its schema gives it. */
export function documentIn<Document>(
  stdout: string,
  validate: Validator<Document>,
  stderr = '',
): Document {
  let document: unknown;
  try {
    document = JSON.parse(stdout);
  } catch {
    throw new Error(`stdout is not one document: ${JSON.stringify(stdout)}, stderr: ${stderr}`);
  }
  if (validate(document)) return document;
  throw new Error(`${JSON.stringify(validate.errors)} in ${stdout}`);
}

/** Waits until a condition holds; a test fails that waits for more than 30 s. */
export async function until(condition: () => boolean): Promise<void> {
  const started = performance.now();
  while (!condition()) {
    expect(performance.now() - started).toBeLessThan(30_000);
    await sleep(5);
  }
}

/** Waits until the command line has told something on stderr. */
export async function untilTold(cli: StartedCli, text: string): Promise<void> {
  await until(() => cli.told().includes(text) || cli.child.exitCode !== null);
  expect(cli.told()).toContain(text);
}

/** Everything that can be seen of a tree: kinds, modes, time stamps and bytes. */
export function pictureOf(root: string, below = ''): string[] {
  return readdirSync(join(root, below)).flatMap((name) => {
    const path = join(below, name);
    const { mode, ino, size, mtimeMs, ctimeMs } = lstatSync(join(root, path));
    const seen = `${path} ${mode} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) return [seen, ...pictureOf(root, path)];
    if (stat.isSymbolicLink()) return [`${seen} ${readlinkSync(join(root, path))}`];
    return [stat.isFile() ? `${seen} ${readFileSync(join(root, path)).toString('base64')}` : seen];
  });
}

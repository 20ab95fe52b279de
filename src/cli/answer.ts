import { refusalAnswer } from '../report/answers.ts';
import { exitCodeOf, type Problem, renderProblem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { tell, withoutCommands, writeAnswer } from './output.ts';

export type ExitCode = 0 | 1 | 2 | 70;

/** What a command has to say: printed whole, and only then the exit code is set. */
export interface Answer {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  /** Lines for people, beside a JSON document or in the place of an answer. */
  readonly stderr: readonly string[];
}

export function textAnswer(exitCode: ExitCode, text: string): Answer {
  return { exitCode, stdout: `${withoutCommands(text)}\n`, stderr: [] };
}

export function jsonAnswer(
  exitCode: ExitCode,
  document: unknown,
  problems: readonly Problem[] = [],
): Answer {
  const stderr = problems.map((found) => `signoff-gate: ${renderProblem(found)}`);
  // The same document, in which the console of a runner finds no command either.
  const text = JSON.stringify(document, null, 2).replaceAll('##[', '#\\u0023[');
  return { exitCode, stdout: `${text}\n`, stderr };
}

/** Why there is no answer: 1 refused, 2 the caller's mistake, 70 a fault of ours. */
export function refusal(problems: readonly Problem[], isJson: boolean): Answer {
  const codes = problems.map(({ code }) => exitCodeOf(code));
  const exitCode = ([70, 2] as const).find((code) => codes.includes(code)) ?? 1;
  const answer = jsonAnswer(exitCode, refusalAnswer(problems), problems);
  return isJson ? answer : { ...answer, stdout: '' };
}

/**
 * Prints an answer, then sets the exit code it stands for: an answer that could not be written must
 * not leave a green code behind.
 */
export function print(answer: Answer): void {
  for (const line of answer.stderr) tell(line);
  if (writeAnswer(answer.stdout)) process.exitCode = answer.exitCode;
  else tell('signoff-gate: the answer could not be written to stdout');
}

/** An exception is a bug of ours: it is shown as such and ends the process at once, not green. */
export function crash(cause: unknown): void {
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  for (const line of text.split('\n')) tell(`signoff-gate: internal error: ${printable(line)}`);
  process.exit(70);
}

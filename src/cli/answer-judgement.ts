import { judgementAnswer } from '../report/answers.ts';
import { duration } from '../report/duration.ts';
import type { GateResult } from '../report/result.ts';
import { exitCodeOf, renderProblem } from '../values/problem.ts';
import { printable } from '../values/text.ts';
import { type Answer, type ExitCode, jsonAnswer, textAnswer } from './answer.ts';
import { table } from './table.ts';

/** Prints a judgement and exits by it: 0 proven, 2 if the flow or the caller is at fault, else 1. */
export function answerJudgement(result: GateResult, isJson: boolean): Answer {
  const exitCode = judgementExitCode(result);
  return isJson
    ? jsonAnswer(exitCode, judgementAnswer(result), result.problems)
    : textAnswer(exitCode, judgementText(result));
}

const WORDS = { proven: 'PROVEN', trusted: 'TRUSTED', 'not-proven': 'NOT PROVEN' } as const;

function judgementExitCode(result: GateResult): ExitCode {
  if (result.isProven) return 0;
  return result.problems.some(({ code }) => exitCodeOf(code) === 2) ? 2 : 1;
}

function judgementText(result: GateResult): string {
  const answer = judgementAnswer(result);
  const rows = Object.entries(answer.stages).map(([name, stage]) => [
    name,
    stage.status,
    stage.verdict,
    stage.how,
    stage.duration_ms === null ? '' : duration(stage.duration_ms),
    printable([stage.reason, ...stage.marks.map((mark) => `[${mark}]`)].join(' '), 200),
  ]);
  const problems = result.problems.map((found) => `  ${renderProblem(found)}`);
  const { counts } = answer;
  const accepted = result.judging?.isAccepted ? result.judging.changes : [];
  const strays = result.strays ?? [];
  return [
    table(['stage', 'status', 'verdict', 'how', 'took', 'why'], rows),
    ...(problems.length > 0 ? ['', 'problems:', ...problems] : []),
    ...(accepted.length > 0 ? ['', 'this change touches the judging, which was accepted:'] : []),
    ...accepted.map(({ stage, message }) =>
      printable(`  ${stage === undefined ? '' : `stage ${stage}: `}${message}`),
    ),
    ...(result.notices ?? []).map((notice) => printable(`note: ${notice}`)),
    ...(strays.length > 0 ? ['', 'not from this commit:'] : []),
    ...strays.map(({ path, why }) => printable(`  ${path}: ${why}`)),
    '',
    `${WORDS[answer.verdict]}: ${printable(answer.flow)}, ${counts.proven} of ${counts.stages} stages valid`,
  ].join('\n');
}

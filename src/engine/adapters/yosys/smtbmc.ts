import { err, ok, type Result } from '../../../values/result.ts';
import { printable } from '../../../values/text.ts';
import type { EnvelopeError } from '../../envelope.ts';
import type { Bench, StepOutput } from '../adapter.ts';
import { noAnswer, unusable } from '../no-answer.ts';
import { readSmtbmc, type SmtbmcReport } from './smtbmc-report.ts';

type Answer = Promise<Result<SmtbmcReport, EnvelopeError>>;

/**
 * Searches the first `depth` steps for a failing assert. Each step is asked first whether the
 * assumptions leave anything at all: under those that contradict each other everything holds.
 *
 * @param trace path of the waveform that is written of a failure
 */
export function searchFailure(bench: Bench, model: string, depth: number, trace: string): Answer {
  return solve(bench, ['--presat', '-t', `${depth}`, '--dump-vcd', trace, model]);
}

/** Searches the first `depth` steps for a way to each cover. */
export function searchCovers(bench: Bench, model: string, depth: number): Answer {
  return solve(bench, ['-c', '-t', `${depth}`, model]);
}

/** Does what held for up to `depth` steps hold in the next one, wherever they began? */
export function induce(bench: Bench, model: string, depth: number): Answer {
  return solve(bench, ['-i', '-t', `${depth}`, model]);
}

async function solve(bench: Bench, args: readonly string[]): Answer {
  const done = await bench.step({
    program: 'yosys-smtbmc',
    // The solver that it looks for by itself is not on Debian. Unrolled, each net is named once in
    // each step; z3 writes out the functions of a model wherever they are used, which may not end.
    args: ['-s', 'z3', '--noprogress', '--unroll', ...args],
    answers: [0, 1],
  });
  if (!done.ok) return done;
  const report = readSmtbmc(done.value);
  if (report) return ok(report);
  return err(
    done.value.exitCode === 0
      ? unusable('yosys-smtbmc ended well and without one status')
      : withoutStatus(done.value),
  );
}

/** The solver is missing, died, timed out or gave up: the last thing that was said tells which. */
function withoutStatus(output: StepOutput): EnvelopeError {
  const last = (output.stderr.trim() || output.stdout.trim()).split('\n').at(-1) ?? '';
  const said = last.replace(/^## +\d+:\d\d:\d\d +/, '');
  const fault = noAnswer('yosys-smtbmc', output);
  return { ...fault, message: printable(`${fault.message}: ${said || 'it says nothing'}`) };
}

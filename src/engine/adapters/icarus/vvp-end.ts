/** A module of ours beside the testbench: its only act is a line when the simulation has ended. */
export const END_MODULE = 'signoff_gate_end_of_simulation';

/**
 * Icarus Verilog 11 does not tell of `$finish`, but it runs `final` blocks after it, those of the
 * first root first. What is printed after this line was printed by other `final` blocks, which run
 * even when something cut the checks short.
 */
export function endModule(nonce: string): string {
  // Its line begins on a line of its own, whatever the testbench has left open.
  return `module ${END_MODULE};\n  final $display("\\n${endLine(nonce)}");\nendmodule\n`;
}

function endLine(nonce: string): string {
  return `SIGNOFF_END nonce=${nonce}`;
}

const FINISH = /^.*:\d+: \$finish(?:_and_return)? called at \d+ \(/;

/**
 * Why a simulation did not come to its end after its result, as far as its output tells.
 *
 * @param result the index of the result line among the lines
 */
export function whyUnended(
  lines: readonly string[],
  nonce: string,
  result: number,
): string | undefined {
  const ends = indexesOf(lines, (line) => line === endLine(nonce));
  const [end] = ends;
  if (end === undefined || ends.length !== 1) return 'the simulation did not come to its end once';
  if (result > end) return 'the result line was printed after the simulation had ended';
  // Version 12 tells of each $finish, if it is not $finish(0).
  const finishes = indexesOf(lines, (line) => FINISH.test(line));
  if (finishes.length > 1) return `$finish was called ${finishes.length} times`;
  const [finish] = finishes;
  return finish !== undefined && result > finish
    ? 'the result line was printed after $finish was called'
    : undefined;
}

function indexesOf(lines: readonly string[], fits: (line: string) => boolean): number[] {
  return lines.flatMap((line, index) => (fits(line) ? [index] : []));
}

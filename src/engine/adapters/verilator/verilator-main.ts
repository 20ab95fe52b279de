/** What the model of the simulation is called, whatever its top module is. */
export const MODEL = 'Vsim';

export interface MainSettings {
  readonly nonce: string;
  readonly seed: number;
  /** Absolute path of the file for coverage; undefined: none is collected. */
  readonly coverage: string | undefined;
}

/**
 * The program that runs a model of Verilator (5.006). Its own does not write coverage, and ends with
 * a signal at the first failed assertion; this one ends with an exit code, says how it ended, and
 * starts what has no value with values of chance, the same for the same seed.
 */
export function simulationMain({ nonce, seed, coverage }: MainSettings): string {
  return `#include "${MODEL}.h"
#include "verilated.h"
#include <memory>
${coverage === undefined ? '' : '#include "verilated_cov.h"\n#include <fstream>\n'}
int main(int argc, char** argv) {
    const std::unique_ptr<VerilatedContext> context{new VerilatedContext};
    context->fatalOnError(false);
    context->randReset(2);
    context->randSeed(${seed});
    context->commandArgs(argc, argv);
    const std::unique_ptr<${MODEL}> model{new ${MODEL}{context.get()}};
    while (!context->gotFinish()) {
        model->eval();
        if (!model->eventsPending()) break;
        context->time(model->nextTimeSlot());
    }
    model->final();
${coverage === undefined ? '' : writeCoverage(coverage, nonce)}
    const bool isFinished = context->gotFinish();
    const bool isFaulty = context->gotError();
    VL_PRINTF("\\n%s finish=%d error=%d\\n", "${endWord(nonce)}", isFinished ? 1 : 0, isFaulty ? 1 : 0);
    Verilated::runFlushCallbacks();
    return isFaulty ? 1 : 0;
}
`;
}

/** The library does not tell of a disk that is full: a line of ours at the end does. */
function writeCoverage(path: string, nonce: string): string {
  const name = JSON.stringify(path);
  return `    context->coveragep()->write(${name});
    std::ofstream end{${name}, std::ios::app};
    end << "${coverageEnd(nonce)}\\n";
    end.close();
    if (!end) return 2;`;
}

/** The last line of a file of coverage; a comment to the tools that read it. */
export function coverageEnd(nonce: string): string {
  return `# end ${nonce}`;
}

function endWord(nonce: string): string {
  return `SIGNOFF_END nonce=${nonce}`;
}

/**
 * Why a simulation did not come to its end after its result, as its output tells. Verilator goes on
 * to the end of a step of time after `$finish`: what is printed then, another `$finish` too, was not
 * to happen.
 *
 * @param result the index of the result line among the lines
 */
export function whyUnended(
  lines: readonly string[],
  nonce: string,
  result: number,
): string | undefined {
  const finishes = lines.flatMap((line, index) =>
    /\bVerilog \$finish$/.test(line) ? [index] : [],
  );
  const [finish] = finishes;
  if (finish === undefined) return 'the simulation ended without $finish: nothing was left to do';
  if (finishes.length > 1) return `$finish was called ${finishes.length} times`;
  const ends = lines.filter((line) => line.startsWith(endWord(nonce)));
  if (ends.length !== 1) return 'the simulation did not come to its end once';
  return result > finish ? 'the result line was printed after $finish was called' : undefined;
}

import { readFileSync } from 'node:fs';

/** A counter of four bits, and a testbench that keeps the convention of docs/testbench.md. */

export const COUNTER = `module counter (
    input  wire       clk,
    input  wire       rst,
    output reg  [3:0] count
);
  always @(posedge clk)
    if (rst) count <= 4'd0;
    else count <= count + 4'd1;
endmodule
`;

/** Counts by two. */
export const WRONG_COUNTER = COUNTER.replace("4'd1", "4'd2");

/** Has no reset, so that it holds what it began with: nothing that is known. */
export const UNKNOWN_COUNTER = COUNTER.replace("if (rst) count <= 4'd0;\n    else", 'if (!rst)');

interface Parts {
  /** Declarations and further processes. */
  readonly beside?: string;
  /** Statements before the first check, at the end of reset. */
  readonly before?: string;
  /** The statement of one check. */
  readonly check?: string;
  /** Statements that report; after them comes the end. */
  readonly report?: string;
  readonly end?: string;
}

const REPORT = `if (errors === 0) $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=%0d errors=0", nonce, checks);
    else $display("SIGNOFF_RESULT nonce=%0s verdict=FAIL checks=%0d errors=%0d", nonce, checks, errors);`;

/** Eight checks of the counter; each part may be another. */
export function testbench(parts: Parts = {}): string {
  return `\`timescale 1ns / 1ns
module tb;
  reg clk = 0;
  reg rst = 1;
  wire [3:0] count;
  reg [255:0] nonce;
  integer checks = 0;
  integer errors = 0;
  integer i;

  counter dut (.clk(clk), .rst(rst), .count(count));

  always #5 clk = ~clk;
  ${parts.beside ?? ''}
  initial begin
    if (!$value$plusargs("signoff_nonce=%s", nonce)) nonce = "none";
    @(negedge clk);
    rst = 0;
    ${parts.before ?? ''}
    for (i = 1; i < 9; i = i + 1) begin
      @(negedge clk);
      checks = checks + 1;
      ${parts.check ?? 'if (count !== i[3:0]) errors = errors + 1;'}
    end
    ${parts.report ?? REPORT}
    ${parts.end ?? '$finish;'}
  end
endmodule
`;
}

const MANUAL = readFileSync(new URL('../../../docs/testbench.md', import.meta.url), 'utf8');

/** The testbench of the counter that the manual shows in a language. */
export function shown(language: string): string {
  const [, text = ''] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(MANUAL) ?? [];
  return text;
}

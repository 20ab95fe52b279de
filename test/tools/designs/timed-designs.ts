import { readFileSync } from 'node:fs';

/** INV, BUF, NAND2, TIELO, TIEHI, DFF and DFFR with delays, setup 0.25 ns and hold 0.125 ns. */
export const TIMED_CELLS = readFileSync(new URL('timed-cells.lib', import.meta.url), 'utf8');

/** Two registers, a gate, a register: 0.5 ns out of the first, 1 ns through the gate. */
export const PIPE = `module pipe (clk, a, b, y);
  input clk, a, b;
  output y;
  wire n, qa, qb;
  DFF ra (.CK(clk), .D(a), .Q(qa));
  DFF rb (.CK(clk), .D(b), .Q(qb));
  NAND2 g (.A(qa), .B(qb), .Y(n));
  DFF ry (.CK(clk), .D(n), .Q(y));
endmodule
`;

/** Everything that the pipe needs: a clock, and delays at both ends. */
export const PIPE_SDC = `create_clock -name clk -period 10 [get_ports clk]
set_input_delay 1 -clock clk [get_ports {a b}]
set_output_delay 1 -clock clk [get_ports y]
`;

/** The pipe with a reset, and registers at constants: of a tie cell, and of the netlist itself. */
export const TIED_PIPE = `module pipe (clk, rn, a, y, z);
  input clk, rn, a;
  output y, z;
  wire qa, lo, hi;
  DFFR ra (.CK(clk), .D(a), .RN(rn), .Q(qa));
  DFFR ry (.CK(clk), .D(qa), .RN(hi), .Q(y));
  TIELO tl (.Y(lo));
  TIEHI th (.Y(hi));
  DFF rz (.CK(clk), .D(lo), .Q(z));
  DFF rc (.CK(clk), .D(1'b0), .Q());
endmodule
`;

/** Two clocks, and a path from the one to the other. */
export const CROSSING = `module crossing (ck1, ck2, a, y);
  input ck1, ck2, a;
  output y;
  wire q1, q2;
  DFF r1 (.CK(ck1), .D(a), .Q(q1));
  DFF r2 (.CK(ck2), .D(q1), .Q(q2));
  DFF r3 (.CK(ck2), .D(q2), .Q(y));
endmodule
`;

const net = (name: string, driver: string, ...loads: string[]): string => `*D_NET ${name} 0.5
*CONN
${driver} O
${loads.map((load) => `${load} I`).join('\n')}
*CAP
1 ${driver.slice(3)} 0.25
2 ${loads[0]?.slice(3)} 0.25
*RES
${loads.map((load, index) => `${index + 1} ${driver.slice(3)} ${load.slice(3)} 2`).join('\n')}
*END
`;

/** Parasitics of each net of the pipe: 0.5 pF and 2 kohm. */
export const PIPE_SPEF = `*SPEF "IEEE 1481-1998"
*DESIGN "pipe"
*DATE "never"
*VENDOR "nobody"
*PROGRAM "by hand"
*VERSION "1"
*DESIGN_FLOW "NETLIST"
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 KOHM
*L_UNIT 1 UH

${net('clk', '*P clk', '*I ra:CK', '*I rb:CK', '*I ry:CK')}
${net('a', '*P a', '*I ra:D')}
${net('b', '*P b', '*I rb:D')}
${net('qa', '*I ra:Q', '*I g:A')}
${net('qb', '*I rb:Q', '*I g:B')}
${net('n', '*I g:Y', '*I ry:D')}
${net('y', '*I ry:Q', '*P y')}`;

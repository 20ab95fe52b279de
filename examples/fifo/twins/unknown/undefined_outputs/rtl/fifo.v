// TWIN: every output is undefined. An undefined value may become anything, so any netlist at
// all "does what the RTL says".
`include "fifo_defs.vh"
`default_nettype none

module fifo #(
    parameter WIDTH      = `FIFO_WIDTH,
    parameter DEPTH_LOG2 = `FIFO_DEPTH_LOG2
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                push,
    input  wire [WIDTH-1:0]    push_data,
    output reg                 full,
    input  wire                pop,
    output wire [WIDTH-1:0]    pop_data,
    output wire                empty,
    output wire [DEPTH_LOG2:0] level
);

    assign pop_data = {WIDTH{1'bx}};
    assign empty    = 1'bx;
    assign level    = {(DEPTH_LOG2 + 1){1'bx}};

    always @(posedge clk) full <= 1'bx;

endmodule

`default_nettype wire

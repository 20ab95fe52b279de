// TWIN, wrong on purpose: the assertion fails in the very first cycle and in no other. A proof
// that leaves out the first cycles would call it proven.
`include "fifo_defs.vh"
`default_nettype none

module fifo_props (
    input wire                   clk,
    input wire                   push,
    input wire [`FIFO_WIDTH-1:0] push_data,
    input wire                   pop
);

    reg power_up = 1'b1;
    always @(posedge clk) power_up <= 1'b0;

    fifo dut (
        .clk      (clk),
        .rst      (power_up),
        .push     (push),
        .push_data(push_data),
        .pop      (pop)
    );

`ifdef FORMAL
    always @*
        never_in_reset: assert (!power_up);
`endif

endmodule

`default_nettype wire

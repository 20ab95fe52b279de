// TWIN: the assertion is true, but it says too little about the design for induction to
// carry it: what the storage holds is left open.
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

    wire                      full;
    wire                      empty;
    wire [`FIFO_WIDTH-1:0]    pop_data;
    wire [`FIFO_DEPTH_LOG2:0] level;

    fifo dut (
        .clk      (clk),
        .rst      (power_up),
        .push     (push),
        .push_data(push_data),
        .full     (full),
        .pop      (pop),
        .pop_data (pop_data),
        .empty    (empty),
        .level    (level)
    );

`ifdef FORMAL
    // Follows the second word after the reset until it comes out. The clock count makes each
    // cycle differ from all before, so that induction cannot end by running out of states.
    reg [7:0]             cycle  = 0;
    reg [1:0]             pushes = 0;
    reg [1:0]             pops   = 0;
    reg [`FIFO_WIDTH-1:0] second;

    always @(posedge clk) cycle <= cycle + 1'b1;

    always @(posedge clk)
        if (!power_up) begin
            if (push && !full && pushes < 2) begin
                pushes <= pushes + 1'b1;
                second <= push_data;
            end
            if (pop && !empty && pops < 2) pops <= pops + 1'b1;
        end

    always @(posedge clk)
        if (pushes == 2 && pops == 1 && cycle < 200)
            second_comes_second: assert (pop_data == second);
`endif

endmodule

`default_nettype wire

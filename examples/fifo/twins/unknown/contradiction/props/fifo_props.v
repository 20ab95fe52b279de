// TWIN: no run of the design satisfies both assumptions, so everything holds, even "false".
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
    always @(posedge clk)
        if (!power_up) begin
            always_busy:   assume (push && level > 1);
            always_silent: assume (!push);
            anything:      assert (level > (1 << `FIFO_DEPTH_LOG2));
        end
`endif

endmodule

`default_nettype wire

// TWIN, wrong on purpose: push is the clock of the storage.
//
// A synchronous first-in first-out buffer with one clock.
//
// A push while full and a pop while empty are ignored. The oldest word is always
// on pop_data, which means nothing while empty is high.
`include "fifo_defs.vh"
`default_nettype none

module fifo #(
    parameter WIDTH      = `FIFO_WIDTH,
    parameter DEPTH_LOG2 = `FIFO_DEPTH_LOG2
) (
    input  wire                clk,
    input  wire                rst,  // synchronous, active high

    input  wire                push,
    input  wire [WIDTH-1:0]    push_data,
    output wire                full,

    input  wire                pop,
    output wire [WIDTH-1:0]    pop_data,
    output wire                empty,

    output wire [DEPTH_LOG2:0] level  // words held, 0 to 2**DEPTH_LOG2
`ifdef FORMAL
    // A window for the proof: the word that is peek_offset places behind the oldest.
    , input  wire [DEPTH_LOG2-1:0] peek_offset
    , output wire [WIDTH-1:0]      peek_data
`endif
);

    wire                  write;
    wire [DEPTH_LOG2-1:0] write_addr;
    wire [DEPTH_LOG2-1:0] read_addr;

    fifo_ctrl #(
        .DEPTH_LOG2(DEPTH_LOG2)
    ) ctrl (
        .clk       (clk),
        .rst       (rst),
        .push      (push),
        .pop       (pop),
        .full      (full),
        .empty     (empty),
        .level     (level),
        .write     (write),
        .write_addr(write_addr),
        .read_addr (read_addr)
    );

    fifo_mem #(
        .WIDTH     (WIDTH),
        .DEPTH_LOG2(DEPTH_LOG2)
    ) mem (
        .clk       (push),
        .write     (write),
        .write_addr(write_addr),
        .write_data(push_data),
        .read_addr (read_addr),
        .read_data (pop_data)
`ifdef FORMAL
        , .peek_addr(read_addr + peek_offset)
        , .peek_data(peek_data)
`endif
    );

endmodule

`default_nettype wire

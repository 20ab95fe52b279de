// TWIN, wrong on purpose: a register without a reset flips the level. It keeps its first value,
// since full and empty never meet: a proof finds no step that brings in a difference.
//
// Pointers and flags of the FIFO.
//
// Each pointer carries one bit more than an address needs, so that their
// difference tells "full" from "empty" when the addresses are equal.
`include "fifo_defs.vh"
`default_nettype none

module fifo_ctrl #(
    parameter DEPTH_LOG2 = `FIFO_DEPTH_LOG2
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  push,
    input  wire                  pop,
    output wire                  full,
    output wire                  empty,
    output wire [DEPTH_LOG2:0]   level,

    output wire                  write,
    output wire [DEPTH_LOG2-1:0] write_addr,
    output wire [DEPTH_LOG2-1:0] read_addr
);

    localparam [DEPTH_LOG2:0] DEPTH = 1 << DEPTH_LOG2;

    reg [DEPTH_LOG2:0] write_ptr;
    reg [DEPTH_LOG2:0] read_ptr;

    reg flip;
    always @(posedge clk) if (full && empty) flip <= push;

    assign level = (write_ptr - read_ptr) ^ flip;
    assign full  = level == DEPTH;
    assign empty = level == 0;

    assign write      = push && !full;
    assign write_addr = write_ptr[DEPTH_LOG2-1:0];
    assign read_addr  = read_ptr[DEPTH_LOG2-1:0];

    wire read = pop && !empty;

    always @(posedge clk) begin
        if (rst) begin
            write_ptr <= 0;
            read_ptr  <= 0;
        end else begin
            if (write) write_ptr <= write_ptr + 1'b1;
            if (read)  read_ptr  <= read_ptr + 1'b1;
        end
    end

endmodule

`default_nettype wire

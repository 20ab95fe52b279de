// Storage of the FIFO: one write port with a clock, one read port without.
// The words have no reset; the controller never shows one that was not written.
`include "fifo_defs.vh"
`default_nettype none

module fifo_mem #(
    parameter WIDTH      = `FIFO_WIDTH,
    parameter DEPTH_LOG2 = `FIFO_DEPTH_LOG2
) (
    input  wire                  clk,

    input  wire                  write,
    input  wire [DEPTH_LOG2-1:0] write_addr,
    input  wire [WIDTH-1:0]      write_data,

    input  wire [DEPTH_LOG2-1:0] read_addr,
    output wire [WIDTH-1:0]      read_data
`ifdef FORMAL
    , input  wire [DEPTH_LOG2-1:0] peek_addr
    , output wire [WIDTH-1:0]      peek_data
`endif
);

    reg [WIDTH-1:0] words [0:(1 << DEPTH_LOG2)-1];

    always @(posedge clk)
        if (write) words[write_addr] <= write_data;

    assign read_data = words[read_addr];

`ifdef FORMAL
    assign peek_data = words[peek_addr];
`endif

endmodule

`default_nettype wire

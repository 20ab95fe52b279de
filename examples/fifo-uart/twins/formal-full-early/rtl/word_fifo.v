// A first-in first-out buffer with one clock.
//
// A push while full and a pop while empty are ignored. The oldest word is always on
// pop_data, which means nothing while empty is high.
`default_nettype none

module word_fifo #(
    parameter WIDTH      = 8,
    parameter DEPTH_LOG2 = 2
) (
    input  wire                clk,
    input  wire                rst,

    input  wire                push,
    input  wire [WIDTH-1:0]    push_data,
    output wire                full,

    input  wire                pop,
    output wire [WIDTH-1:0]    pop_data,
    output wire                empty,

    output wire [DEPTH_LOG2:0] level
`ifdef FORMAL
    // The word that is peek_offset places behind the oldest.
    , input  wire [DEPTH_LOG2-1:0] peek_offset
    , output wire [WIDTH-1:0]      peek_word
`endif
);

    // Each pointer has one bit more than an address needs: equal addresses are "empty"
    // when these bits agree and "full" when they differ.
    reg [DEPTH_LOG2:0] write_ptr;
    reg [DEPTH_LOG2:0] read_ptr;

    wire [DEPTH_LOG2-1:0] write_addr = write_ptr[DEPTH_LOG2-1:0];
    wire [DEPTH_LOG2-1:0] read_addr  = read_ptr[DEPTH_LOG2-1:0];

    assign level = write_ptr - read_ptr;
    assign empty = write_ptr == read_ptr;
    assign full  = level[DEPTH_LOG2] || &level[DEPTH_LOG2-1:0];

    wire write = push && !full;
    wire read  = pop && !empty;

    always @(posedge clk) begin
        if (rst) begin
            write_ptr <= {(DEPTH_LOG2 + 1){1'b0}};
            read_ptr  <= {(DEPTH_LOG2 + 1){1'b0}};
        end else begin
            if (write) write_ptr <= write_ptr + 1'b1;
            if (read)  read_ptr  <= read_ptr + 1'b1;
        end
    end

    // The words have no reset: none is shown before it was written.
    reg [WIDTH-1:0] words [0:(1 << DEPTH_LOG2)-1];

    always @(posedge clk)
        if (write) words[write_addr] <= push_data;

    assign pop_data = words[read_addr];

`ifdef FORMAL
    wire [DEPTH_LOG2-1:0] peek_addr = read_addr + peek_offset;
    assign peek_word = words[peek_addr];
`endif

endmodule

`default_nettype wire

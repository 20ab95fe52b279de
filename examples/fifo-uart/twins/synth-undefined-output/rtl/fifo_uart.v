// A transmitter for a serial line with a small FIFO in front of it.
//
// A word is accepted in each clock in which in_valid and in_ready are both high. Accepted
// words go out on txd in their order: a start bit (0), the data bits with the lowest
// first, a stop bit (1). Between frames the line rests at 1.
`default_nettype none

module fifo_uart #(
    parameter WIDTH          = 8,  // bits in one word
    parameter DEPTH_LOG2     = 2,  // the FIFO holds 2**DEPTH_LOG2 words
    parameter CLOCKS_PER_BIT = 4   // clock frequency / baud rate, 2 or more
) (
    input  wire                clk,
    input  wire                rst,  // synchronous, active high

    input  wire                in_valid,
    input  wire [WIDTH-1:0]    in_data,
    output wire                in_ready,

    output wire [DEPTH_LOG2:0] level,  // words that wait, 0 to 2**DEPTH_LOG2
    output wire                busy,   // a word waits or is on the line
    output wire                txd
);

    wire             full;
    wire             empty;
    wire [WIDTH-1:0] word;
    wire             word_taken;
    wire             sending;

    assign in_ready = !full;
    assign busy     = 1'bx;

    word_fifo #(
        .WIDTH     (WIDTH),
        .DEPTH_LOG2(DEPTH_LOG2)
    ) fifo (
        .clk      (clk),
        .rst      (rst),
        .push     (in_valid),
        .push_data(in_data),
        .full     (full),
        .pop      (word_taken),
        .pop_data (word),
        .empty    (empty),
        .level    (level)
    );

    uart_tx #(
        .WIDTH         (WIDTH),
        .CLOCKS_PER_BIT(CLOCKS_PER_BIT)
    ) tx (
        .clk       (clk),
        .rst       (rst),
        .word_valid(!empty),
        .word      (word),
        .word_taken(word_taken),
        .sending   (sending),
        .txd       (txd)
    );

endmodule

`default_nettype wire

// Sends words over a serial line: a start bit (0), the data bits with the lowest first,
// a stop bit (1), each for CLOCKS_PER_BIT clocks.
//
// word_taken says that the word which is offered now is sent next. The line comes
// straight from a register, so it has no glitches.
`default_nettype none

module uart_tx #(
    parameter WIDTH          = 8,
    parameter CLOCKS_PER_BIT = 4
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             word_valid,
    input  wire [WIDTH-1:0] word,
    output wire             word_taken,

    output reg              sending,
    output wire             txd
);

    localparam FRAME_BITS = WIDTH + 2;
    localparam BITS_WIDTH = $clog2(FRAME_BITS);
    localparam TICK_WIDTH = $clog2(CLOCKS_PER_BIT);

    localparam [BITS_WIDTH-1:0] LAST_BIT  = FRAME_BITS[BITS_WIDTH-1:0] - 1'b1;
    localparam [TICK_WIDTH-1:0] LAST_TICK = CLOCKS_PER_BIT[TICK_WIDTH-1:0] - 1'b1;

    reg [WIDTH:0]        frame;  // goes out from its lowest bit; ones follow, so the stop
                                 // bit needs no place in it
    reg [BITS_WIDTH-1:0] bit_now;
    reg [TICK_WIDTH-1:0] tick_now;

    wire bit_ends   = tick_now == LAST_TICK;
    wire frame_ends = bit_ends && bit_now == LAST_BIT;

    assign txd        = frame[0];
    assign word_taken = word_valid && !sending;

    always @(posedge clk) begin
        if (rst) begin
            sending  <= 1'b0;
            frame    <= {(WIDTH + 1){1'b1}};
            bit_now  <= {BITS_WIDTH{1'b0}};
            tick_now <= {TICK_WIDTH{1'b0}};
        end else if (word_taken) begin
            sending  <= 1'b1;
            frame    <= {word, 1'b0};
            bit_now  <= {BITS_WIDTH{1'b0}};
            tick_now <= {TICK_WIDTH{1'b0}};
        end else if (sending) begin
            if (bit_ends) begin
                sending  <= !frame_ends;
                // verilator lint_off WIDTH
                frame    <= {2'b11, frame[WIDTH:1]};
                // verilator lint_on WIDTH
                bit_now  <= bit_now + 1'b1;
                tick_now <= {TICK_WIDTH{1'b0}};
            end else begin
                tick_now <= tick_now + 1'b1;
            end
        end
    end

endmodule

`default_nettype wire

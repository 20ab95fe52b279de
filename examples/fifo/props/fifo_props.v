// What the FIFO promises, as immediate assertions over its ports.
//
// The environment is free: any push, any pop, a reset at any time. There is no
// assumption at all, so nothing here can be true because the inputs are impossible.
`include "fifo_defs.vh"
`default_nettype none

module fifo_props #(
    parameter WIDTH      = `FIFO_WIDTH,
    parameter DEPTH_LOG2 = `FIFO_DEPTH_LOG2
) (
    input wire             clk,
    input wire             reset_again,
    input wire             push,
    input wire [WIDTH-1:0] push_data,
    input wire             pop,
    input wire             track  // follow the word that is pushed now
);

    localparam [DEPTH_LOG2:0] DEPTH = 1 << DEPTH_LOG2;

    // The design has no power-up values, so the first cycle resets it. Until then its
    // state is anything, and nothing is asserted.
    reg power_up = 1'b1;
    always @(posedge clk) power_up <= 1'b0;
    wire rst = power_up || reset_again;

    wire                full;
    wire                empty;
    wire [WIDTH-1:0]    pop_data;
    wire [DEPTH_LOG2:0] level;
    wire [WIDTH-1:0]    peek_data;

    wire pushed = push && !full;
    wire popped = pop && !empty;

    // The model that the FIFO is held against: a counter that goes up by each word
    // accepted and down by each word taken.
    reg [DEPTH_LOG2+1:0] expected_level = 0;
    always @(posedge clk)
        if (rst) expected_level <= 0;
        else     expected_level <= expected_level + pushed - popped;

    // One word, chosen freely, is followed from its push to its pop. As the choice is
    // free, what holds for it holds for every word.
    reg                  tracking = 1'b0;
    reg [WIDTH-1:0]      tracked_data;
    reg [DEPTH_LOG2-1:0] words_ahead;

    wire tracked_leaves = tracking && popped && words_ahead == 0;

    always @(posedge clk)
        if (rst || tracked_leaves) begin
            tracking <= 1'b0;
        end else if (!tracking && track && pushed) begin
            tracking     <= 1'b1;
            tracked_data <= push_data;
            words_ahead  <= level - popped;
        end else if (popped) begin
            words_ahead  <= words_ahead - 1'b1;
        end

    fifo #(
        .WIDTH     (WIDTH),
        .DEPTH_LOG2(DEPTH_LOG2)
    ) dut (
        .clk        (clk),
        .rst        (rst),
        .push       (push),
        .push_data  (push_data),
        .full       (full),
        .pop        (pop),
        .pop_data   (pop_data),
        .empty      (empty),
        .level      (level),
        .peek_offset(words_ahead),
        .peek_data  (peek_data)
    );

`ifdef FORMAL
    always @(posedge clk)
        if (!power_up) begin
            no_overflow:      assert (level <= DEPTH);
            level_is_exact:   assert (level == expected_level);
            full_means_full:  assert (full == (level == DEPTH));
            empty_means_none: assert (empty == (level == 0));

            // Neither a push into a full FIFO nor a pop from an empty one changes it.
            if ($past(full) && $past(push) && !$past(pop) && !$past(rst))
                full_keeps:   assert (full);
            if ($past(empty) && $past(pop) && !$past(push))
                no_underflow: assert (empty);

            // The followed word stays where it was put, and it is what comes out.
            if (tracking) begin
                word_is_kept: assert (words_ahead < level && peek_data == tracked_data);
                if (tracked_leaves)
                    word_comes_out: assert (pop_data == tracked_data);
            end
        end
`endif

endmodule

`default_nettype wire

// What the FIFO promises, for any pushes and pops and a reset at any time.
//
// One word, chosen freely, is followed from its push to its pop: what holds for it holds for
// every word.
`default_nettype none

module word_fifo_props #(
    parameter WIDTH      = 8,
    parameter DEPTH_LOG2 = 2
) (
    input wire             clk,
    input wire             rst,
    input wire             push,
    input wire [WIDTH-1:0] push_data,
    input wire             pop,
    input wire             follow  // the word that is pushed now
);

    localparam [DEPTH_LOG2:0] DEPTH = 1 << DEPTH_LOG2;

    wire                full;
    wire                empty;
    wire [WIDTH-1:0]    pop_data;
    wire [DEPTH_LOG2:0] level;
    wire [WIDTH-1:0]    peek_word;

    wire pushed = push && !full;
    wire popped = pop && !empty;

    // Before the first clock the registers hold anything: begin with a reset.
    reg power_up = 1'b1;
    always @(posedge clk) power_up <= 1'b0;

    reg [DEPTH_LOG2:0]   expected_level;
    reg                  waits;
    reg [WIDTH-1:0]      word;
    reg [DEPTH_LOG2-1:0] words_ahead;

    always @(posedge clk)
        if (rst) begin
            expected_level <= 0;
            waits          <= 1'b0;
        end else begin
            expected_level <= expected_level + pushed - popped;
            if (waits) begin
                if (popped) begin
                    words_ahead <= words_ahead - 1'b1;
                    if (words_ahead == 0) waits <= 1'b0;
                end
            end else if (follow && pushed) begin
                waits       <= 1'b1;
                word        <= push_data;
                words_ahead <= level - popped;
            end
        end

    word_fifo #(
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
        .peek_word  (peek_word)
    );

`ifdef FORMAL
    always @*
        if (power_up) starts_in_reset: assume (rst);

    always @*
        if (power_up) never_in_reset: assume (!rst);

    always @*
        if (!power_up) begin
            level_in_range: assert (level <= DEPTH);
            level_is_exact: assert (level == expected_level);
            full_is_exact:  assert (full == (level == DEPTH));
            empty_is_exact: assert (empty == (level == 0));
            if (waits) begin
                word_is_kept: assert (words_ahead < level && peek_word == word);
                if (words_ahead == 0) word_comes_out: assert (pop_data == word);
            end
        end

    // All this would hold for a FIFO that takes nothing, too. This one does:
    always @*
        if (!power_up) begin
            it_fills:      cover (full);
            it_refuses:    cover (push && full);
            it_runs_empty: cover (waits && words_ahead == 0 && popped && level == 1);
        end
`endif

endmodule

`default_nettype wire

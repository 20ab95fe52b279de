// Sends words through the transmitter, reads the serial line as a receiver does, and compares.
// How it tells the gate what came of it: docs/testbench.md.
`timescale 1ns / 1ps

module fifo_uart_tb;
    localparam CLOCKS_PER_BIT = 4;
    localparam WORDS = 24;

    reg        clk = 0;
    reg        rst = 1;
    reg        in_valid = 0;
    reg  [7:0] in_data = 0;
    wire       in_ready;
    wire [2:0] level;
    wire       busy;
    wire       txd;

    fifo_uart #(.CLOCKS_PER_BIT(CLOCKS_PER_BIT)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_data(in_data), .in_ready(in_ready),
        .level(level), .busy(busy), .txd(txd)
    );

    always #5 clk = ~clk;

    reg [255:0] nonce;  // 32 characters
    integer checks = 0;
    integer errors = 0;

    task check(input condition);
        begin
            checks = checks + 1;
            if (condition !== 1'b1) errors = errors + 1;
        end
    endtask

    // The n-th word: all of them differ, and neighbours in many bits.
    function [7:0] word(input integer n);
        word = (n * 8'd37) ^ 8'ha5;
    endfunction

    // Offers a new word in each clock until all are taken: the FIFO fills and refuses some.
    integer offered;
    reg was_full = 0;
    initial begin
        repeat (3) @(negedge clk);
        rst = 0;
        offered = 0;
        while (offered < WORDS) begin
            in_valid = 1;
            in_data = word(offered);
            #1;
            if (in_ready === 1'b1) offered = offered + 1;
            else was_full = 1;
            @(negedge clk);
        end
        in_valid = 0;
        $finish;
    end

    // Receives: half a bit after the edge of the start bit, then once in each bit.
    integer received, place;
    reg [7:0] got;
    initial begin
        if (!$value$plusargs("signoff_nonce=%s", nonce)) nonce = "none";
        @(negedge rst);
        check(txd);
        check(level === 0);
        for (received = 0; received < WORDS; received = received + 1) begin
            @(negedge txd);
            repeat (CLOCKS_PER_BIT / 2) @(negedge clk);
            check(txd === 1'b0);
            check(busy);
            for (place = 0; place < 8; place = place + 1) begin
                repeat (CLOCKS_PER_BIT) @(negedge clk);
                got[place] = txd;
            end
            repeat (CLOCKS_PER_BIT) @(negedge clk);
            check(txd === 1'b1);
            check(got === word(received));
        end
        repeat (2 * CLOCKS_PER_BIT) @(negedge clk);
        check(busy === 1'b0);
        check(level === 0);
        check(was_full);
        if (errors === 0)
            $display("SIGNOFF_RESULT nonce=%0s verdict=PASS checks=%0d errors=0", nonce, checks);
        else
            $display("SIGNOFF_RESULT nonce=%0s verdict=FAIL checks=%0d errors=%0d", nonce, checks, errors);
        $finish;
    end

    // A transmitter that says nothing must not keep the simulation running.
    initial begin
        repeat (WORDS * 12 * CLOCKS_PER_BIT) @(negedge clk);
        $display("SIGNOFF_RESULT nonce=%0s verdict=FAIL checks=%0d errors=1", nonce, checks + 1);
        $finish;
    end
endmodule

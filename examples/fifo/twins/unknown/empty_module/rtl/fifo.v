// TWIN: a module without contents. Nothing in it is wrong, and nothing in it is right.
module fifo;
endmodule

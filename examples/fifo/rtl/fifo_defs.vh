// The sizes of the FIFO, in one place: the design, its properties and the
// twins all read them from here.
`ifndef FIFO_DEFS_VH
`define FIFO_DEFS_VH

`define FIFO_WIDTH 8       // bits in one word
`define FIFO_DEPTH_LOG2 2  // 2**2 = 4 words

`endif

# The clock, and when the world outside gives and wants its signals. Times in ns.
create_clock -name clk -period 2.0 [get_ports clk]
set_clock_uncertainty -setup 0.10 [get_clocks clk]
set_clock_uncertainty -hold 0.05 [get_clocks clk]
set_input_transition 0.10 [get_ports {rst in_valid in_data[*]}]
set_load 0.010 [all_outputs]

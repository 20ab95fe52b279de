/** The script that OpenSTA (2.0.17) runs, in Tcl, part by part. */

export const RECORDS = String.raw`
fconfigure $::gate::records -encoding utf-8 -translation lf
namespace eval ::gate {
  variable step start
  variable place [list {} 0]
}

# One line: what it is, and its fields, between tabs.
proc ::gate::record {args} {
  variable records
  variable nonce
  set line $nonce
  foreach field $args { append line \t [regsub -all {[\x00-\x1f\x7f]+} $field { }] }
  puts $records $line
}

# The message of an error, without the place in this script that the tool puts before it.
proc ::gate::plain {message} {
  regsub {^Error: (?:script\.tcl, \d+ )?} $message {} message
  return $message
}

proc ::gate::name {object} { return [::sta::get_full_name $object] }

# In place of the tool's own, which names the file without its folder.
proc ::sta::sta_warn {msg} {
  ::gate::record warning {*}$::gate::place $msg
}
`;

/**
 * The SDC runs in an interpreter of its own, with the commands of SDC and no others: it can neither
 * exit, nor change the netlist, nor redefine what the results are read with.
 */
export const CONSTRAINTS = String.raw`
namespace eval ::gate {
  variable sdcCommands {
    all_clocks all_inputs all_outputs all_registers
    create_clock create_generated_clock create_voltage_area current_design current_instance
    get_cell get_cells get_clock get_clocks get_fanin get_fanout get_full_name get_lib get_lib_cell
    get_lib_cells get_lib_pin get_lib_pins get_libs get_name get_net get_nets get_pin get_pins
    get_port get_ports get_property get_timing_edges group_path
    set_case_analysis set_clock_gating_check set_clock_groups set_clock_latency set_clock_sense
    set_clock_transition set_clock_uncertainty set_data_check set_disable_timing set_drive
    set_driving_cell set_false_path set_fanout_load set_hierarchy_separator set_ideal_latency
    set_ideal_network set_ideal_transition set_input_delay set_input_transition
    set_level_shifter_strategy set_level_shifter_threshold set_load set_logic_dc set_logic_one
    set_logic_zero set_max_area set_max_capacitance set_max_delay set_max_dynamic_power
    set_max_fanout set_max_leakage_power set_max_time_borrow set_max_transition
    set_min_capacitance set_min_delay set_min_pulse_width set_multicycle_path
    set_operating_conditions set_output_delay set_port_fanout_number set_propagated_clock
    set_resistance set_sense set_timing_derate set_units set_wire_load_min_block_size
    set_wire_load_mode set_wire_load_model set_wire_load_selection_group
  }
}

proc ::gate::readConstraints {} {
  variable sdc
  variable sdcCommands
  interp create -safe sdc
  foreach command $sdcCommands {
    if {[info commands ::$command] ne {}} { interp alias sdc $command {} ::$command }
  }
  interp alias sdc create_generated_clock {} ::gate::generatedClock
  interp alias sdc puts {} ::gate::said
  interp alias sdc source {} ::gate::readSdc
  interp alias sdc read_sdc {} ::gate::readSdc
  interp eval sdc [list array set ::env [array get ::env]]
  # A bit of a bus, name[3], is a command of its own to Tcl.
  interp eval sdc {
    proc unknown {args} {
      set name [lindex $args 0]
      if {[llength $args] == 1 && ([string is integer -strict $name] || $name eq {*})} {
        return "\[$name\]"
      }
      return -code error "invalid command name \"$name\""
    }
  }
  readSdc $sdc
  foreach name [interp eval sdc {info globals sta_*}] { record setting $name }
}

# The tool evaluates what should be a number (-edges): a command in it would run in this interpreter.
proc ::gate::generatedClock {args} {
  if {[regexp {\[(?!(?:\d+|\*)\])} $args]} { error "a bracket that is no bit of a bus." }
  return [::create_generated_clock {*}$args]
}

# What an SDC prints cannot be taken for what the tool prints.
proc ::gate::said {args} {
  foreach line [split [lindex $args end] \n] { puts "sdc: $line" }
}

proc ::gate::readSdc {args} {
  variable place
  set path [lindex $args end]
  foreach option [lrange $args 0 end-1] {
    if {$option ni {-echo -verbose}} { error "$option is not a known option." }
  }
  if {[info level] > 60} { error "files of SDC source each other." }
  # A name alone could be a command to open, or somebody's home.
  set name [expr {[string index $path 0] eq "/" ? $path : "./$path"}]
  if {[catch {open $name r} stream]} { error "cannot read file $path." }
  record sdc $path
  set text [read $stream]
  close $stream
  set around $place
  set command {}
  set first 1
  set number 0
  foreach line [split $text \n] {
    incr number
    if {$command eq {}} { set first $number }
    append command $line \n
    if {[string index $line end] eq "\\" || ![info complete $command]} { continue }
    set place [list $path $first]
    set code [catch {interp eval sdc $command} message]
    set command {}
    if {$code == 0} { continue }
    if {$code != 1} { set message "return, break or continue outside of a proc or loop." }
    if {$message ne "::gate told"} { record error $path $first [plain $message] }
    error "::gate told"
  }
  if {$command ne {}} {
    record error $path $first "this command has no end."
    error "::gate told"
  }
  set place $around
  return {}
}
`;

export const NETLIST = `
proc ::gate::readDesign {} {
  variable liberties
  variable netlist
  variable top
  variable spef
  variable step
  set ::link_make_black_boxes 0
  foreach liberty $liberties {
    set step "reading $liberty"
    if {![::sta::read_liberty_cmd $liberty [::sta::cmd_corner] all 1]} { error "it cannot be read." }
  }
  set step "reading $netlist"
  if {![::read_verilog $netlist]} { error "it cannot be read." }
  set step "linking $top"
  if {![::link_design $top]} { error "the netlist cannot be linked." }
  record linked $top
  if {$spef ne {}} {
    set step "reading $spef"
    if {![::sta::read_spef_cmd $spef [::sta::top_instance] all 0 0 0 1.0 none 0 1 0]} {
      error "it cannot be read."
    }
  }
  set step "looking at the netlist"
  lookForHollow [::sta::top_instance]
  lookForGaps
}

# A module without contents: what it should do is not timed.
proc ::gate::lookForHollow {instance} {
  set children {}
  set iterator [$instance child_iterator]
  while {[$iterator has_next]} { lappend children [$iterator next] }
  $iterator finish
  if {$children eq {}} { record hollow [name $instance] }
  foreach child $children {
    if {![$child is_leaf]} { lookForHollow $child }
  }
}

# Places where a path would end or start unseen: an input that nothing drives, an output that no arc
# of its cell leads to, a net that the parasitics leave out.
proc ::gate::lookForGaps {} {
  variable spef
  set corner [::sta::cmd_corner]
  set cells 0
  array set inputs {}
  array set outputs {}
  foreach instance [::sta::network_leaf_instances] {
    incr cells
    set cell [$instance liberty_cell]
    if {![info exists inputs($cell)]} {
      set inputs($cell) {}
      set outputs($cell) {}
      set iterator [$cell liberty_port_iterator]
      while {[$iterator has_next]} {
        set port [$iterator next]
        if {[$port is_bus]} {
          set members {}
          set bits [$port member_iterator]
          while {[$bits has_next]} { lappend members [$bits next] }
          $bits finish
        } else {
          set members [list $port]
        }
        foreach member $members {
          switch [::sta::liberty_port_direction $member] {
            input { lappend inputs($cell) [::sta::get_name $member] }
            bidirect { lappend outputs($cell) [::sta::get_name $member] }
            output - tristate { lappend outputs($cell) [::sta::get_name $member] }
          }
        }
      }
      $iterator finish
    }
    foreach port $inputs($cell) {
      set pin [$instance find_pin $port]
      if {$pin ne "NULL"} { lookForContention $pin }
      if {$pin eq "NULL"} {
        record floating "[name $instance]/$port"
      } elseif {"wire" ni [rolesTo $pin] && [::sta::pin_sim_logic_value $pin] ni {0 1}} {
        record floating [name $pin]
      }
    }
    foreach port $outputs($cell) {
      set pin [$instance find_pin $port]
      if {$pin eq "NULL" || ![isLoaded $pin]} { continue }
      if {[lsearch -not -exact [rolesTo $pin] wire] == -1
          && [::sta::pin_sim_logic_value $pin] ni {0 1}} {
        record untimed [name $pin]
      }
      if {$spef ne {}} { lookForParasitics $pin $corner }
    }
  }
  foreach port [::all_outputs] { lookForContention [portPin $port] }
  record cells $cells
  if {$spef eq {}} { return }
  foreach port [::all_inputs] {
    set pin [portPin $port]
    if {[isLoaded $pin]} { lookForParasitics $pin $corner }
  }
}

# The tool takes a net that several outputs drive for the slowest of them.
proc ::gate::lookForContention {pin} {
  if {[llength [lsearch -all -exact [rolesTo $pin] wire]] > 1} { record contended [name $pin] }
}

proc ::gate::lookForParasitics {pin corner} {
  record net
  if {[$pin wire_capacitance rise $corner max] <= 0} {
    record bare [name $pin]
    return
  }
  foreach vertex [$pin vertices] {
    if {$vertex eq "NULL"} { continue }
    set iterator [$vertex out_edge_iterator]
    while {[$iterator has_next]} {
      set edge [$iterator next]
      if {[$edge role] eq "wire"} { record wire [name $pin] [name [$edge to_pin]] }
    }
    $iterator finish
  }
}

proc ::gate::portPin {port} {
  return [lindex [::sta::get_port_pins_error port $port] 0]
}

# What kinds of timing edges lead to a pin.
proc ::gate::rolesTo {pin} {
  set roles {}
  foreach vertex [$pin vertices] {
    if {$vertex eq "NULL"} { continue }
    set iterator [$vertex in_edge_iterator]
    while {[$iterator has_next]} { lappend roles [[$iterator next] role] }
    $iterator finish
  }
  return $roles
}

proc ::gate::isLoaded {pin} {
  foreach vertex [$pin vertices] {
    if {$vertex eq "NULL"} { continue }
    set found 0
    set iterator [$vertex out_edge_iterator]
    while {[$iterator has_next]} {
      if {[[$iterator next] role] eq "wire"} { set found 1 }
    }
    $iterator finish
    if {$found} { return 1 }
  }
  return 0
}
`;

export const FIGURES = String.raw`
proc ::gate::tellSetup {} {
  variable constraints
  foreach clock [::all_clocks] {
    record clock [::sta::get_name $clock] [$clock is_virtual]
    foreach pin [$clock sources] { record source [name $pin] }
  }
  foreach port [::all_inputs] { record input [name $port] }
  foreach port [::all_outputs] { record output [name $port] }
  set kinds {no_input_delay no_output_delay multiple_clock no_clock unconstrained loops generated}
  foreach kind $kinds {
    set flags [lmap one $kinds { expr {$one eq $kind} }]
    foreach issue [::sta::check_timing_cmd {*}$flags] {
      record check $kind [lindex $issue 0]
      foreach object [lrange $issue 1 end] { record named $kind $object }
    }
  }
  ::write_sdc -no_timestamp -digits 6 $constraints
}

# The pins that are to have a constrained path: data pins of registers, outputs, and whatever else a
# path ends at.
proc ::gate::tellEndpoints {} {
  record registers [llength [::all_registers -cells]]
  foreach pin [::all_registers -async_pins] { set async([name $pin]) 1 }
  foreach pin [::all_registers -data_pins] {
    # A reset that is held off has no edge to be in time.
    if {[info exists async([name $pin])] && [::sta::pin_sim_logic_value $pin] in {0 1}} { continue }
    tellEndpoint $pin
  }
  foreach port [::all_outputs] { tellEndpoint [portPin $port] }
  foreach pin [::sta::endpoints] {
    if {[$pin is_load]} { tellEndpoint $pin }
  }
}

proc ::gate::tellEndpoint {pin} {
  set value [::sta::pin_sim_logic_value $pin]
  record endpoint [name $pin] [expr {$value in {0 1} ? $value : {}}]
}

proc ::gate::tellPaths {} {
  foreach delay {max min} {
    foreach end [::find_timing_paths -path_delay $delay -unique_paths_to_endpoint \
        -endpoint_count 1 -group_count $::sta::group_count_max] {
      record path $delay [name [[$end vertex] pin]] [$end slack] [$end check_role]
    }
    record worst $delay [::sta::worst_slack_cmd $delay]
    record tns $delay [::sta::total_negative_slack_cmd $delay]
  }
  ::sta::redirect_string_begin
  set failed [catch {
    ::report_check_types -all_violators -min_pulse_width -min_period -max_skew
  } message]
  set text [::sta::redirect_string_end]
  if {$failed} { error $message }
  foreach line [split $text \n] {
    if {[string match {*(VIOLATED)} [string trimright $line]]} { record violated [lindex [split $line] 0] }
  }
}

proc ::gate::writeReport {} {
  variable report
  variable paths
  foreach delay {max min} {
    ::report_checks -path_delay $delay -format full_clock -digits 4 \
      -group_count $paths >> $report
  }
  ::report_check_types -all_violators -digits 4 >> $report
}
`;

export const WORK = `
proc ::gate::work {} {
  variable step
  readDesign
  set step "reading the constraints"
  readConstraints
  set step "checking the constraints"
  tellSetup
  tellEndpoints
  set step "timing"
  tellPaths
  set step "writing the report"
  writeReport
}

if {[catch {::gate::work} message]} {
  ::gate::record stopped $::gate::step [::gate::plain $message]
}
::gate::record done
close $::gate::records
`;

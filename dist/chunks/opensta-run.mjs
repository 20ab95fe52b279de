import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{badOutput,deliver}from"./chunk-5PBPFWBB.mjs";import{pathFrom,readGiven,readWritten}from"./chunk-VWM7U5I2.mjs";import{badValue,modulesDefined,unusable}from"./chunk-NOVTU24N.mjs";import"./chunk-QACAQZHX.mjs";import{fingerprintFile}from"./chunk-CMT2BYFJ.mjs";import"./chunk-QL2UO4WE.mjs";import{numberIn,textIn,textsIn}from"./chunk-TPNJOO7E.mjs";import"./chunk-6EDEXFX2.mjs";import"./chunk-UHI2STAM.mjs";import"./chunk-JQTMVQL6.mjs";import"./chunk-DQN3DIA5.mjs";import{err,ok,plural}from"./chunk-Y4B7WD3X.mjs";import{require_node_fs,require_node_path}from"./chunk-P3HUMLAD.mjs";import{__toESM}from"./chunk-YHA5FVYJ.mjs";var import_node_fs=__toESM(require_node_fs(),1),import_node_path=__toESM(require_node_path(),1);var DELAY=/^set_(input|output)_delay -?[\d.]+ (.*) \[get_ports \{(.*)\}\]$/,CLOCK=/-clock \[get_clocks \{(.*?)\}\]/;function readStaConstraints(text){let commands={},delays={input:new Map,output:new Map},clocks=new Set;for(let line of text.replaceAll(`\\
`," ").split(`
`)){let command=/^[a-z_]+(?= |$)/.exec(line)?.[0];if(command===void 0||(commands[command]=(commands[command]??0)+1,!/^set_(?:input|output)_delay$/.test(command)))continue;let clock=CLOCK.exec(line)?.[1];clock!==void 0&&clocks.add(clock);let[,direction,options="",port=""]=DELAY.exec(line)??[];if(direction===void 0)continue;let all=delays[direction==="input"?"input":"output"],known=all.get(port)??{given:new Set,isClockless:!1};if(all.set(port,known),clock===void 0){known.isClockless=!0;continue}let flags=options.replace(CLOCK,"");for(let delay of either(flags,"max","min"))for(let edge of either(flags,"rise","fall"))known.given.add(`${delay} ${edge}`)}return{commands,inputDelays:delays.input,outputDelays:delays.output,delayClocks:clocks}}function either(flags,one,other){let found=[one,other].filter(flag=>flags.split(" ").includes(`-${flag}`));return found.length===0?[one,other]:found}function isComplete(delays){return delays?.given.size===4&&!delays.isClockless}var MESSAGE=/^(Error|Warning): (?:(.+?), (?:line )?(\d+),? )?(.*)$/;function readStaMessages(stdout,stderr){let errors=[],warnings=[],read=(line,isSilentBefore)=>{let found=MESSAGE.exec(line);if(found){let[,kind,file,at,text=""]=found,place=file===void 0?void 0:`${file}:${at}`;(kind==="Error"?errors:warnings).push({text,place})}else isSilentBefore&&line.trim()!==""&&errors.push({text:line,place:void 0})};for(let line of stdout.split(`
`))read(line,!1);for(let line of stderr.split(`
`))read(line,!0);return{errors,warnings}}var HARMLESS=["set_input_delay relative to a clock defined on the same port/pin not allowed.","set_fanout_load not supported.","set_wire_load_min_block_size not supported.","-no_design_rule ignored."];function isHarmless({text}){return HARMLESS.includes(text)}function told({place,text}){return place===void 0?text:`${place}: ${text}`}var LISTS=["sdc","setting","source","input","output","hollow","floating","contended","untimed","bare","violated"];function readStaRecords(text,nonce){let lines=text.split(`
`);if(lines.pop()!==""||lines.pop()!==`${nonce}	done`)return err("sta ended before the end of its script");let lists=new Map(LISTS.map(kind=>[kind,[]])),listed=kind=>lists.get(kind)??[],errors=[],warnings=[],clocks=[],wires=[],checks=new Map,endpoints=new Map,setup={paths:new Map,worst:void 0,totalNegative:void 0},hold={paths:new Map,worst:void 0,totalNegative:void 0},stopped,isLinked=!1,cells,registers,nets=0;for(let line of lines){let[mark,kind="",first="",second="",third="",fourth]=line.split("	");if(mark!==nonce)return err("the records of sta hold a line that is none");let list=lists.get(kind);if(list!==void 0){list.push(first);continue}let figures=first==="max"?setup:hold,place=first===""?void 0:`${first}:${second}`;if(kind==="stopped")stopped={step:first,why:second};else if(kind==="linked")isLinked=!0;else if(kind==="cells")cells=numberOf(first);else if(kind==="registers")registers=numberOf(first);else if(kind==="net")nets++;else if(kind==="wire")wires.push({from:first,to:second});else if(kind==="error")errors.push({text:third,place});else if(kind==="warning")warnings.push({text:third,place});else if(kind==="clock")clocks.push({name:first,isVirtual:second!=="0"});else if(kind==="check")checks.set(first,{message:second,names:checks.get(first)?.names??[]});else if(kind==="named")checks.get(first)?.names.push(second);else if(kind==="endpoint")endpoints.set(first,{isConstant:second!==""});else if(kind==="worst")figures.worst=numberOf(second);else if(kind==="tns")figures.totalNegative=numberOf(second);else if(kind==="path"){let slack=numberOf(third);if(slack===void 0)return err(`sta names no slack for ${second}`);let known=figures.paths.get(second);(known===void 0||slack<known.slack)&&figures.paths.set(second,{slack,check:fourth??""})}else return err(`the records of sta hold a line of no known kind, ${kind}`)}return ok({stopped,isLinked,cells,registers,sdcFiles:listed("sdc"),errors,warnings,settings:listed("setting"),clocks,sources:new Set(listed("source")),inputs:listed("input"),outputs:listed("output"),checks,endpoints,hollow:listed("hollow"),floating:listed("floating"),contended:listed("contended"),untimed:listed("untimed"),nets,bare:listed("bare"),wires,setup,hold,violated:listed("violated")})}var UNKNOWN=1e29;function numberOf(text){if(!/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text))return;let value=Number(text);return Math.abs(value)<UNKNOWN?value:void 0}var RECORDS=String.raw`
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
`,CONSTRAINTS=String.raw`
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
`,NETLIST=`
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
`,FIGURES=String.raw`
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
`,WORK=`
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
`;function oddName(names2){let odd=names2.find(name=>/[\u0000-\u001f\u007f{}[\]\\"$;]|^[-+|~<>&@]/.test(name));return odd===void 0?void 0:`a script of sta cannot name the file ${odd}: rename it without brackets, quotes and the like`}function staScript(job){let settings=Object.entries({top:job.top,netlist:job.netlist,sdc:job.sdc,spef:job.spef??"",constraints:job.constraints,report:job.report,paths:String(job.paths),nonce:job.nonce}).map(([name,value])=>`variable ${name} {${value}}`),liberties=job.liberties.map(path=>`{${path}}`).join(" ");return["namespace eval ::gate {",...settings,`variable liberties {${liberties}}`,`variable records [open {${job.records}} w]`,"}",RECORDS,CONSTRAINTS,NETLIST,FIGURES,WORK].join(`
`)}function readSpef(text){let names2=new Map,nets=new Set,parents=new Map,delimiter=":",divider="/",section="",plain=name=>(names2.get(name)??name).replaceAll(divider,"/").replace(/\\(.)/g,"$1"),node=name=>{let at=name.lastIndexOf(delimiter);return at===-1?plain(name):`${plain(name.slice(0,at))}/${name.slice(at+1)}`},rootOf=name=>{let root=name;for(let next=parents.get(root);next!==void 0;next=parents.get(root))root=next;return root!==name&&parents.set(name,root),root};for(let line of text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g," ").split(`
`)){let words=line.trim().split(/\s+/),[first="",second="",third=""]=words;if(first==="*DELIMITER")delimiter=second;else if(first==="*DIVIDER")divider=second;else if(first==="*D_NET"||first==="*R_NET"){let net=plain(second);if(nets.has(net))return err(`describes the net ${net} twice`);if(first==="*R_NET")return err(`gives the net ${net} reduced, which is not looked into`);nets.add(net),section=first}else if(/^\*[A-Z_]+$/.test(first)&&!["*I","*P","*N"].includes(first))section=first;else if(section==="*NAME_MAP"&&/^\*\d+$/.test(first))names2.set(first,second);else if(section==="*RES"&&words.length>=4){let[from,to]=[rootOf(node(second)),rootOf(node(third))];from!==to&&parents.set(from,to)}}return ok({joins:(from,to)=>rootOf(from)===rootOf(to)})}function fits(pattern,name){let at=0,next=0,star=-1,from=0;for(;at<name.length;)if(pattern[next]==="*")star=next++,from=at;else if(next<pattern.length&&(pattern[next]==="?"||pattern[next]===name[at]))next++,at++;else if(star>=0)next=star+1,at=++from;else return!1;for(;pattern[next]==="*";)next++;return next===pattern.length}function fitsAny(patterns,name){return patterns.some(pattern=>fits(pattern,name))}function staCoverage(records,constraints,allowed,spef){let gaps=gapsIn(records,constraints,spef),isAllowed=name=>fitsAny(allowed,name),all=[...new Set(gaps.flatMap(({names:names2})=>names2))].sort();return{reasons:[...whole(records,constraints),...gaps.flatMap(({names:names2,...gap})=>{let left=[...new Set(names2)].filter(name=>!isAllowed(name)).sort();return left.length===0?[]:[tell({...gap,names:left})]}),...absent(records)],unconstrained:all.filter(name=>!isAllowed(name)),allowed:all.filter(isAllowed)}}function*whole(records,constraints){let{clocks,settings,checks}=records;(records.cells??0)===0&&(yield"the netlist has no cell: is it the right one?");let[setting]=settings;setting!==void 0&&(yield`the SDC sets ${setting}, a variable of the tool, which has no effect here: leave it out`),clocks.length===0&&(yield"there is no clock: create one in the SDC");let idle=clocks.find(({name,isVirtual})=>isVirtual&&!constraints.delayClocks.has(name));idle&&(yield`the clock ${idle.name} is at no port or pin, and no delay is given by it: is its port misspelled?`);for(let kind of["loops","generated"]){let check=checks.get(kind);check&&(yield check.message.replace(/^Warning: /,"the tool says: "))}}function gapsIn(records,constraints,spef){let{checks,sources,inputs,outputs,endpoints,setup,hold}=records,namesOf=kind=>checks.get(kind)?.names??[],constant=[...endpoints].filter(([,{isConstant}])=>isConstant).map(([name])=>name),without=figures=>[...endpoints].filter(([name,{isConstant}])=>!isConstant&&!figures.paths.has(name)).map(([name])=>name),incomplete=(ports,delays)=>ports.filter(port=>!sources.has(port)&&!isComplete(delays.get(port)));return[{thing:"module",fault:"without contents",remedy:"give its cell in a Liberty file",names:records.hollow},{thing:"input",fault:"that nothing drives",remedy:"connect it",names:records.floating},{thing:"pin",fault:"whose net has several drivers",remedy:"leave it one",names:records.contended},{thing:"output",fault:"that no timing arc leads to",remedy:"give a Liberty file that has its arcs",names:records.untimed},{thing:"register pin",fault:"without a clock",remedy:"create its clock",names:namesOf("no_clock")},{thing:"register pin",fault:"with several clocks",remedy:"choose one with set_case_analysis",names:namesOf("multiple_clock")},{thing:"input",fault:"without a whole set_input_delay",remedy:"give it by a clock, for setup and hold",names:[...namesOf("no_input_delay"),...incomplete(inputs,constraints.inputDelays)]},{thing:"output",fault:"without a whole set_output_delay",remedy:"give it by a clock, for setup and hold",names:[...namesOf("no_output_delay"),...incomplete(outputs,constraints.outputDelays)]},{thing:"endpoint",fault:"held at a constant",remedy:"look whether it should be",names:constant},{thing:"endpoint",fault:"without a setup path",remedy:"constrain it",names:without(setup)},{thing:"endpoint",fault:"without a hold path",remedy:"constrain it",names:without(hold)},{thing:"endpoint",fault:"that the tool calls unconstrained",remedy:"constrain it",names:namesOf("unconstrained")},{thing:"driver",fault:"whose net has no parasitics in the SPEF file",remedy:"extract them all",names:records.bare},{thing:"load",fault:"that the SPEF file does not connect with its driver",remedy:"extract the whole net",names:spef?records.wires.flatMap(({from,to})=>spef.joins(from,to)?[]:[to]):[]}]}function tell({thing,fault,remedy,names:names2}){let shown=names2.slice(0,3).join(", ")+(names2.length>3?", …":"");return`${`${plural(names2.length,thing)} ${fault}`} (${shown}): ${remedy}, or name it in allow-unconstrained`}function*absent({setup,hold}){for(let[name,{paths,worst}]of[["setup",setup],["hold",hold]])paths.size===0?yield`there is no ${name} path at all`:worst===void 0&&(yield`the tool names no worst ${name} slack`)}var MOST=100;function judgeTiming(messages,records,constraints,rules){let errors=[...records.errors,...messages.errors],warnings=[...records.warnings,...messages.warnings],doubtful=warnings.filter(warning=>!isHarmless(warning)&&!fitsAny(rules.allowWarnings,warning.text)),shown=[...errors.map(message=>findingOf(message,"error")),...warnings.map(message=>findingOf(message,"warn"))].slice(0,MOST),{stopped}=records;if(stopped){let cause=errors[0]??doubtful.at(-1),why=cause===void 0?stopped.why:told(cause),figures2={...counts(records),errors:errors.length,warnings:warnings.length};return{met:null,summary:`${stopped.step}: ${why}`,figures:figures2,findings:shown}}let coverage=staCoverage(records,constraints,rules.allowUnconstrained,rules.spef),violations=violationsIn(records),figures={...counts(records),...slacks(records),violations:violations.length,errors:errors.length,warnings:warnings.length,...names("unconstrained",coverage.unconstrained),...names("allowed_unconstrained",coverage.allowed),...rules.spef?{nets:records.nets,nets_without_parasitics:records.bare.length}:{},constraints:constraints.commands,time_unit:"ns"},findings=[...shown,...coverage.reasons.map(message=>({severity:"warn",code:"OPEN",message,place:void 0})),...violations.slice(0,rules.most).map(violationFinding)],open=whyOpen(errors,doubtful,coverage,records,violations);if(open.length>0){let more=open.length>1?`; ${plural(open.length-1,"more reason")}`:"",missed=violations.length>0?`; ${plural(violations.length,"violation")} all the same`:"";return{met:null,summary:`${open[0]}${more}${missed}`,figures,findings}}let[worst]=violations,summary=worst===void 0?`setup met at ${plural(records.setup.paths.size,"endpoint")}, hold at ${records.hold.paths.size}${worstWord(records)}`:`${plural(violations.length,"violation")}, the worst at ${describe(worst)}`;return{met:worst===void 0,summary,figures,findings}}function whyOpen(errors,doubtful,coverage,records,violations){let reasons=[...errors.map(told),...doubtful.map(warning=>`${told(warning)} (a warning; correct it, or allow it in allow-warnings)`),...coverage.reasons];return[records.setup,records.hold].some(({worst,totalNegative})=>(worst??0)<0||(totalNegative??0)<0)&&violations.length===0&&reasons.push("the tool names a negative slack, and no path that has it"),reasons}function violationsIn({setup,hold,violated}){let late=[setup,hold].flatMap(({paths})=>[...paths].filter(([,{slack}])=>slack<0).map(([name,{slack,check}])=>({name,check,slack})));late.sort((one,other)=>one.slack-other.slack);let others=violated.map(name=>({name,check:"width or period",slack:void 0}));return[...late,...others]}function describe({name,check,slack}){return slack===void 0?`${name} (${check})`:`${name} (${check}, slack ${ns(slack)} ns)`}function violationFinding(violation){return{severity:"error",code:violation.check.toUpperCase().replaceAll(" ","_"),message:`not in time: ${describe(violation)}`,place:void 0}}function findingOf({text,place},severity){return{severity,code:severity==="error"?"ERROR":"WARNING",message:text,place}}function counts(records){let{isLinked,cells,registers,clocks,setup,hold,stopped}=records;return{linked:isLinked,...cells===void 0?{}:{cells},...registers===void 0?{}:{registers},...stopped?{}:{clocks:clocks.length,endpoints:setup.paths.size,hold_endpoints:hold.paths.size}}}function slacks({setup,hold}){let figures={},worst=[worstOf(setup),worstOf(hold)],[setupWorst,holdWorst]=worst;setupWorst!==void 0&&(figures.setup_worst_slack=ns(setupWorst)),holdWorst!==void 0&&(figures.hold_worst_slack=ns(holdWorst)),setupWorst!==void 0&&holdWorst!==void 0&&(figures.worst_slack=ns(Math.min(setupWorst,holdWorst)));for(let[name,{paths,totalNegative}]of[["setup_tns",setup],["hold_tns",hold]])paths.size>0&&totalNegative!==void 0&&(figures[name]=ns(totalNegative));return figures}function worstOf({paths,worst}){if(worst===void 0||paths.size===0)return;let least=worst;for(let{slack}of paths.values())least=Math.min(least,slack);return least}function worstWord(records){let worst=slacks(records).worst_slack;return typeof worst=="number"?`, worst slack ${worst} ns`:""}function ns(seconds){return Number((seconds*1e9).toPrecision(6))}function names(name,all){return{[name]:all.length,[`${name}_names`]:all.slice(0,MOST)}}async function analyze(bench){let{values,workspace,folder,nonce}=bench,given={top:textIn(values,"top")??"",netlist:textIn(values,"netlist")??"",sdc:textIn(values,"sdc")??"",spef:textIn(values,"spef"),liberties:textsIn(values,"liberty")},paths=numberIn(values,"max-paths")??10,files=[given.netlist,given.sdc,...given.liberties];given.spef!==void 0&&files.push(given.spef);let odd=oddName([...files,folder]);if(odd!==void 0)return err(badValue(odd));let badReport=badOutput(bench,["report"],["netlist","sdc","liberty","spef"]);if(badReport)return err(badReport);let opened=files.map(file=>pathFrom(workspace,file)),early=summary2=>ok({payload:{met:null,summary:summary2,top:given.top},opened}),before=digestOf(workspace,given.netlist);if(!before.ok)return early(before.error);let twice=definedTwice(given.netlist,workspace);if(twice!==void 0)return early(twice);let library=faultOfLibraries(given.liberties,workspace);if(library!==void 0)return early(library);let at=name=>(0,import_node_path.join)(folder,name),written={records:at("records"),constraints:at("constraints"),report:at("report")},script=staScript({...given,...written,paths,nonce});(0,import_node_fs.writeFileSync)(at("script.tcl"),script,{flag:"wx"});let done=await bench.step({program:"sta",args:["-no_init","-no_splash","-exit",at("script.tcl")]});if(!done.ok)return done;let messages=readStaMessages(done.value.stdout,done.value.stderr),text=readWritten(written.records),records=text.ok?readStaRecords(text.value,nonce):text;if(!records.ok)return err(unusable(records.error));let after=digestOf(workspace,given.netlist);if(!after.ok||after.value!==before.value)return early(`${given.netlist} changed while it was read`);let spef=records.value.stopped?ok(void 0):spefNets(given.spef,workspace);if(!spef.ok)return early(`${given.spef} ${spef.error}`);let judged=judge(bench,messages,records.value,written.constraints,spef.value);if(!judged.ok)return err(unusable(judged.error));for(let finding of judged.value.findings)bench.finding(finding);let{met,summary,figures}=judged.value,report=textIn(values,"report");if(met!==null&&report!==void 0){let failed=deliver(bench,written.report,report);if(failed)return err(failed)}return ok({payload:{met,summary,top:given.top,...figures,netlist:{path:given.netlist,fingerprint:before.value},...met===null||report===void 0?{}:{report_path:report}},opened:[...new Set([...opened,...records.value.sdcFiles.map(file=>pathFrom(workspace,file))])]})}function judge({values},messages,records,constraints,spef){let rules={allowUnconstrained:textsIn(values,"allow-unconstrained"),allowWarnings:textsIn(values,"allow-warnings"),spef,most:numberIn(values,"max-paths")??10};if(records.stopped)return ok(judgeTiming(messages,records,readStaConstraints(""),rules));let text=readWritten(constraints);return text.ok?ok(judgeTiming(messages,records,readStaConstraints(text.value),rules)):text}function digestOf(workspace,path){let real;try{real=(0,import_node_fs.realpathSync)((0,import_node_path.resolve)(workspace,path))}catch{return err(`${path} is not there`)}let digest=fingerprintFile(real,path);return digest.ok?digest:err(digest.error.message)}function definedTwice(netlist,workspace){let text=readGiven((0,import_node_path.resolve)(workspace,netlist));if(!text.ok)return text.error;let names2=modulesDefined(text.value).map(({name})=>name),twice=names2.find((name,index)=>names2.indexOf(name)!==index);return twice===void 0?void 0:`${netlist} defines the module ${twice} twice`}function faultOfLibraries(liberties,workspace){let definedIn=new Map,files=new Map(liberties.map(liberty=>[pathFrom(workspace,liberty),liberty]));for(let liberty of files.values()){let text=readGiven((0,import_node_path.resolve)(workspace,liberty));if(!text.ok)return text.error;if(/\binclude_file\b/.test(text.value))return`${liberty} includes another file: put its text there, or list it in liberty`;for(let cell of cellNames(text.value)){let other=definedIn.get(cell);if(other===liberty)return`${liberty} defines the cell ${cell} twice`;if(other!==void 0)return`${liberty} defines the cell ${cell}, as ${other} does: give the files of one corner`;definedIn.set(cell,liberty)}}}function cellNames(liberty){return[...liberty.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g," ").matchAll(/\bcell\s*\(\s*"?([^")\s]+)"?\s*\)/g)].map(([,name=""])=>name)}function spefNets(spef,workspace){if(spef===void 0)return ok(void 0);let text=readGiven((0,import_node_path.resolve)(workspace,spef));return text.ok?readSpef(text.value):err(`cannot be read: ${text.error}`)}export{analyze};

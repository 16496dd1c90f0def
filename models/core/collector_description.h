// Name, unit, range and description of the parameters of operand collectors. No SystemC.
#pragma once

#include <fermata/models/core/pipeline_parameters.h>
#include <fermata/models/vocabulary/range.h>

namespace fermata {

template <class Visitor>
void describeCollectors(CollectorParameters& collectors, Visitor& visit) {
  visit("collectors.alu", collectors.alu, "instructions", Range{0, 64},
        "issued instructions that may collect their operands and wait for an ALU, and as many for "
        "an integer unit; units then start instructions in order, and each has one result per "
        "cycle; 0: no collectors");
  visit("collectors.special", collectors.special, "instructions", Range{1, 64},
        "issued instructions that may collect their operands and wait for a special unit, and as "
        "many for a double-precision unit");
  visit("collectors.memory", collectors.memory, "instructions", Range{0, 64},
        "memory instructions, those that read constants among them, that may collect their "
        "operands and wait for the memory port; it takes them in the order of their issue, and one "
        "that waits for its path holds the others; 0: the issue stage waits");
  visit("collectors.read", collectors.read, "cycles", Range{0, 1000},
        "from issue to the start of a unit, from which latencies then count; reading the "
        "instruction's registers comes in addition");
  visit("collectors.registers", collectors.registers, "registers/cycle", Range{1, 16},
        "registers that a collector reads per cycle");
  visit("collectors.write", collectors.write, "cycles", Range{0, 1000},
        "from the end of a unit's latency to the issue of a dependent instruction");
  visit("collectors.subcores", collectors.subcores,
        "whether behind collectors each scheduler has units of its own, its share of each kind, "
        "and keeps the order of its own instructions alone");
  visit("collectors.shared", collectors.shared, "instructions", Range{0, 64},
        "issued instructions that may collect their operands, of all kinds, divided among the "
        "schedulers, each of which has for each kind a place before its collectors and "
        "one behind; collectors.alu and collectors.special then have no effect; 0: none shared");
}

}  // namespace fermata

// Parameters of an SM's instruction cache. No SystemC.
#pragma once

namespace fermata {

struct InstructionCacheParameters {
  unsigned bytes = 0;  ///< capacity; 0: every instruction is always present
  unsigned lineBytes = 128;
  unsigned ways = 4;              ///< lines of a set; the least recently used one is replaced
  unsigned instructionBytes = 8;  ///< size of an instruction
  unsigned firstLatency = 300;    ///< cycles to fetch a line for the first time
  unsigned latency = 200;         ///< cycles to fetch a line that was replaced since
};

}  // namespace fermata

// The instruction cache of a streaming multiprocessor: which lines of the program are there, and
// when one that is not will be. Its misses are a latency, not traffic: the lines of a kernel are
// few. Nothing is modelled where `bytes` is 0.
#pragma once

#include <fermata/models/timing/cycle.h>
#include <fermata/models/transaction/warp_instruction.h>

#include <cstdint>
#include <vector>

namespace fermata {

class InstructionCache {
 public:
  struct Parameters {
    unsigned bytes = 0;  ///< capacity; 0: every instruction is there
    unsigned lineBytes = 128;
    unsigned ways = 4;              ///< lines of a set, the one used least recently leaves
    unsigned instructionBytes = 8;  ///< of an instruction
    unsigned firstLatency = 300;    ///< cycles until a line is there that was never fetched before
    unsigned latency = 200;         ///< the same, for one that was
  };

  explicit InstructionCache(const Parameters& parameters);

  bool exists() const { return parameters_.bytes != 0; }
  /// A workload begins: nothing was ever fetched.
  void clear();
  /// The warp that issues instruction `pc` of the program next looks for it in cycle `now`. Returns
  /// when it has it; a line that is absent is asked for.
  Cycle fetch(std::uint32_t program, std::uint32_t pc, Cycle now);

 private:
  struct Line {
    std::uint64_t number = ~std::uint64_t{0};
    Cycle there = 0;
    std::uint64_t used = 0;
  };

  Cycle latencyOf(std::uint64_t number);

  Parameters parameters_;
  std::uint32_t perLine_;  ///< instructions
  std::uint32_t sets_;
  std::vector<Line> lines_;             ///< [set][way]
  std::vector<std::uint64_t> fetched_;  ///< lines that were, sorted
  std::uint64_t clock_ = 0;
};

}  // namespace fermata

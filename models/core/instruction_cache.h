// The instruction cache of a streaming multiprocessor: which lines of the program are present, and
// when an absent line arrives. A miss costs latency but makes no traffic, since the lines of a
// kernel are few. With `bytes` = 0 nothing is modelled.
#pragma once

#include <fermata/models/core/instruction_cache_parameters.h>
#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <cstdint>
#include <vector>

namespace fermata {

class InstructionCache {
 public:
  using Parameters = InstructionCacheParameters;

  explicit InstructionCache(const Parameters& parameters);

  bool exists() const { return parameters_.bytes != 0; }
  /// Forgets all lines and all past fetches, for a new workload.
  void clear();
  /// Looks up instruction `pc` of the program, in cycle `now`, for the warp that issues it next.
  /// Returns the cycle in which the instruction is there. Fetches an absent line.
  Cycle fetch(std::uint32_t program, std::uint32_t pc, Cycle now);

 private:
  struct Line {
    std::uint64_t number = ~std::uint64_t{0};
    Cycle there = 0;
    std::uint64_t used = 0;
  };

  Cycle latencyOf(std::uint64_t number);

  Parameters parameters_;
  std::uint32_t perLine_;  ///< instructions per line
  std::uint32_t sets_;
  std::vector<Line> lines_;             ///< [set][way]
  std::vector<std::uint64_t> fetched_;  ///< numbers of all lines ever fetched, sorted
  std::uint64_t clock_ = 0;
};

}  // namespace fermata

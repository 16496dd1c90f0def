// Names of instructions on a timeline.
#pragma once

#include <fermata/models/vocabulary/workload.h>
#include <fermata/results/timeline/stream.h>

#include <vector>

namespace fermata::platforms {

class InstructionNames {
 public:
  struct Name {
    results::timeline::Text opcode = 0;
    results::timeline::Text source = 0;  ///< "transpose.cu:20"; "pc 17" if the line is unknown
  };

  explicit InstructionNames(results::timeline::Stream& stream) : stream_(stream) {}

  /// Call it before the first of().
  void setWorkload(const Workload& workload) { workload_ = &workload; }
  Name of(std::uint32_t program, std::uint32_t pc);

 private:
  results::timeline::Stream& stream_;
  const Workload* workload_ = nullptr;
  std::vector<std::vector<Name>> names_;  ///< by program and PC; opcode 0: not looked up yet
};

}  // namespace fermata::platforms

// Lists the accesses of a pattern's loop, for tests.
#pragma once

#include <fermata/stimuli/patterns/patterns.h>

#include "tests/traces/interleaved_run.h"

namespace fermata::test {

struct Access {
  std::uint64_t cta = 0;
  unsigned warp = 0;
  LaneMask active = 0;
  std::vector<std::uint64_t> address;  ///< byte addresses of the active lanes, by lane
};

/// Runs a pattern and returns its accesses. The fill is left out, unless the parameters ask for it;
/// its stores then come first.
inline std::vector<Access> accessesOf(const std::string& name,
                                      std::map<std::string, std::string> parameters,
                                      RunOptions options = {}) {
  parameters.emplace("fill", "0");
  parameters.emplace("repeat", "1");
  parameters.emplace("ctas", "1");
  const auto workload = patterns::openPattern(name, parameters);
  std::vector<Access> accesses;
  runInterleaved(*workload, options,
                 [&](const StaticInstruction& instruction, const WarpInstruction& out,
                     std::uint64_t cta, unsigned warp) {
                   if (instruction.instructionClass != InstructionClass::Memory) return;
                   Access access{cta, warp, out.active, {}};
                   for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                     if ((out.active >> lane & 1U) != 0)
                       access.address.push_back(out.address[lane]);
                   }
                   accesses.push_back(access);
                 });
  return accesses;
}

}  // namespace fermata::test

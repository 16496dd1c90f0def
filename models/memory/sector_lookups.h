// The lookups of an access's sectors, one by one and in order, in arrays of tags: sector n in array
// n mod arrays. A cycle takes sectors until one needs an array that the cycle has used (GPGPU-Sim's
// banks of the L1: ldst_unit::process_memory_access_queue_l1cache).
//
//   four arrays; sectors 0 1 2 3 of one line: one cycle
//   sectors 0, 4, 8 (one of each of three lines): three cycles
//   sectors 0, 1, 4, 5: two cycles
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/vocabulary/cycle.h>

#include <cstdint>

namespace fermata {

class SectorLookups {
 public:
  /// `arrays`: 1 to 32.
  explicit SectorLookups(unsigned arrays) : arrays_(arrays) {}

  void begin() {
    cycles_ = 0;
    used_ = 0;
  }
  /// Looks up sectors of a line, the lowest first. `perLine`: sectors of a line.
  void lookUp(std::uint64_t line, unsigned perLine, SectorMask sectors) {
    for (; sectors != 0; sectors &= sectors - 1) {
      const std::uint64_t sector = line * perLine + static_cast<unsigned>(__builtin_ctz(sectors));
      const auto array = std::uint32_t{1} << sector % arrays_;
      if (cycles_ == 0 || (used_ & array) != 0) {
        ++cycles_;
        used_ = 0;
      }
      used_ |= array;
    }
  }
  /// Cycles that the lookups so far take.
  Cycle cycles() const { return cycles_; }

 private:
  unsigned arrays_;
  unsigned cycles_ = 0;
  std::uint32_t used_ = 0;  ///< arrays of the last cycle
};

}  // namespace fermata

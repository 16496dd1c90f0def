// Policies by which a cache chooses the line that makes room for a new one. A policy is a file in
// policies/ and an entry in the table of replacement.cpp.
#pragma once

#include <fermata/models/vocabulary/policy.h>

#include <cstdint>

namespace fermata {

/// Bit i: sector i of a line, which has at most 32.
using SectorMask = std::uint32_t;

/// A frame of a cache and what it knows of its line.
struct CacheLine {
  std::uint64_t number = 0;
  std::uint64_t rank = 0;  ///< the replacement policy's own
  SectorMask valid = 0;    ///< sectors that can be read; 0, and no `dirty`: the frame is empty
  /// Sectors with bytes that memory has not got yet. In an L1: sectors not in `valid` with some
  /// bytes that stores have brought.
  SectorMask dirty = 0;
  bool reserved = false;  ///< the line is on its way

  bool holds(std::uint64_t line) const {
    return number == line && (valid | dirty) != 0 && !reserved;
  }
  bool empty() const { return (valid | dirty) == 0 && !reserved; }
};

/// Each cache has an instance of its own. A policy is deterministic: equal calls, equal victims.
class ReplacementPolicy {
 public:
  struct Needs {};

  virtual ~ReplacementPolicy() = default;
  /// Notes that the line is placed in its frame. `time` rises with every call of both functions.
  virtual void placed(CacheLine& line, std::uint64_t time) { line.rank = time; }
  /// Notes a use of the line.
  virtual void used(CacheLine& /*line*/, std::uint64_t /*time*/) {}
  /// Returns the way whose line makes room, by default the one of the lowest rank. Precondition: no
  /// way of the set is empty, and at least one is not reserved. `anyReserved`: one may be.
  virtual std::uint32_t victim(const CacheLine* set, std::uint32_t ways, bool anyReserved);
};

template <>
const std::vector<const Descriptor<ReplacementPolicy>*>& Descriptor<ReplacementPolicy>::table();

}  // namespace fermata

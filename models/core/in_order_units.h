// Units of one kind that start instructions in the order of their issue. A unit gives one result
// per cycle, so an instruction that would end together with an earlier one of its unit starts
// later, and those behind it wait:
//
//   one unit; latency 5 starts in cycles 0, 1, 2 and ends in 5, 6, 7
//   then latency 4: start 3 would end in 7, which is taken; it starts in 4 and ends in 8
//
// Units may belong to schedulers: then each keeps the order of its own instructions (startIn).
#pragma once

#include <fermata/models/core/pipeline_parameters.h>
#include <fermata/models/vocabulary/cycle.h>

#include <algorithm>
#include <array>
#include <vector>

namespace fermata {

class InOrderUnits {
 public:
  /// `units`: 1 or more.
  explicit InOrderUnits(unsigned units) : units_(std::max(1U, units)) {}

  /// Starts an instruction in the first possible cycle from `from` on. Returns that cycle.
  Cycle start(Cycle from, const ClassTiming& timing) {
    for (Cycle at = std::max(from, last_);; ++at) {
      for (Unit& unit : units_) {
        if (!unit.takes(at, timing.latency)) continue;
        unit.take(at, timing);
        last_ = at;
        return at;
      }
    }
  }
  /// Starts an instruction in one unit, in order with those of this unit alone.
  Cycle startIn(unsigned unit, Cycle from, const ClassTiming& timing) {
    Unit& own = units_[unit % units_.size()];
    Cycle at = std::max(from, own.last);
    while (!own.takes(at, timing.latency)) ++at;
    own.take(at, timing);
    return at;
  }

 private:
  /// Cycles ahead in which results are told apart; longer latencies take their slots modulo this.
  static constexpr Cycle kWindow = 256;

  struct Unit {
    Cycle free = 0;
    Cycle last = 0;                     ///< start of its last instruction
    std::array<Cycle, kWindow> ends{};  ///< [cycle % kWindow]: the last result's cycle

    bool takes(Cycle at, Cycle latency) const {
      return at >= free && ends[(at + latency) % kWindow] != at + latency;
    }
    void take(Cycle at, const ClassTiming& timing) {
      free = at + timing.interval;
      last = at;
      ends[(at + timing.latency) % kWindow] = at + timing.latency;
    }
  };

  std::vector<Unit> units_;
  Cycle last_ = 0;  ///< start of the last instruction
};

}  // namespace fermata

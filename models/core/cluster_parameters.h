// Parameters of clusters: the way between the shared memories of their CTAs, and their barrier. No
// SystemC.
#pragma once

#include <fermata/models/vocabulary/cycle.h>
#include <fermata/models/vocabulary/warp_instruction.h>

#include <algorithm>
#include <cmath>

namespace fermata {

struct ClusterParameters {
  static constexpr unsigned kWayBytes = 128;
  /// Cycles that 128 bytes of an operation take on the way of an SM: accesses that it makes, and
  /// accesses to it.
  struct Way {
    double loads = 0, stores = 0, atomics = 0;
    double of(MemoryOperation operation) const {
      return operation == MemoryOperation::Load    ? loads
             : operation == MemoryOperation::Store ? stores
                                                   : atomics;
    }
  };
  unsigned latency = 0;          ///< cycles that a CTA's access to another CTA takes more; 0: none
  unsigned pairLatency = 0;      ///< in a cluster of two; 0: `latency`
  unsigned ownLatency = 0;       ///< cycles that a load from the own CTA by its rank takes more
  Way interval{6, 3, 8};         ///< of accesses that an SM makes
  Way served;                    ///< of those that other SMs make to it
  unsigned barrierLatency = 0;   ///< from the last arrival to the next issue of a warp that waits
  unsigned releaseLatency = 0;   ///< from the issue of an arrival that orders stores to its effect
  unsigned releaseInterval = 0;  ///< that it takes more for each further CTA
  unsigned releaseWindow = 0;    ///< from a round's begin: arrivals that order stores share it
  unsigned releaseRound = 0;     ///< from a round's begin to that of the next, if any wait for it

  bool exists() const { return latency != 0; }
  Cycle latencyIn(unsigned ctas) const {
    return ctas == 2 && pairLatency != 0 ? pairLatency : latency;
  }
  /// Cycles that `bytes` bytes of an operation take on the way.
  double wayOf(MemoryOperation operation, unsigned bytes) const {
    return std::max(1.0, bytes * interval.of(operation) / kWayBytes);
  }
  /// Cycles from the first 128 bytes of an operation on the way to the last.
  Cycle beyondFirst(MemoryOperation operation, unsigned bytes) const {
    return static_cast<Cycle>(
        std::ceil(std::max(0.0, wayOf(operation, bytes) - interval.of(operation))));
  }
  /// Cycles from the first 128 bytes of the answer to the last. Only an answer to a load has data
  /// that count: that it takes the way as a request does is an assumption.
  Cycle backBeyondFirst(MemoryOperation operation, unsigned bytes) const {
    return operation == MemoryOperation::Load ? beyondFirst(operation, bytes) : 0;
  }
  Cycle releaseIn(unsigned ctas) const { return releaseLatency + (ctas - 1) * releaseInterval; }
};

}  // namespace fermata

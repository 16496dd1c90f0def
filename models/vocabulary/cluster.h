// Clusters: CTAs of a grid that are resident together, reach each other's shared memory and have a
// barrier of their own (CUDA: thread block clusters). Plain C++.
#pragma once

#include <cstdint>
#include <vector>

namespace fermata {

/// CTAs that a cluster may have.
inline constexpr unsigned kMostClusterCtas = 16;

// An address of shared memory below kClusterBase is an offset in the CTA's own window. Byte
// `offset` of the CTA with rank r of the cluster is kClusterBase + r * kClusterStride + offset:
// 0x04000010 is byte 16 of rank 2.
inline constexpr std::uint64_t kClusterBase = 0x03000000;
inline constexpr std::uint64_t kClusterStride = 0x00800000;
inline constexpr std::uint64_t kClusterEnd = kClusterBase + kMostClusterCtas * kClusterStride;

/// True if an address of shared memory names a CTA of the cluster by its rank.
constexpr bool namesRank(std::uint64_t address) {
  return address >= kClusterBase && address < kClusterEnd;
}
/// Returns the rank that the address names. Precondition: namesRank(address).
constexpr unsigned rankNamed(std::uint64_t address) {
  return static_cast<unsigned>((address - kClusterBase) / kClusterStride);
}
/// Returns the offset in the window of the CTA or CTAs that the address means.
constexpr std::uint64_t offsetIn(std::uint64_t address) {
  return namesRank(address) ? (address - kClusterBase) % kClusterStride : address & 0xffffffffU;
}

// A store of a multicast goes to the same offset in several CTAs: byte 16 of ranks 0 and 2 is
// 5 << kMulticastShift | 16.
inline constexpr unsigned kMulticastShift = 40;
constexpr std::uint64_t multicastAddress(std::uint64_t offset, unsigned ranks) {
  return offset | std::uint64_t{ranks} << kMulticastShift;
}
/// Returns the ranks of the CTAs that a multicast goes to, as a mask; 0: no multicast.
constexpr unsigned ranksOfMulticast(std::uint64_t address) {
  return static_cast<unsigned>(address >> kMulticastShift);
}

// Values of WarpInstruction::barrier of instructions of the cluster's barrier: behind those of a
// CTA's barriers (barrier_unit.h).
inline constexpr std::uint16_t kClusterArrive = 48;         ///< arrives, and orders stores before
inline constexpr std::uint16_t kClusterArriveRelaxed = 49;  ///< arrives
inline constexpr std::uint16_t kClusterWait = 50;

/// The barrier of one cluster. Each warp arrives and waits in turn; a phase is over when every warp
/// that has not exited has arrived. Warps are numbered through the cluster. `free(warp)` lets a
/// warp that waits go on.
class ClusterBarrier {
 public:
  /// Begins a cluster of `warps` warps.
  void start(unsigned warps) {
    states_.assign(warps, State::Away);
    live_ = warps;
    arrived_ = 0;
  }
  /// Returns how many warps have arrived in the present phase.
  unsigned arrived() const { return arrived_; }
  /// Precondition: the warp has waited since its last arrival.
  template <class Free>
  void arrive(unsigned warp, Free free) {
    states_[warp] = State::Arrived;
    ++arrived_;
    endPhase(free);
  }
  /// Returns true if the phase is over: the warp goes on. Precondition: the warp has arrived.
  bool wait(unsigned warp) {
    const bool over = states_[warp] == State::Over;
    states_[warp] = over ? State::Away : State::Waiting;
    return over;
  }
  template <class Free>
  void exit(unsigned warp, Free free) {
    if (states_[warp] == State::Arrived) --arrived_;
    states_[warp] = State::Away;
    --live_;
    endPhase(free);
  }

 private:
  enum class State : std::uint8_t {
    Away,     ///< has not arrived
    Arrived,  ///< has arrived, and does not wait yet
    Waiting,
    Over,  ///< the phase in which it arrived is over
  };

  template <class Free>
  void endPhase(Free free) {
    if (arrived_ == 0 || arrived_ < live_) return;
    arrived_ = 0;
    for (unsigned warp = 0; warp < states_.size(); ++warp) {
      State& state = states_[warp];
      if (state == State::Arrived) {
        state = State::Over;
      } else if (state == State::Waiting) {
        state = State::Away;
        free(warp);
      }
    }
  }

  std::vector<State> states_;  ///< by warp
  unsigned live_ = 0;
  unsigned arrived_ = 0;
};

}  // namespace fermata

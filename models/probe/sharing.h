// Counts accesses by how many lanes and warps share an address: the categories of Diamond et al.,
// Arbitrary Modulus Indexing, MICRO 2014, figure 5. Only listens on request: otherwise no cost.
//
//   warp broadcast    all active lanes, two or more, have one address
//   vector broadcast  a warp broadcast with one address in every warp of the CTA
//   lane broadcast    some lanes, but not all, share an address
//   scatter/gather    every lane has its own address
//
// "Every warp" is approximated: the k-th execution of an instruction by a warp is compared with the
// k-th execution by each other warp of its CTA, and all must be warp broadcasts of one address.
// Where warps execute an instruction a different number of times, the surplus stays warp
// broadcasts. An exit of some lanes counts as the end of their warp: its executions are numbered
// anew from there.
#pragma once

#include <unordered_map>

#include <fermata/models/probe/by_instruction.h>
#include <fermata/models/probe/figure.h>
#include <fermata/models/probe/probe.h>

namespace fermata {

class SharingCounters : public Probe {
 public:
  struct Counts {
    std::uint64_t vectorBroadcasts = 0;
    std::uint64_t warpBroadcasts = 0;
    std::uint64_t laneBroadcasts = 0;
    std::uint64_t scatters = 0;
  };

  static const Figures<Counts>& figures();

  const ByInstruction<Counts>& counts() const { return counts_; }
  void reset() {
    counts_.reset();
    groups_.clear();
    executions_.clear();
    ended_.clear();
  }

  unsigned events() const override { return Grids | Issues | SharedAccesses | GlobalAccesses; }
  void gridStarted(const Grid& grid, Cycle at) override;
  void gridEnded(const Grid& grid, Cycle at) override;
  void issued(const IssueEvent& event) override;
  void sharedAccess(const WarpAccess& access) override { add(access); }
  void globalAccess(const WarpAccess& access) override { add(access); }

 private:
  enum class Sharing : std::uint8_t { Warp, Lanes, None };
  /// The k-th execution of an instruction by all warps of a CTA.
  struct Group {
    std::uint64_t address = 0;
    std::uint32_t warps = 0;  ///< warps that have executed it so far
    std::uint32_t broadcasts = 0;
    bool same = true;  ///< all executions so far are broadcasts of `address`
  };
  static Sharing sharingOf(const WarpInstruction& instruction);
  void add(const WarpAccess& access);
  void addToGroup(const WarpAccess& access, bool broadcast);
  void warpEnded(unsigned slot);

  ByInstruction<Counts> counts_;
  std::uint32_t instructions_ = 0;
  std::uint32_t warps_ = 1;                                      ///< per CTA
  std::unordered_map<std::uint64_t, std::uint32_t> executions_;  ///< by slot and PC
  /// Groups that are not complete: by place of the CTA, then by PC and execution.
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, Group>> groups_;
  std::unordered_map<std::uint32_t, std::uint64_t> ended_;  ///< by place: bit w, warp w has ended
};

}  // namespace fermata

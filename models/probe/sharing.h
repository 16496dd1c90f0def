// Who shares the value of a memory access: the categories of Diamond et al., Arbitrary Modulus
// Indexing, MICRO 2014, figure 5. Nobody listens unless asked: a run without it pays nothing.
//
//   warp broadcast    all active lanes, two or more, have one address
//   vector broadcast  a warp broadcast whose address is that of every warp of the CTA
//   lane broadcast    some lanes have one address, not all
//   scatter/gather    every lane has its own
//
// "Every warp" is approximated: the k-th execution of an instruction by a warp is set beside the
// k-th by each other warp of its CTA, and all must be warp broadcasts of one address. Warps that
// execute an instruction a different number of times end with warp broadcasts. Lanes that leave a
// warp early count as its end, from which its executions are numbered anew.
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
  /// One execution of an instruction by the warps of a CTA.
  struct Group {
    std::uint64_t address = 0;
    std::uint32_t warps = 0;  ///< that have come
    std::uint32_t broadcasts = 0;
    bool same = true;  ///< all so far are broadcasts of `address`
  };
  static Sharing sharingOf(const WarpInstruction& instruction);
  void add(const WarpAccess& access);
  void addToGroup(const WarpAccess& access, bool broadcast);
  void warpEnded(unsigned slot);

  ByInstruction<Counts> counts_;
  std::uint32_t instructions_ = 0;
  std::uint32_t warps_ = 1;                                      ///< of a CTA
  std::unordered_map<std::uint64_t, std::uint32_t> executions_;  ///< by slot and PC
  /// By place of the CTA, then by PC and execution: those of which warps have still to come.
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, Group>> groups_;
  std::unordered_map<std::uint32_t, std::uint64_t> ended_;  ///< by place: warps that have
};

}  // namespace fermata

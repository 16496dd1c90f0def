// Remembers the passes of patterns of lanes. A kernel asks for few patterns again and again, and
// to compare a pattern takes a fifth of the time that its passes take to count.
//
// Two tries have one pattern if the same lanes ask, by the same rules, for the same banks and for
// words at the same distances from one another:
//
//   words  0  1  2  3   banks 0 1 2 3
//   words 64 65 66 67   banks 0 1 2 3   the same pattern: no count
//   words 33 34 35 36   banks 1 2 3 4   another one
#pragma once

#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>

#include <array>
#include <cstdint>

namespace fermata {

class PassMemo {
 public:
  /// Returns the memo of the calling thread. Multiprocessors that a thread runs share it: they run
  /// the same kernels.
  static PassMemo& ofThread();

  /// Returns a number for rules of counting; equal rules have equal numbers.
  static std::uint32_t rules(std::uint32_t banks, std::uint32_t ports, const LaneGrouping& groups);

  /// Sets PassPlan if the pattern was counted by `rules` before, and has not been forgotten since.
  /// Precondition: some lane asks.
  bool recall(WarpAccess& access, std::uint32_t rules);
  /// Remembers PassPlan. Precondition: recall() of the access has just returned false.
  void keep(WarpAccess& access);

 private:
  struct Pattern {
    // Compared by recall().
    std::uint64_t lanes = 0;   ///< lanes that ask, and above them lanes of the instruction
    std::uint64_t kind = 0;    ///< rules, and what the rules ask of an instruction
    WarpAccess::Lanes mask{};  ///< all bits of each lane that asks
    std::array<WarpAccess::Lanes, kMaxWordsPerLane> word{};  ///< less word 0 of the first lane
    std::array<WarpAccess::Lanes, kMaxWordsPerLane> bank{};

    PassPlan plan;
    std::uint32_t wire = 0;  ///< PassPlan::wire points to it
  };
  static constexpr unsigned kPatterns = 64;  ///< more than a kernel's loop has instructions
  static constexpr unsigned kMostCredit =
      64;                                  ///< patterns not known in a row before the memo rests
  static constexpr unsigned kRest = 1024;  ///< tries that it then lets pass

  std::array<Pattern, kPatterns> patterns_{};
  Pattern* asked_ = nullptr;  ///< where keep() has its place; null: it keeps nothing
  std::uint64_t lanes_ = 0;   ///< Pattern::lanes of the access that was asked for last
  std::uint64_t kind_ = 0;
  // A kernel of ever new patterns must not pay for comparing them.
  unsigned credit_ = kMostCredit;  ///< falls with each pattern not known
  unsigned rest_ = 0;              ///< tries until patterns are compared again
};

}  // namespace fermata

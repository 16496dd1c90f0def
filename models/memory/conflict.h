// Counts bank conflicts: the passes that the lanes of a try need to get their words.
//
//   degree of a lane group = the largest number of distinct words that one bank must deliver
//   passes of a lane group = its degree over the ports of a bank, rounded up
//   passes of a try        = the sum over its lane groups, plus LaneGrouping::extraPasses128 for
//                            each at 128 bits (models/transaction/lane_groups.h)
//
// Lanes on one word merge, for loads, stores and atomics alike (the rule of GPGPU-Sim's Fermi
// model; the counts agree with it), and so do words side by side in a row of a bank. An access
// narrower than a bank's word counts as that word. An access of several bank words per lane (64 or
// 128 bits on 4-byte banks) counts by its real width. A group without active lanes costs nothing,
// unless LaneGrouping::idleGroupsCount says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <fermata/models/memory/arbiter.h>
#include <fermata/models/transaction/lane_groups.h>
#include <fermata/models/transaction/warp_access.h>

namespace fermata {

class ConflictResolver {
 public:
  static constexpr std::uint32_t kMostPorts = 4;
  /// `banks`: 1 to 4096. `ports`: rows that a bank delivers per pass, 1 to 4. `rowWords`: words per
  /// row, 1, 2 or 4.
  ConflictResolver(std::uint32_t banks, std::uint32_t ports, const LaneGrouping& groups,
                   std::uint32_t rowWords = 1);

  /// Sets passes, groupPasses, freePasses, degree, leaders and bankSet of a try, from its
  /// instruction, `asked`, wordsPerLane, word, bank and row. A try that asks for no lane gets 0 of
  /// each. A try that goes on with words left keeps those of the try before, unless there is an
  /// arbiter: the policy that left the words makes its pass.
  void resolve(WarpAccess& access);

  /// The lane groups of the access: only lanes of one group compete.
  const LaneGroups& groupsOf(const WarpAccess& access) const {
    return groups_.of(access.instruction, access.issuedInstruction);
  }
  /// Returns the number of the row that word k of a lane needs: lanes with equal numbers merge.
  /// Precondition: no other access has been resolved since `access`.
  std::uint32_t placeOf(const WarpAccess& access, unsigned k, unsigned lane) const {
    return wordOf(access, k)[lane];
  }
  /// Rows that a bank delivers per pass.
  std::uint32_t ports() const { return ports_; }

  /// Sets the arbiter that may overwrite each result from now on; null: none.
  void setArbiter(std::shared_ptr<Arbiter> arbiter) { arbiter_ = std::move(arbiter); }
  Arbiter* arbiter() const { return arbiter_.get(); }

 private:
  void placeRows(const WarpAccess& access);
  void count(WarpAccess& access);
  const WarpAccess::Lanes& wordOf(const WarpAccess& access, unsigned k) const {
    return rowShift_ == 0 ? access.word[k] : places_[k];
  }
  std::uint32_t groupDegree(WarpAccess& access, LaneMask lanes, bool follow);
  static constexpr unsigned kFewLanes = 8;
  std::uint32_t fewLanes(WarpAccess& access, const WarpAccess::Lanes& word, LaneMask lanes);
  std::uint32_t wordEach(const WarpAccess::Lanes& bank, const WarpAccess::Lanes& word,
                         LaneMask& leaders);
  static LaneMask leadersOf(const WarpAccess::Lanes& word, unsigned banks);
  std::uint32_t mostOnABank(const WarpAccess::Lanes& bank, LaneMask leaders);
  unsigned seeBanks(const WarpAccess::Lanes& bank);
  std::uint32_t countWords(WarpAccess& access, LaneMask lanes);
  std::uint32_t countEachWord(WarpAccess& access, LaneMask lanes);
  bool addWord(std::uint32_t bank, std::uint32_t word);

  /// The words asked of a bank by the lane group being counted; stale if its epoch is old.
  struct Bank {
    std::uint64_t epoch = 0;
    std::uint32_t words = 0;    ///< distinct words so far
    std::uint32_t largest = 0;  ///< largest word so far: rising addresses need no search
    std::uint32_t chain = 0;    ///< last entry of the bank's list; 0: none
  };
  struct Entry {
    std::uint32_t word;
    std::uint32_t next;
  };
  std::vector<Bank> banks_;
  std::vector<std::uint32_t> words_;  ///< by bank: 0 between calls
  std::array<Entry, kWarpLanes * WarpAccess::kMaxWordsPerLane + 1> entries_{};
  std::uint32_t entryCount_ = 0;
  std::uint64_t epoch_ = 0;
  std::uint64_t seen_ = 0;  ///< bit b: the lane group counted last asks bank b; 0: not known
  std::uint32_t ports_;
  unsigned rowShift_;  ///< log2 of the words per row
  LaneGrouping groups_;
  std::uint32_t rules_;  ///< number of what the count depends on beside the access (PassMemo)
  std::shared_ptr<Arbiter> arbiter_;
  /// Numbers of the rows, over all banks, that lanes merge on; set where a row has several words.
  std::array<WarpAccess::Lanes, WarpAccess::kMaxWordsPerLane> places_;
};

}  // namespace fermata

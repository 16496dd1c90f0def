// Which lanes of a warp's access get their bank in which pass: the rule that counts bank conflicts.
//
// Passes of an access = the largest number of distinct words that one bank must deliver; lanes on
// the same word merge, for loads, stores and atomics alike (the rule of GPGPU-Sim's Fermi model,
// with which the counts agree), and so do words that lie side by side in a row of a bank. An access
// narrower than a bank's word counts as that word. An access of several bank words a lane (64 or
// 128 bits on 4-byte banks) is counted by its real width. Only lanes of one group
// (models/transaction/lane_groups.h) compete; a group in which no lane is active costs nothing, and
// the passes of the groups add up.
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
  /// `banks` 1 to 4096; `ports` rows that a bank delivers a pass, 1 to 4; `rowWords` words of a
  /// row: 1, 2 or 4.
  ConflictResolver(std::uint32_t banks, std::uint32_t ports, const LaneGrouping& groups,
                   std::uint32_t rowWords = 1);

  /// Sets passes, freePasses, degree and leaders from the instruction, lanes asked for,
  /// wordsPerLane, word, bank and row. A try that asks for no lane has 0 of each.
  void resolve(WarpAccess& access);

  /// The groups of lanes that compete.
  const LaneGroups& groupsOf(const WarpAccess& access) const {
    return groups_.of(access.instruction);
  }
  /// Of the access that was resolved last: what a bank is asked for by word k of a lane; lanes with
  /// the same place merge.
  std::uint32_t placeOf(const WarpAccess& access, unsigned k, unsigned lane) const {
    return wordOf(access, k)[lane];
  }
  /// That a bank delivers a pass.
  std::uint32_t ports() const { return ports_; }

  /// Asked from now on; null: the rule above alone.
  void setArbiter(std::shared_ptr<Arbiter> arbiter) { arbiter_ = std::move(arbiter); }
  Arbiter* arbiter() const { return arbiter_.get(); }

 private:
  void placeRows(const WarpAccess& access);
  const WarpAccess::Lanes& wordOf(const WarpAccess& access, unsigned k) const {
    return rowShift_ == 0 ? access.word[k] : places_[k];
  }
  std::uint32_t groupDegree(WarpAccess& access, LaneMask lanes);
  static constexpr unsigned kFewLanes = 8;
  std::uint32_t fewLanes(WarpAccess& access, const WarpAccess::Lanes& word, LaneMask lanes);
  std::uint32_t wordEach(const WarpAccess::Lanes& bank, const WarpAccess::Lanes& word,
                         LaneMask& leaders);
  static LaneMask leadersOf(const WarpAccess::Lanes& word, unsigned banks);
  std::uint32_t mostOnABank(const WarpAccess::Lanes& bank, LaneMask leaders);
  unsigned seeBanks(const WarpAccess::Lanes& bank);
  std::uint32_t countWords(WarpAccess& access, LaneMask lanes);
  bool addWord(std::uint32_t bank, std::uint32_t word);

  /// What a bank has been asked for in the group being counted; stale when its epoch is old.
  struct Bank {
    std::uint64_t epoch = 0;
    std::uint32_t words = 0;    ///< distinct words so far
    std::uint32_t largest = 0;  ///< largest of them: rising addresses need no search
    std::uint32_t chain = 0;    ///< last entry of its list
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
  std::uint64_t seen_ = 0;  ///< banks of the group seen last, up to 64 of them
  std::uint32_t ports_;
  unsigned rowShift_;  ///< log2 of the words of a row
  LaneGrouping groups_;
  std::shared_ptr<Arbiter> arbiter_;
  /// What merges, where a row has several words: the number of the row, counted over the banks.
  std::array<WarpAccess::Lanes, WarpAccess::kMaxWordsPerLane> places_;
};

}  // namespace fermata

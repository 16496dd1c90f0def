// The queue of a DRAM channel: waiting accesses, one list per bank, oldest first.
#pragma once

#include <fermata/models/memory/dram_parameters.h>
#include <fermata/models/vocabulary/cycle.h>

#include <array>
#include <cstdint>
#include <vector>

namespace fermata {

/// Reads or writes bursts of one row.
struct DramAccess {
  unsigned bank = 0;
  std::uint64_t row = 0;
  std::uint32_t bursts = 1;
  bool write = false;
  // For the caller; the channel only returns them.
  std::uint32_t owner = 0;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

/// Each bank's row hit is its oldest access to the open row.
class DramQueue {
 public:
  static constexpr unsigned kMostBanks = DramShape::kMostBanks;

  struct Waiting {
    DramAccess access;
    Cycle arrived = 0;
    std::uint64_t age = 0;   ///< rises from access to access: less is older
    bool activated = false;  ///< the row was opened for this access
    std::uint16_t next = 0;  ///< next younger access of the bank, or next unused place
  };

  /// `places`: accesses that may wait, fewer than 65535.
  explicit DramQueue(unsigned places);

  bool full() const { return unused_ == kNone; }
  bool empty() const { return banks_ == 0; }
  /// Bit b: an access for bank b waits.
  std::uint64_t banks() const { return banks_; }
  bool waits(unsigned bank) const { return lists_[bank].first != kNone; }
  unsigned writes() const { return writes_; }
  /// Precondition: the queue is not empty.
  const Waiting& oldest() const { return waiting_[oldest_]; }
  /// Returns the access that the bank serves next: its row hit or, without one, its oldest.
  /// Precondition: an access waits for the bank.
  Waiting& next(unsigned bank) {
    return waiting_[lists_[bank].hit != kNone ? lists_[bank].hit : lists_[bank].first];
  }

  /// Adds an access that arrives in cycle `at`. True: next(bank) is another one now.
  /// Precondition: not full. `hits`: the bank holds the row.
  bool add(const DramAccess& access, Cycle at, bool hits);
  /// Removes the row hit of the bank. Precondition: there is one.
  void removeHit(unsigned bank);
  /// The bank's row was opened for next(bank).
  void opened(unsigned bank);
  /// The bank's row was closed.
  void closed(unsigned bank) { lists_[bank].hit = kNone; }

 private:
  using Index = std::uint16_t;
  static constexpr Index kNone = 0xffff;

  struct List {
    Index first = kNone;
    Index last = kNone;
    Index hit = kNone;
    Index beforeHit = kNone;
  };

  void findOldest();

  std::vector<Waiting> waiting_;
  std::array<List, kMostBanks> lists_;
  Index unused_ = kNone;  ///< first of the list of unused places
  std::uint64_t banks_ = 0;
  unsigned writes_ = 0;
  std::uint64_t age_ = 0;
  Index oldest_ = kNone;
};

}  // namespace fermata

// Conflicts of rows chosen one after the other.
//
// k rows divide each set into classes of words that they do not separate. `left` further rows
// divide a class of s words into at most 2^left classes, so one of these has ceil(s / 2^left) words
// or more: a lower bound of the set's degree, and the degree itself if no row is left.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>

namespace fermata::search::general {

class SplitCount {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  /// Counts problem.bankBits rows. Keeps a reference to `effort` and counts its work there.
  SplitCount(const ReducedProblem& problem, Effort& effort);

  unsigned depth() const { return depth_; }
  /// Adds a row, an address mask. At most bankBits - 1 rows: the last is only asked about, by
  /// with().
  void push(std::uint32_t mask);
  void pop() { --depth_; }
  void clear() { depth_ = 0; }

  /// Returns the sum over the sets of weight * (bound of the degree - 1) with one row more than
  /// were pushed. May stop and return any value above `limit`, but not above the sum, as soon as
  /// the sum is certain to exceed `limit`.
  std::uint64_t with(std::uint32_t mask, std::uint64_t limit = kNoLimit);
  /// Returns bound - 1 of each set with one row more; for the last row, degree - 1.
  std::vector<std::uint32_t> excess(std::uint32_t mask) const;
  /// Returns the sum for all rows at once; drops what was pushed. kNoLimit if it is above `limit`.
  std::uint64_t of(const std::vector<std::uint32_t>& masks, std::uint64_t limit = kNoLimit);

  /// Classes of one set that have more than one word. Classes that can still raise the set's bound
  /// come first.
  struct Entry {
    std::uint32_t set = 0;
    std::uint32_t first = 0;
    std::uint32_t largeEnd = 0;
    std::uint32_t end = 0;
  };
  struct Level {
    std::vector<Entry> entries;
    std::vector<std::uint64_t> lanes;  ///< per class, its words as bits of the set; 64 or 128 bits
    std::vector<std::uint8_t> size;    ///< words of the class
    std::vector<std::uint64_t> rest;   ///< bound of entry i and all after it, with the rows so far
  };

 private:
  unsigned left() const { return problem_.bankBits - depth_ - 1; }
  void close(Level& level, Entry entry, unsigned leftRows, std::uint64_t& bound);
  void startLevel();
  void sumRest(Level& level, const std::vector<std::uint64_t>& bounds);

  const ReducedProblem& problem_;
  Effort& effort_;
  unsigned width_ = 1;  ///< words of 64 bits that hold a class
  unsigned depth_ = 0;
  std::vector<std::uint64_t> columns_;  ///< [set][address bit][width]: words with that bit
  std::vector<std::uint64_t> weight_;
  std::vector<Level> levels_;
};

}  // namespace fermata::search::general

// Miss status holding registers: the lines that a cache has asked for, and the waiters of each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

template <class Waiter>
class Mshrs {
 public:
  struct Entry {
    std::vector<Waiter> waiters;
  };
  using Number = std::uint32_t;
  static constexpr Number kNone = ~Number{0};

  /// `entries`: lines under way at once. `merges`: waiters per line; 0: no limit.
  Mshrs(unsigned entries, unsigned merges) : merges_(merges), lines_(entries, kFree), of_(entries) {
    const unsigned expected = 8;  // reserving for all waiters that are allowed may take gigabytes
    for (Entry& entry : of_)
      entry.waiters.reserve(merges == 0 ? expected : std::min(merges, expected));
  }

  /// Returns the entry of the line; kNone: the line is not under way.
  Number find(std::uint64_t line) const {
    const Bucket& bucket = buckets_[bucketOf(line)];
    if (bucket.lines == 0) return kNone;
    if (lines_[bucket.latest] == line) return bucket.latest;
    for (Number i = 0; i < end_; ++i) {
      if (lines_[i] == line) return i;
    }
    return kNone;
  }
  bool full() const { return taken_ == lines_.size(); }
  bool mayMerge(Number number) const {
    return merges_ == 0 || of_[number].waiters.size() < merges_;
  }
  /// Takes an entry for the line. Preconditions: not full; the line has no entry.
  Number take(std::uint64_t line) {
    Number i = 0;
    while (lines_[i] != kFree) ++i;
    lines_[i] = line;
    Bucket& bucket = buckets_[bucketOf(line)];
    ++bucket.lines;
    bucket.latest = i;
    end_ = std::max(end_, i + 1);
    ++taken_;
    return i;
  }
  void free(Number number) {
    --buckets_[bucketOf(lines_[number])].lines;
    lines_[number] = kFree;
    of_[number].waiters.clear();
    while (end_ != 0 && lines_[end_ - 1] == kFree) --end_;
    --taken_;
  }
  Entry& at(Number number) { return of_[number]; }
  std::uint32_t taken() const { return taken_; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  ///< no line has this number
  static constexpr unsigned kBucketBits = 6;
  /// The lines of one hash, so that find() seldom looks at all entries.
  struct Bucket {
    Number lines = 0;   ///< entries that hold a line of the bucket
    Number latest = 0;  ///< entry taken last for a line of the bucket
  };
  static std::size_t bucketOf(std::uint64_t line) {
    return line * 0x9e3779b97f4a7c15U >> (64 - kBucketBits);
  }

  unsigned merges_;
  std::vector<std::uint64_t> lines_;
  std::vector<Entry> of_;
  std::array<Bucket, std::size_t{1} << kBucketBits> buckets_{};
  Number end_ = 0;  ///< entries from here on are free: find() does not look at them
  std::uint32_t taken_ = 0;
};

}  // namespace fermata

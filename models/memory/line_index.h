// Finds the frame of a line among many ways without a look at each: a hash table from lines to
// frames, with open addressing.
//
// A frame is listed under the line that it was placed for until another line takes it. So two
// frames may be listed under one line, one of them empty by now: the caller says which it means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata {

class LineIndex {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Makes an empty index for so many frames, each listed at most once.
  void reset(std::uint32_t frames);
  /// Lists the frame under the line. Precondition: it is not listed.
  void add(std::uint64_t line, std::uint32_t frame);
  /// Removes the frame from the line's list, if it is there.
  void remove(std::uint64_t line, std::uint32_t frame);

  /// Asks the host's cache for what find() looks at first.
  void prefetch(std::uint64_t line) const { __builtin_prefetch(&entries_[home(keyOf(line))]); }
  /// Returns the first frame under the line, or another line of its key, that `accepts(frame)`;
  /// kNone: there is none.
  template <class Accepts>
  std::uint32_t find(std::uint64_t line, Accepts accepts) const {
    const std::uint32_t key = keyOf(line);
    for (std::size_t i = home(key); entries_[i].frame != kNone; i = next(i)) {
      if (entries_[i].key == key && accepts(entries_[i].frame)) return entries_[i].frame;
    }
    return kNone;
  }

 private:
  struct Entry {
    std::uint32_t key = 0;
    std::uint32_t frame = kNone;  ///< kNone: the entry is free
  };

  static std::uint32_t keyOf(std::uint64_t line) {
    return static_cast<std::uint32_t>(line ^ line >> 32);
  }
  // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
  std::size_t home(std::uint32_t key) const { return (key * 0x9e3779b1U) >> shift_; }
  std::size_t next(std::size_t i) const { return (i + 1) & (entries_.size() - 1); }

  std::vector<Entry> entries_;  ///< a power of two, at most half of them in use
  unsigned shift_ = 31;
};

}  // namespace fermata

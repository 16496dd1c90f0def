// Keeps the order of writes to a byte in the L2, where the caches of several multiprocessors meet.
// For `verify` alone; plain C++, no time.
//
// The executor runs an instruction when it issues, and its memory is the truth. What it wrote
// reaches the L2 later, and two writes may change places on the way. An example, with a counter at
// 7 and two atomic additions of 1:
//
//   executor   SM 0 writes 8, then SM 1 writes 9
//   L2         9 arrives, then 8
//
// Memory ends with 9, as in the executor and as in hardware, where the L2 itself adds. So a write
// that arrives after a newer one leaves the newer byte. A load of another SM may find 7, 8 or 9,
// no matter what the executor saw: the byte has held each of them. Two values are errors: one that
// the byte never held, and an old one if only the load's own SM has written the byte. An SM whose
// schedulers have queues of their own sends accesses of several warps in another order: there an
// old value is right if the load went to the cache before the newest write.
#pragma once

#include <fermata/models/vocabulary/cycle.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fermata {

class WriteOrder {
 public:
  /// An access: its place in the executor's order, from 1 on, the cache that sent it, and the cycle
  /// in which it came there.
  struct Origin {
    std::uint64_t order = 0;
    const void* cache = nullptr;
    Cycle sent = 0;
  };

  /// The bytes of one line.
  class Line {
   public:
    /// `before`: the bytes of the line when the first write came.
    explicit Line(const std::vector<std::uint8_t>& before);
    /// Takes a write of byte `at`. Returns the byte to store: that of the newest write.
    std::uint8_t take(std::uint32_t at, const Origin& write, std::uint8_t value);
    /// True if a load may find `value` in byte `at`, where the executor saw another value.
    bool mayFind(std::uint32_t at, const Origin& load, std::uint8_t value) const;

   private:
    struct Byte {
      std::uint64_t order = 0;      ///< place of the newest write; 0: there was none
      Cycle sent = 0;               ///< of the newest write
      const void* cache = nullptr;  ///< the only cache that wrote; null: several did
      std::uint8_t before = 0;
      std::uint8_t newest = 0;
    };
    std::vector<Byte> bytes_;
    /// Other values that a byte held: byte * 256 + value.
    std::unordered_set<std::uint32_t> between_;
  };

  /// Returns the line; null: no write has come to it.
  Line* find(std::uint64_t line) const;
  Line& add(std::uint64_t line, const std::vector<std::uint8_t>& before);
  void clear() { lines_.clear(); }
  /// Takes all lines from `other`, which has none of those here.
  void takeFrom(WriteOrder& other) { lines_.merge(other.lines_); }

 private:
  std::unordered_map<std::uint64_t, std::unique_ptr<Line>> lines_;
};

}  // namespace fermata

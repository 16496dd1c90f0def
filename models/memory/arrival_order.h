// Loads of the scratchpad that found another byte than the executor saw, though nothing was lost.
// For `verify` alone; plain C++, no time.
//
// The executor runs an instruction when it issues; its access may reach the banks behind a later
// one of another warp, which a replay or an access before it had not held up. An example, with a
// counter at 7 and two atomic additions of 1:
//
//   executor    warp 0 reads 7, writes 8; warp 1 reads 8, writes 9
//   banks       warp 1 reads 7, writes 9; warp 0 reads 9, and its 8 is older than the 9
//
// Hardware, whose banks add themselves, ends with 9, too. So the banks keep the byte of the newest
// write in the executor's order, and a load is excused by a newer write of another warp that came
// before it, or by an older one of another warp that brings the byte it should have found later.
// A byte that never comes excuses nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

class ArrivalOrder {
 public:
  /// The place of an access in the executor's order, from 1 on, and the slot of its warp.
  struct Access {
    std::uint64_t order = 0;
    unsigned slot = 0;
  };

  explicit ArrivalOrder(std::size_t bytes) : writes_(bytes) {}

  /// A write of `value` comes to byte `at`. False if a newer one stands there, which stays.
  bool write(std::uint32_t at, const Access& access, std::uint8_t value);
  /// True if the load found the byte of a newer write of another warp.
  bool isOvertaken(std::uint32_t at, const Access& load) const;
  /// The load should have found `expected`. Kept until a write explains it; `message` says what is
  /// wrong if none does.
  void doubt(std::uint32_t at, const Access& load, std::uint8_t expected, std::string message);
  /// Forgets byte `at`, whose window is cleared. Returns the message of a load that no write has
  /// explained.
  std::optional<std::string> forget(std::uint32_t at);
  /// The message of the first load that no write has explained; all are forgotten.
  std::optional<std::string> unexplained();

 private:
  struct Doubt {
    Access load;
    std::uint8_t expected;
    std::string message;
  };
  std::vector<Access> writes_;                  ///< by byte: the newest; order 0: none
  std::multimap<std::uint32_t, Doubt> doubts_;  ///< by byte
};

}  // namespace fermata

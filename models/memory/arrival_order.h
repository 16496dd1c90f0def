// Explains why a load of the scratchpad may find another byte than the executor saw, though nothing
// was lost. For `verify` alone; plain C++, no time.
//
// The executor runs an instruction when it issues. Its access may reach the banks after a later
// access of another warp, if a replay or an earlier access held it up. An example, with a counter
// at 7 and two atomic additions of 1:
//
//   executor    warp 0 reads 7, writes 8; warp 1 reads 8, writes 9
//   banks       warp 1 reads 7, writes 9; warp 0 reads 9, and its 8 is older than the 9
//
// Hardware, whose banks add themselves, ends with 9, too. So a bank keeps the byte of the write
// that is newest in the executor's order. A difference is excused in two cases:
//
//   a newer write of another warp reached the byte before the load
//   an older write of another warp reaches the byte after the load, with the expected value
//
// A load whose expected byte never comes is an error.
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

  /// Takes a write of `value` to byte `at`. False: a newer write has been there; its byte stays.
  bool write(std::uint32_t at, const Access& access, std::uint8_t value);
  /// True if the load found the byte of a newer write of another warp.
  bool isOvertaken(std::uint32_t at, const Access& load) const;
  /// Keeps a load that should have found `expected` until a write explains it. `message`: the error
  /// text if none does.
  void doubt(std::uint32_t at, const Access& load, std::uint8_t expected, std::string message);
  /// Forgets byte `at`, because its window is cleared. Returns the message of a load that no write
  /// has explained; nothing: there is none.
  std::optional<std::string> forget(std::uint32_t at);
  /// Returns the message of the first load that no write has explained, and forgets all loads.
  std::optional<std::string> unexplained();

 private:
  struct Doubt {
    Access load;
    std::uint8_t expected;
    std::string message;
  };
  std::vector<Access> writes_;                  ///< by byte: the newest write; order 0: none
  std::multimap<std::uint32_t, Doubt> doubts_;  ///< by byte
};

}  // namespace fermata

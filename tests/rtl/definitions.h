// Random requests, and the answers of the clocked blocks by their definitions.
#pragma once

#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include "tests/support/test.h"

namespace fermata::rtl::test {

inline bool has(LaneMask mask, unsigned lane) {
  return (mask >> lane & 1U) != 0;
}

inline LaneMask someLanes(std::mt19937& random) {
  const auto mask = static_cast<LaneMask>(random());
  switch (random() % 4) {
    case 0:
      return ~LaneMask{0};
    case 1:
      return mask & static_cast<LaneMask>(random());
    default:
      return mask;
  }
}

inline PassRequest somePass(std::mt19937& random, std::uint32_t banks) {
  PassRequest request;
  request.valid = someLanes(random);
  const std::uint32_t few = 1 + static_cast<std::uint32_t>(random() % banks);
  const std::uint32_t rows = 1U << random() % 12;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    request.bank[lane] = static_cast<std::uint32_t>(random() % few);
    request.row[lane] = static_cast<std::uint32_t>(random() % rows) << random() % 2 * 12;
  }
  return request;
}

/// Returns the pass by its definition.
inline PassResponse expectedPass(const PassRequest& request) {
  PassResponse expected;
  std::map<std::uint32_t, std::uint32_t> rowOf;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!has(request.valid, lane)) continue;
    const bool first = rowOf.emplace(request.bank[lane], request.row[lane]).second;
    if (first) expected.leaders |= LaneMask{1} << lane;
    if (rowOf[request.bank[lane]] == request.row[lane]) expected.served |= LaneMask{1} << lane;
  }
  expected.left = request.valid & ~expected.served;
  return expected;
}

inline bool operator==(const PassResponse& a, const PassResponse& b) {
  return a.leaders == b.leaders && a.served == b.served && a.left == b.left;
}

/// Returns whether a block answers random requests by their definition.
inline bool passesAgree(PassBlock& block, std::uint32_t banks, std::uint64_t requests) {
  std::mt19937 random(banks);
  std::uint64_t left = 0;
  for (std::uint64_t i = 0; i < requests; ++i) {
    const PassRequest request = somePass(random, banks);
    const PassResponse expected = expectedPass(request);
    if (!(ask(block, request) == expected)) return false;
    left += expected.left != 0 ? 1 : 0;
  }
  BOOST_TEST(left > requests / 4);
  return true;
}

inline ScratchpadRequest someWords(std::mt19937& random, std::uint32_t banks, std::uint32_t rows) {
  ScratchpadRequest request;
  request.valid = someLanes(random);
  request.write = request.valid & static_cast<LaneMask>(random());
  std::map<std::uint32_t, std::uint32_t> rowOf;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    request.bank[lane] = static_cast<std::uint32_t>(random() % banks);
    const auto row = static_cast<std::uint32_t>(random() % rows);
    request.row[lane] =
        has(request.valid, lane) ? rowOf.emplace(request.bank[lane], row).first->second : row;
    request.data[lane] = static_cast<std::uint32_t>(random());
    request.enable[lane] = static_cast<std::uint8_t>(random() % 16);
  }
  return request;
}

/// Returns the word after a store of the bytes of `data` that `enable` names.
inline std::uint32_t stored(std::uint32_t word, std::uint32_t data, std::uint32_t enable) {
  for (unsigned byte = 0; byte < 4; ++byte) {
    const std::uint32_t mask = has(enable, byte) ? 0xffU << 8 * byte : 0;
    word = (word & ~mask) | (data & mask);
  }
  return word;
}

/// The words by bank and row.
using Memory = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

inline void write(const ScratchpadRequest& request, Memory& memory) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!has(request.write, lane)) continue;
    std::uint32_t& word = memory[{request.bank[lane], request.row[lane]}];
    word = stored(word, request.data[lane], request.enable[lane]);
  }
}

inline bool readsAgree(const ScratchpadRequest& request, const ScratchpadResponse& response,
                       Memory& memory) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!has(request.valid & ~request.write, lane)) continue;
    if (response.data[lane] != memory[{request.bank[lane], request.row[lane]}]) return false;
  }
  return true;
}

/// Returns whether a block's banks are an array of words.
inline bool wordsAgree(ScratchpadBlock& block, std::uint32_t banks, std::uint32_t rows,
                       std::uint64_t requests) {
  std::mt19937 random(banks * rows);
  Memory memory;
  for (std::uint64_t i = 0; i < requests; ++i) {
    const ScratchpadRequest request = someWords(random, banks, rows);
    if (!readsAgree(request, ask(block, request), memory)) return false;
    write(request, memory);
  }
  return true;
}

/// Draws a request for any of the locks, or for few of them.
inline LockRequest someLocks(std::mt19937& random, std::uint32_t locks) {
  LockRequest request;
  request.lock = someLanes(random);
  request.unlock = someLanes(random) & ~request.lock;
  const auto few = static_cast<std::uint32_t>(1 + random() % locks);
  for (std::uint32_t& number : request.number) number = static_cast<std::uint32_t>(random() % few);
  return request;
}

/// Returns the lanes that get their locks; updates `taken`.
inline LaneMask expectedLocks(const LockRequest& request, std::vector<bool>& taken) {
  LaneMask got = 0;
  const std::vector<bool> before = taken;
  std::vector<bool> claimed = taken;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t number = request.number[lane];
    if (has(request.unlock, lane)) taken[number] = false;
    if (!has(request.lock, lane) || claimed[number]) continue;
    claimed[number] = true;
    got |= LaneMask{1} << lane;
  }
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (has(got, lane)) taken[request.number[lane]] = true;
  }
  return got;
}

/// Returns whether a block gives its locks by their definition.
inline bool locksAgree(LockBlock& block, std::uint32_t locks, std::uint64_t requests) {
  std::mt19937 random(locks);
  std::vector<bool> taken(locks);
  std::uint64_t got = 0;
  for (std::uint64_t i = 0; i < requests; ++i) {
    const LockRequest request = someLocks(random, locks);
    const LaneMask expected = expectedLocks(request, taken);
    if (ask(block, request).got != expected) return false;
    got += laneCount(expected);
  }
  BOOST_TEST(got > requests / 4);
  return true;
}

}  // namespace fermata::rtl::test

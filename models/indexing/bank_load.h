// How evenly one access of a warp falls on the banks.
#pragma once

#include <array>
#include <cstdint>

#include <fermata/models/indexing/indexer.h>

namespace fermata::indexing {

struct BankLoad {
  unsigned degree = 0;         ///< largest number of distinct words in one bank; 0: no active lane
  unsigned distinctWords = 0;  ///< lanes on one word count once
  unsigned banks = 0;          ///< banks with at least one word
  std::array<std::uint32_t, kWarpLanes> bank{};  ///< of each active lane
  std::array<std::uint32_t, kWarpLanes> row{};
  std::array<std::uint8_t, kWarpLanes>
      pass{};  ///< 0-based: distinct words of its bank at lower lanes
};

/// Lanes on the same word share its delivery; banks deliver one word a pass. Words of active lanes
/// must be below shape().words.
BankLoad bankLoad(const Indexer& indexer, const std::array<std::uint32_t, kWarpLanes>& word,
                  LaneMask active);

/// Just the degree: the passes of the access (the 4-way of a "4-way bank conflict").
unsigned conflictDegree(const Indexer& indexer, const std::array<std::uint32_t, kWarpLanes>& word,
                        LaneMask active);

}  // namespace fermata::indexing

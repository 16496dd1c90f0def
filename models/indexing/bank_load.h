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
  std::array<std::uint32_t, kWarpLanes> bank{};  ///< bank of each active lane
  std::array<std::uint32_t, kWarpLanes> row{};
  std::array<std::uint8_t, kWarpLanes>
      pass{};  ///< pass of the lane, from 0: distinct words of its bank at lower lanes
};

/// Returns how one access falls on the banks. Lanes on one word share its delivery; a bank delivers
/// one word per pass. Precondition: words of active lanes are below shape().words.
BankLoad bankLoad(const Indexer& indexer, const std::array<std::uint32_t, kWarpLanes>& word,
                  LaneMask active);

/// Returns the degree only: the passes of the access (the 4-way of a "4-way bank conflict").
unsigned conflictDegree(const Indexer& indexer, const std::array<std::uint32_t, kWarpLanes>& word,
                        LaneMask active);

}  // namespace fermata::indexing

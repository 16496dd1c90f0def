// Oracles of the searches, written for clarity alone, and accesses that several tests use.
#pragma once

#include <fermata/models/search/access_sets.h>
#include <fermata/models/search/features.h>

#include "tests/indexing/support.h"

namespace fermata::search::test {

using indexing::test::bankOf;
using indexing::test::parity;
using indexing::test::Rows;

inline std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random()) % limit;
}

template <typename BankOf>
std::uint32_t degreeOf(const Words& words, BankOf bank) {
  std::map<std::uint32_t, std::uint32_t> load;
  std::uint32_t largest = 0;
  for (const std::uint32_t word : words) largest = std::max(largest, ++load[bank(word)]);
  return largest;
}

template <typename BankOf>
std::uint64_t conflictsOf(const AccessSets& sets, BankOf bank) {
  std::uint64_t sum = 0;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    sum += sets.weight(set) * (degreeOf(sets.words(set), bank) - 1);
  }
  return sum;
}

inline std::uint64_t conflictsOf(const AccessSets& sets, const std::string& mapping,
                                 const indexing::Shape& shape) {
  const std::unique_ptr<indexing::Indexer> indexer = indexing::build(mapping, shape);
  return conflictsOf(sets, [&](std::uint32_t word) { return indexer->location(word).bank; });
}

inline std::uint64_t conflictsOf(const AccessSets& sets, const Rows& rows) {
  return conflictsOf(sets, [&](std::uint32_t word) { return bankOf(rows, word); });
}

inline void addSet(AccessSets& sets, const Rows& words, std::uint64_t count = 1) {
  if (sets.instructions().empty()) sets.addInstruction({});
  sets.add(0, words.data(), static_cast<std::uint32_t>(words.size()), count);
}
inline AccessSets setsOf(std::initializer_list<Rows> all) {
  AccessSets sets;
  for (const Rows& words : all) addSet(sets, words);
  return sets;
}

inline std::vector<std::uint32_t> strided(std::uint32_t stride, std::uint32_t lanes = 32,
                                          std::uint32_t first = 0) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 0; i < lanes; ++i) words.push_back(first + i * stride);
  return words;
}

/// Returns random strides, blocks and words below `words`; different seeds give different sets.
inline AccessSets mix(std::mt19937& random, std::uint32_t words, unsigned count,
                      std::uint32_t lanes = 32) {
  AccessSets sets;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t kind = below(random, 3);
    const std::uint32_t a = below(random, 40);
    const std::uint32_t b = below(random, 40);
    const std::uint32_t width = 1U << below(random, 5);
    const std::uint32_t size = 1 + below(random, lanes);
    std::vector<std::uint32_t> set;
    for (std::uint32_t lane = 0; lane < size; ++lane) {
      const std::uint32_t word = kind == 0   ? a + lane * b
                                 : kind == 1 ? lane % width * a + lane / width * b
                                             : below(random, words);
      set.push_back(word % words);
    }
    addSet(sets, set, 1 + below(random, 3));
  }
  return sets;
}

/// Returns the 16x16 transpose of section 3.2: linear stores and reads by column, 8 warps of each.
inline AccessSets transpose() {
  AccessSets sets;
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    std::vector<std::uint32_t> store;
    std::vector<std::uint32_t> load;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t tx = lane % 16;
      const std::uint32_t ty = warp * 2 + lane / 16;
      store.push_back(ty * 16 + tx);
      load.push_back(tx * 16 + ty);
    }
    addSet(sets, store);
    addSet(sets, load);
  }
  return sets;
}

/// Returns the reduction of section 3.2.3 in blocks of 256: sdata[2 S tx] += sdata[2 S tx + S].
inline AccessSets reduction() {
  AccessSets sets;
  for (std::uint32_t step = 1; step < 256; step *= 2) {
    for (std::uint32_t warp = 0; warp < 8; ++warp) {
      std::vector<std::uint32_t> left;
      std::vector<std::uint32_t> right;
      for (std::uint32_t tx = warp * 32; tx < warp * 32 + 32 && 2 * step * tx < 256; ++tx) {
        left.push_back(2 * step * tx);
        right.push_back(2 * step * tx + step);
      }
      addSet(sets, left);
      addSet(sets, right);
    }
  }
  return sets;
}

}  // namespace fermata::search::test

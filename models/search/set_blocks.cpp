#include <fermata/models/search/set_blocks.h>

#include <algorithm>

namespace fermata::search {
namespace {

using kernels::kBlockSets;
using kernels::kStepBytes;

/// Returns the most that a set can add to a sum.
std::uint64_t worst(const AccessSets& sets, std::uint32_t set) {
  return sets.weight(set) * (sets.words(set).size - 1);
}

}  // namespace

SetBlocks blocksOf(const AccessSets& sets, std::vector<std::uint32_t> chosen,
                   std::uint32_t noWord) {
  // Sets with equal numbers of steps share a block, so that little is padded.
  const auto steps = [&sets](std::uint32_t set) { return (sets.words(set).size + 7) / 8 * 2; };
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (steps(a) != steps(b)) return steps(a) > steps(b);
    const std::uint64_t worstA = worst(sets, a);
    const std::uint64_t worstB = worst(sets, b);
    return worstA != worstB ? worstA > worstB : a < b;
  });
  struct Part {
    std::size_t first;
    std::size_t size;
    std::uint64_t worst;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < chosen.size(); i += parts.back().size) {
    Part part{i, std::min<std::size_t>(kBlockSets, chosen.size() - i), 0};
    for (std::size_t k = 0; k < part.size; ++k) part.worst += worst(sets, chosen[i + k]);
    parts.push_back(part);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.worst > b.worst; });

  SetBlocks result;
  std::size_t allSteps = 0;
  for (const Part& part : parts) allSteps += steps(chosen[part.first]);
  result.words.words.resize(allSteps * kStepBytes, noWord);
  std::size_t step = 0;
  for (const Part& part : parts) {
    kernels::Block block{step, steps(chosen[part.first]), part.size != kBlockSets};
    std::uint32_t* const words = result.words.words.data() + step * kStepBytes;
    for (std::size_t s = 0; s < kBlockSets; ++s) {
      const bool there = s < part.size;
      const std::uint32_t set = there ? chosen[part.first + s] : SetBlocks::kNoSet;
      result.order.push_back(set);
      result.words.weight.push_back(there ? sets.weight(set) : 0);
      if (!there) continue;
      const Words own = sets.words(set);
      block.padded = block.padded || own.size != block.steps * 4;
      for (std::uint32_t i = 0; i < own.size; ++i) {
        words[kernels::place(static_cast<unsigned>(s), i)] = own.first[i];
      }
    }
    step += block.steps;
    result.words.blocks.push_back(block);
  }
  return result;
}

kernels::NibbleBlocks nibblesOf(const kernels::WordBlocks& words, std::uint32_t noWord,
                                unsigned addressBits) {
  kernels::NibbleBlocks result;
  result.blocks = words.blocks;
  result.weight = words.weight;
  result.count = std::max(1U, (addressBits + 3) / 4);
  const std::size_t steps = words.words.size() / kStepBytes;
  result.planes.resize(steps * (result.count + 1) * kStepBytes);
  std::uint8_t* plane = result.planes.data();
  const std::uint32_t* word = words.words.data();
  for (std::size_t step = 0; step < steps; ++step, word += kStepBytes) {
    for (unsigned j = 0; j < result.count; ++j, plane += kStepBytes) {
      for (unsigned i = 0; i < kStepBytes; ++i) {
        plane[i] = static_cast<std::uint8_t>(word[i] >> (4 * j) & 15U);
      }
    }
    for (unsigned i = 0; i < kStepBytes; ++i) {
      plane[i] = word[i] == noWord ? kernels::kNoBank : 0;
    }
    plane += kStepBytes;
  }
  return result;
}

kernels::NibbleTables nibbleTables(const indexing::gf2::Matrix& bank, unsigned addressBits) {
  kernels::NibbleTables tables;
  tables.count = std::max(1U, (addressBits + 3) / 4);
  for (unsigned j = 0; j < tables.count; ++j) {
    std::uint8_t column[4] = {};
    for (std::size_t row = 0; row < bank.rows.size(); ++row) {
      for (unsigned bit = 0; bit < 4; ++bit) {
        column[bit] |= static_cast<std::uint8_t>((bank.rows[row] >> (4 * j + bit) & 1U) << row);
      }
    }
    auto& table = tables.table[j];
    for (unsigned bit = 0; bit < 4; ++bit) {
      for (unsigned value = 0; value < 1U << bit; ++value) {
        table[value | 1U << bit] = static_cast<std::uint8_t>(table[value] ^ column[bit]);
      }
    }
  }
  return tables;
}

}  // namespace fermata::search

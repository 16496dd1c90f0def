// The degree of many access sets at once: the one place of the search where speed decides the form
// of the code.
//
// A block is eight sets of at most 32 words side by side, in steps of 32 bytes: byte 4 * s + b of
// step q stands for word 4 * q + b of set s. A bank number is one byte; kNoBank or more means no
// word.
//
// Method: a word's bank becomes one bit of a 32-bit mask (one mask per 32 banks). Carry-save adders
// add the masks of a set bit by bit, which gives the load of all 32 banks in six bit planes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata::search::kernels {

inline constexpr unsigned kBlockSets = 8;
inline constexpr unsigned kSetWords = 32;  ///< largest set of a block
inline constexpr unsigned kStepBytes = 32;
inline constexpr unsigned kMostSteps = 8;
inline constexpr std::uint8_t kNoBank = 0x80;
inline constexpr unsigned kMostBanks = 128;

/// Returns the place within a block of a word of a set.
inline unsigned place(unsigned set, unsigned word) {
  return word / 4 * kStepBytes + set * 4 + word % 4;
}

struct Block {
  std::size_t first = 0;    ///< index of its first step, in steps of kStepBytes
  std::uint32_t steps = 0;  ///< an even number up to kMostSteps
  bool padded = false;      ///< some of its sets have fewer words than steps * 4
};

/// The bank of a word by its groups of four bits: bank = XOR of table[j][(word >> 4 * j) & 15].
struct NibbleTables {
  static constexpr unsigned kMost = 6;
  std::array<std::array<std::uint8_t, 16>, kMost> table{};
  unsigned count = 0;
};

/// Blocks of words as groups of four bits. Step q of a block has tables.count planes of kStepBytes
/// (one per group of four bits, lowest first), then a plane that is kNoBank where there is no word.
struct NibbleBlocks {
  std::vector<Block> blocks;
  std::vector<std::uint8_t> planes;
  std::vector<std::uint64_t> weight;  ///< kBlockSets per block
  unsigned count = 0;                 ///< groups of four bits
};

/// Blocks of words as indices of a table: kStepBytes indices per step.
struct WordBlocks {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> words;
  std::vector<std::uint64_t> weight;  ///< kBlockSets per block
};

using Degrees = std::array<std::uint32_t, kBlockSets>;

enum class Form : std::uint8_t { Portable, Avx2 };

/// Returns the fastest form that this processor runs.
Form bestForm();

// Sums of weight * (degree - 1), stopped once `limit` is exceeded. `banks` is at most kMostBanks.
std::uint64_t linearSum(Form form, const NibbleBlocks& sets, const NibbleTables& tables,
                        std::uint32_t banks, std::uint64_t limit);
/// bank = table[word]; padding words point at an entry of kNoBank or more.
std::uint64_t tableSum(Form form, const WordBlocks& sets, const std::uint8_t* table,
                       std::uint32_t banks, std::uint64_t limit);
/// Finds the degrees of one block's sets.
void tableDegrees(Form form, const WordBlocks& sets, const Block& block, const std::uint8_t* table,
                  std::uint32_t banks, Degrees& degrees);

}  // namespace fermata::search::kernels

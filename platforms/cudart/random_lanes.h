// The sequences of random words from which cuRAND's generators draw.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/stimuli/cuda/include/parts/random_recurrences.h>
#include <fermata/stimuli/cuda/include/parts/random_words.h>

namespace fermata::cudart {

/// 4096 sequences of XORWOW, 2^67 numbers apart. Draws go to lane 0, 1, 2 ... and again to lane 0;
/// a draw takes one or more words of its lane.
class XorwowLanes {
 public:
  static constexpr unsigned kLanes = 4096;

  /// Begins as if `offset` draws of one word had been made.
  XorwowLanes(std::uint64_t seed, std::uint64_t offset);
  /// Takes words of the next lane.
  void draw(std::uint32_t* to, unsigned words);
  /// Takes one more draw of the same lane.
  void drawAgain(std::uint32_t* to, unsigned words);

 private:
  struct Lane {
    std::array<unsigned, 5> shifts = {};
    std::uint32_t counter = 0;
  };
  void skip(Lane& lane, std::uint64_t words);

  std::vector<Lane> lanes_;
  unsigned next_ = 0;
  std::uint64_t skipped_ = 0;  ///< words that `power_` skips
  fermata_cuda::Shifts power_ = {{1}};
};

/// 81920 sequences of MRG32k3a, 2^76 numbers apart, which draws take as those of XORWOW. Words are
/// its numbers.
class CombinedLanes {
 public:
  static constexpr unsigned kLanes = 81920;

  CombinedLanes(std::uint64_t seed, std::uint64_t offset);
  void draw(std::uint32_t* to, unsigned words);
  void drawAgain(std::uint32_t* to, unsigned words);

 private:
  struct Lane {
    std::array<unsigned, 3> first = {}, second = {};
  };

  std::vector<Lane> lanes_;
  unsigned next_ = 0;
};

/// Sequences of Philox4x32-10 that draws of four results take in turns.
inline constexpr std::uint64_t kPhiloxLanes = 65536;
/// Returns a block of four words of a sequence.
std::array<std::uint32_t, 4> philoxBlock(std::uint64_t seed, std::uint64_t sequence,
                                         std::uint64_t block);

}  // namespace fermata::cudart

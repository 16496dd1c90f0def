// The sequences of random words from which cuRAND's generators draw.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/stimuli/cuda/include/parts/random_recurrences.h>
#include <fermata/stimuli/cuda/include/parts/random_words.h>

namespace fermata::cudart {

/// Sequences that take turns: draws go to lane 0, 1, 2 ... and again to lane 0. A draw takes one or
/// more words of its lane, each by Lane::next().
template <class Lane, unsigned kCount>
class LanesInTurn {
 public:
  static constexpr unsigned kLanes = kCount;

  /// Takes words of the next lane.
  void draw(std::uint32_t* to, unsigned words) {
    next_ = (next_ + 1) % kLanes;
    drawAgain(to, words);
  }
  /// Takes one more draw of the same lane.
  void drawAgain(std::uint32_t* to, unsigned words) {
    Lane& lane = lanes_[(next_ + kLanes - 1) % kLanes];
    for (unsigned i = 0; i < words; ++i) to[i] = lane.next();
  }

 protected:
  /// Begins as if `offset` draws had been made.
  explicit LanesInTurn(std::uint64_t offset)
      : lanes_(kLanes), next_(static_cast<unsigned>(offset % kLanes)) {}
  /// Returns how many of `offset` draws went to lane `k`.
  std::uint64_t drawsOf(unsigned k, std::uint64_t offset) const {
    return offset / kLanes + (k < next_ ? 1 : 0);
  }

  std::vector<Lane> lanes_;

 private:
  unsigned next_;
};

struct XorwowLane {
  std::uint32_t next();
  std::array<unsigned, 5> shifts = {};
  std::uint32_t counter = 0;
};

/// 4096 sequences of XORWOW, 2^67 numbers apart.
class XorwowLanes : public LanesInTurn<XorwowLane, 4096> {
 public:
  /// Begins as if `offset` draws of one word had been made.
  XorwowLanes(std::uint64_t seed, std::uint64_t offset);

 private:
  void skip(XorwowLane& lane, std::uint64_t words);

  std::uint64_t skipped_ = 0;  ///< words that `power_` skips
  fermata_cuda::Shifts power_ = {{1}};
};

struct CombinedLane {
  std::uint32_t next();
  std::array<unsigned, 3> first = {}, second = {};
};

/// 81920 sequences of MRG32k3a, 2^76 numbers apart. A word is one of its numbers.
class CombinedLanes : public LanesInTurn<CombinedLane, 81920> {
 public:
  /// Begins as if `offset` draws of one word had been made.
  CombinedLanes(std::uint64_t seed, std::uint64_t offset);
};

/// Sequences of Philox4x32-10 that draws of four results take in turns.
inline constexpr std::uint64_t kPhiloxLanes = 65536;
/// Returns a block of four words of a sequence.
std::array<std::uint32_t, 4> philoxBlock(std::uint64_t seed, std::uint64_t sequence,
                                         std::uint64_t block);

}  // namespace fermata::cudart

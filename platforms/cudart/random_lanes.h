// The sequences of random words that cuRAND's generators take in turns.
#pragma once

#include <cstdint>
#include <memory>

namespace fermata::cudart {

/// Many independent sequences of words, one per lane. Results are drawn from lane 0, 1, 2 ... and
/// again from lane 0. A draw takes one or more words and gives one or more results.
class RandomLanes {
 public:
  virtual ~RandomLanes() = default;
  virtual unsigned count() const = 0;
  /// Returns how many words a draw of plain words takes: as many results does it give.
  virtual unsigned wordsPerDraw() const = 0;
  /// Takes the next `words` words of a lane.
  virtual void take(unsigned lane, std::uint32_t* to, unsigned words) = 0;
  /// Skips words of a lane.
  virtual void skip(unsigned lane, std::uint64_t words) = 0;
};

/// Makes 4096 sequences of XORWOW, 2^67 numbers apart.
std::unique_ptr<RandomLanes> makeXorwow(std::uint64_t seed);
/// Makes 65,536 sequences of Philox4x32-10.
std::unique_ptr<RandomLanes> makePhilox(std::uint64_t seed);

}  // namespace fermata::cudart

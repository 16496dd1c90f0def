// The general search's problem, reduced to what can matter.
//
// Two words of a set share a bank if the mapping takes their difference (their XOR) to zero. So a
// set may be moved (XOR with one of its words), and sets that become equal are one. Let L be the
// span of all differences within sets: a row counts only as a linear functional on L. Rows that
// agree on L are one functional. Rows that vanish on L, the silent ones, change nothing.
//
// A functional is written in coordinates: bit i stands for functional[i], an address mask.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/access_sets.h>

namespace fermata::search::general {

/// Words of a set, two or more, each XORed with one of them (which thereby becomes 0).
struct DifferenceSet {
  std::vector<std::uint32_t> words;
  std::uint64_t weight = 0;
};

struct ReducedProblem {
  /// Largest dimension that is searched whole: tables have 2^dimension entries. Of a larger L only
  /// a part of the functionals is searched.
  static constexpr unsigned kMaxDimension = 18;
  /// Most sets that are searched with, the heaviest; the others only judge the result.
  static constexpr std::size_t kMaxSets = std::size_t{1} << 16;

  unsigned addressBits = 0;
  unsigned bankBits = 0;
  std::vector<DifferenceSet> sets;         ///< heavy and large ones first
  std::vector<std::uint32_t> differences;  ///< basis of L, reduced echelon
  std::vector<std::uint32_t> silent;       ///< basis of the address masks that vanish on L
  unsigned dimension = 0;                  ///< coordinates of a functional
  std::vector<std::uint32_t> functional;   ///< one address mask per coordinate
  std::vector<std::uint32_t> dual;         ///< functional[i] of dual[i] is 1, every other one 0
  bool allSets = true;                     ///< `sets` holds all that can conflict
  bool allFunctionals = true;              ///< the coordinates reach every functional on L
  std::uint64_t rootBound = 0;     ///< sum over `sets` of weight * (ceil(words / banks) - 1)
  std::uint64_t droppedBound = 0;  ///< sum as rootBound, over the sets left out

  /// Returns an address mask of the functional.
  std::uint32_t lift(std::uint32_t coordinates) const;
  /// Returns the coordinates of an address mask; valid only if representable().
  std::uint32_t coordinates(std::uint32_t mask) const;
  /// Returns whether some coordinates act on L as the mask does.
  bool representable(std::uint32_t mask) const;
  /// Returns a word of a set as the coordinates see it: bit i is functional[i] of the word.
  std::uint32_t project(std::uint32_t word) const;
};

/// Builds the reduced problem. `preferred`: rows that the coordinates shall reach if they cannot
/// reach all, most wanted first.
ReducedProblem reduce(const AccessSets& sets, unsigned addressBits, unsigned bankBits,
                      const std::vector<std::uint32_t>& preferred);

bool oddBits(std::uint32_t bits);
/// Precondition: `vector` is not 0.
inline unsigned topBit(std::uint32_t vector) {
  return 31U - static_cast<unsigned>(__builtin_clz(vector));
}
/// Adds to `basis` the part of `vector` outside its span; leading bits of the basis stay different.
/// Returns false if the vector lies in the span.
bool extend(std::vector<std::uint32_t>& basis, std::uint32_t vector);

}  // namespace fermata::search::general

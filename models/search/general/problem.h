// The general search's problem without what cannot matter.
//
// Two words of a set share a bank when the mapping takes their difference (their XOR) to zero, so a
// set may be moved (XOR with one of its words) and sets that become equal are one. Let L be the
// span of all differences within sets: a row counts only as a linear functional on L. Rows that
// agree on L are one functional; rows that vanish on L, the silent ones, change nothing.
//
// A functional is written in coordinates: bit i stands for functional[i], an address mask.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/access_sets.h>

namespace fermata::search::general {

/// The words of a set, each XORed with one of them (which is thereby 0). Two or more.
struct DifferenceSet {
  std::vector<std::uint32_t> words;
  std::uint64_t weight = 0;
};

struct ReducedProblem {
  /// Tables of 2^dimension entries are made; a larger L is searched in a part of its functionals.
  static constexpr unsigned kMaxDimension = 18;
  /// The heaviest sets are searched with; the others only judge the result.
  static constexpr std::size_t kMaxSets = std::size_t{1} << 16;

  unsigned addressBits = 0;
  unsigned bankBits = 0;
  std::vector<DifferenceSet> sets;         ///< heavy and large ones first
  std::vector<std::uint32_t> differences;  ///< basis of L, reduced echelon
  std::vector<std::uint32_t> silent;       ///< basis of the address masks that vanish on L
  unsigned dimension = 0;                  ///< coordinates of a functional
  std::vector<std::uint32_t> functional;   ///< one a coordinate: an address mask
  std::vector<std::uint32_t> dual;         ///< dual[i] has functional[i] = 1 and every other one 0
  bool allSets = true;                     ///< `sets` has all that can conflict
  bool allFunctionals = true;              ///< the coordinates reach every functional on L
  std::uint64_t rootBound = 0;     ///< sum over `sets` of weight * (ceil(words / banks) - 1)
  std::uint64_t droppedBound = 0;  ///< the same of the sets left out

  /// An address mask of the functional.
  std::uint32_t lift(std::uint32_t coordinates) const;
  /// Of an address mask; right when representable().
  std::uint32_t coordinates(std::uint32_t mask) const;
  /// Whether some coordinates do on L what the mask does.
  bool representable(std::uint32_t mask) const;
  /// A word of a set as the coordinates see it: bit i is functional[i] of it.
  std::uint32_t project(std::uint32_t word) const;
};

/// `preferred`: rows that the coordinates shall reach if not all can be reached, most wanted first.
ReducedProblem reduce(const AccessSets& sets, unsigned addressBits, unsigned bankBits,
                      const std::vector<std::uint32_t>& preferred);

bool oddBits(std::uint32_t bits);

}  // namespace fermata::search::general

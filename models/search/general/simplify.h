// Fewer gates for the same conflicts: rows replaced, one at a time, by rows of fewer bits.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>
#include <fermata/models/search/general/split.h>

namespace fermata::search::general {

/// Returns address masks of one to three bits, lightest first.
std::vector<std::uint32_t> lightRows(unsigned addressBits);

/// Returns a mapping with no more than `conflicts` on problem.sets, the number that `bank` leaves
/// there. The rows of `bank` are independent on the differences; so are the result's rows. Stops
/// when the allowed effort is spent.
indexing::gf2::Matrix simplify(const ReducedProblem& problem, SplitCount& split,
                               indexing::gf2::Matrix bank, std::uint64_t conflicts,
                               const Effort& effort);

}  // namespace fermata::search::general

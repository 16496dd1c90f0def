// Cost of a mapping in gates, and the cheapest way to write a span.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/general/problem.h>

namespace fermata::search::general {

/// Returns the two-input XOR gates: sum over the rows of (bits - 1).
unsigned gateCount(const indexing::gf2::Matrix& bank);
/// Returns the levels of two-input XOR gates of the widest row.
unsigned gateDepth(const indexing::gf2::Matrix& bank);

/// Returns whether no row is a sum of others on the sets' differences.
bool independentOnDifferences(const ReducedProblem& problem, const indexing::gf2::Matrix& bank);

/// Returns problem.bankBits independent rows, with the fewest gates, that map the sets as `rows`
/// do. They write the span of `rows`, each vector changed by the silent masks (problem.silent) that
/// shorten it most. `rows` are address masks, as many as bank bits, independent on the differences.
/// Fewer may be given if there are no more dimensions than bank bits: then a selection of bits
/// serves. At a tie the lowest bits win; the result's rows are ordered by their lowest bit.
indexing::gf2::Matrix cheapestBasis(const ReducedProblem& problem,
                                    const std::vector<std::uint32_t>& rows);

}  // namespace fermata::search::general

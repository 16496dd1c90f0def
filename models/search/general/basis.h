// Gates: what a mapping costs to build, and the cheapest way to write a span.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/search/general/problem.h>

namespace fermata::search::general {

/// Two-input XOR gates: sum over the rows of (bits - 1).
unsigned gateCount(const indexing::gf2::Matrix& bank);
/// Levels of two-input XOR gates of the widest row.
unsigned gateDepth(const indexing::gf2::Matrix& bank);

/// Whether, on the sets' differences, no row is a sum of others.
bool independentOnDifferences(const ReducedProblem& problem, const indexing::gf2::Matrix& bank);

/// problem.bankBits independent rows that do to the sets what the given ones do, with the fewest
/// gates: the given rows' span, each vector of it changed by the silent masks (problem.silent) that
/// shorten it most. Rows are address masks, as many as bank bits, independent on the differences;
/// or fewer, when there are no more dimensions than bank bits: then a selection of bits serves. Of
/// equal choices the one with the lowest bits; rows by their lowest bit.
indexing::gf2::Matrix cheapestBasis(const ReducedProblem& problem,
                                    const std::vector<std::uint32_t>& rows);

}  // namespace fermata::search::general

// Bounds that single functionals give for all mappings that contain them, by Walsh-Hadamard
// transforms.
//
// The transform of a set's indicator at f is (words with f = 0) - (words with f = 1). A mapping
// onto 2^m banks leaves no conflict in a set of 2^m words exactly if the transform is zero at every
// non-zero functional of its span: each must be balanced.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>

namespace fermata::search::general {

/// Returns, for each functional, the least conflicts of any mapping with it in its span. Sets that
/// come after the allowed effort is spent count only their cost at the root.
std::vector<std::uint64_t> functionalBounds(const ReducedProblem& problem, Effort& effort);

/// Returns, for each functional f, the sum over the sets of scale * W(f)^2, where W is the
/// transform. Summed over a span of 2^m functionals this is 2^m * the sum over the sets of scale *
/// (the squares of the class sizes), least where fewest words collide. One scale per set, each
/// below 2^17.
std::vector<std::int64_t> energies(const ReducedProblem& problem,
                                   const std::vector<std::uint32_t>& scale, Effort& effort);

}  // namespace fermata::search::general

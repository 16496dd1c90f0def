// What single functionals say about all mappings that contain them, by Walsh-Hadamard transforms.
//
// The transform of a set's indicator at f is (words with f = 0) - (words with f = 1). A mapping
// onto 2^m banks leaves no conflict in a set of 2^m words exactly when the transform is zero at
// every non-zero functional of its span: all must be balanced.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/search/general/effort.h>
#include <fermata/models/search/general/problem.h>

namespace fermata::search::general {

/// Of each functional: the conflicts that every mapping with it in its span leaves at least. Of
/// sets that come after the effort allowed is spent only what they cost at the root is counted.
std::vector<std::uint64_t> functionalBounds(const ReducedProblem& problem, Effort& effort);

/// Of each functional f: the sum over the sets of scale * W(f)^2, W the transform. Summed over a
/// span of 2^m functionals this is 2^m * the sum over the sets of scale * (the squares of the class
/// sizes), least where fewest words collide. One scale a set, each below 2^17.
std::vector<std::int64_t> energies(const ReducedProblem& problem,
                                   const std::vector<std::uint32_t>& scale, Effort& effort);

}  // namespace fermata::search::general

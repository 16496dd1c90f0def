// Parameters that stand for others.
//
//   ami           the notation of Diamond et al. (Arbitrary Modulus Indexing, MICRO 2014, section
//                 VII.B). "62/48": banks of the scratchpad and of the L1. "S+62/48": and AMI sets
//                 in the L1, modulo one less than its lines (255 for 256: one 8-bit digit; the
//                 paper does not say which modulus it took). "ideal": conflicts cost nothing
//   atomics.hash  table I of van den Braak et al. (Improvements of Atomic Operations on GPU
//                 Scratchpads, ICCD 2013), "baseline", "xor" or "add": the bank of a word and its
//                 lock, one of 32 of that bank
//   sms           chip.sms
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

struct PlatformParameters;

using Assignments = std::vector<std::pair<std::string, std::string>>;

inline constexpr const char* kAmi = "ami";

bool isShorthand(const std::string& name);

/// Returns the assignments that the shorthand stands for. Throws InputError, at `where`, for a text
/// that the shorthand does not take.
Assignments expand(const std::string& name, const std::string& text, const SourceLocation& where,
                   const PlatformParameters& parameters);

}  // namespace fermata::platforms

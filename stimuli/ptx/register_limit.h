// The most registers that a thread of an entry may have: what the entry's directives leave.
#pragma once

#include <string_view>

namespace fermata::ptx {

struct Function;

/// Most 32-bit registers per thread on any machine of 64-bit addresses.
inline constexpr unsigned kMostRegisters = 255;
/// ptxas 13.0 raises a smaller `.maxnreg`.
inline constexpr unsigned kFewestRegisters = 24;

/// Returns the most registers per thread that ptxas 13.0 gives the entry: `.maxnreg`, and as many
/// as let `.minnctapersm` CTAs of `.maxntid` or `.reqntid` threads share an SM of the target.
/// `.minnctapersm` counts as 1 without a number of threads, or if so many warps fit no SM. CTAs are
/// given registers in units of 4 warps and 8 registers.
unsigned registerLimit(const Function& entry, std::string_view target);

/// Returns the most registers with which a CTA of so many threads fits an SM of 65,536 registers.
unsigned registersThatFit(unsigned threads);

}  // namespace fermata::ptx

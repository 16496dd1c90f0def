// Which bits of a register are known whatever the kernel does: what lets the hash of an address
// plus a constant follow from the hash of the address.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::software_hash {

class SharedLayout;

using Bits = std::uint64_t;

/// The bits of a value: those that may be one, and of them those that are.
struct KnownBits {
  Bits possible = ~Bits{0};
  Bits certain = 0;

  static KnownBits of(Bits value) { return {value, value}; }
  Bits unknown() const { return possible & ~certain; }
};

/// Of x + y, cut to `width` bits.
KnownBits sum(const KnownBits& x, const KnownBits& y, unsigned width);

/// For each register of the function what all of its writes agree on, from constants, addresses of
/// shared variables, shifts, logic, sums and products. Whatever else writes a register may set all
/// of its bits, and so may the caller for a parameter in a register. A register that is read before
/// it is written is not thought of: it holds nothing that a kernel could use.
std::vector<KnownBits> knownBits(const ptx::Function& function, const SharedLayout& layout);

}  // namespace fermata::software_hash

// Finds the bits of a register that are known for every execution. They let the hash of an address
// plus a constant follow from the hash of the address.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/ast.h>

namespace fermata::software_hash {

class SharedLayout;

using Bits = std::uint64_t;

/// Bits of a value: `possible` are those that may be one, `certain` those of them that are one.
struct KnownBits {
  Bits possible = ~Bits{0};
  Bits certain = 0;

  static KnownBits of(Bits value) { return {value, value}; }
  Bits unknown() const { return possible & ~certain; }
};

/// Returns the registers that the statement may write. Only the first operand of an instruction is
/// written; an address in brackets is read.
std::vector<std::uint32_t> writtenRegisters(const ptx::Statement& statement);

/// Returns the bits of x + y, cut to `width` bits.
KnownBits sum(const KnownBits& x, const KnownBits& y, unsigned width);

/// Returns for each register of the function what all of its writes agree on. Understood are
/// constants, addresses of shared variables, shifts, logic, sums and products. Any other write may
/// set all bits of the register, and so may the caller for a parameter in a register. A register
/// that is read before it is written is ignored: it holds nothing that a kernel could use.
std::vector<KnownBits> knownBits(const ptx::Function& function, const SharedLayout& layout);

}  // namespace fermata::software_hash

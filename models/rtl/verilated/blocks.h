// Factories of the models that Verilator made of the RTL, one per model. Only the catalogue needs
// them.
#pragma once

#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/map_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include <memory>
#include <vector>

namespace fermata::rtl::verilated {

/// Returns whether ami_divmod.sv is built for the modulus.
constexpr bool hasModulus(std::uint32_t modulus) {
  const bool power = modulus != 0 && (modulus & (modulus - 1)) == 0 && modulus <= 128;
  return power || modulus == 31 || (modulus > 32 && modulus < 64);
}
/// Precondition of both factories: hasModulus(modulus).
std::unique_ptr<MapBlock> amiArray(std::uint32_t modulus);
std::unique_ptr<MapBlock> amiFolded(std::uint32_t modulus);

inline constexpr unsigned kMostBankBits = 7;

/// Configurable classes, in the order of xor_indexer.sv.
enum class LinearClass { BitVectorPermutation, BitVectorXor, BitwisePermutation, BitwiseXor };

/// A number of `bits` bits.
struct Field {
  std::uint32_t value;
  unsigned bits;
};

/// Configuration of a hash of words of 32 bits onto 2^bankBits banks. `bank` configures the class,
/// its lowest field first; `dropped` configures row_select.sv.
struct LinearSetting {
  LinearClass kind;
  unsigned bankBits;  ///< 1 to kMostBankBits
  std::vector<Field> bank;
  std::vector<Field> dropped;
};
std::unique_ptr<MapBlock> linearHash(const LinearSetting& setting);

/// bankBits is 1 to kMostBankBits; digit is one of its divisors.
std::unique_ptr<MapBlock> fixedXor(unsigned bankBits, unsigned digit);
std::unique_ptr<MapBlock> addHash(unsigned bankBits, unsigned digit);

inline constexpr std::uint32_t kMostBanks = 1U << kMostBankBits;
inline constexpr std::uint32_t kMostRows = 2048;
inline constexpr std::uint32_t kMostLocks = 4096;

/// Sizes 0, 1 and 2 have 32, 64 and 128 banks.
std::unique_ptr<PassBlock> passArbiter(unsigned size);
/// Sizes 0, 1 and 2 have 32, 64 and 128 banks of kMostRows rows.
std::unique_ptr<ScratchpadBlock> bankedScratchpad(unsigned size);
/// Returns a lock unit of kMostLocks locks.
std::unique_ptr<LockBlock> lockUnit();

}  // namespace fermata::rtl::verilated

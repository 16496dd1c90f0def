// What Verilator made of the RTL, a factory a model. Nobody but the catalogue needs it.
#pragma once

#include <fermata/models/rtl/lock_block.h>
#include <fermata/models/rtl/map_block.h>
#include <fermata/models/rtl/pass_block.h>
#include <fermata/models/rtl/scratchpad_block.h>

#include <memory>
#include <vector>

namespace fermata::rtl::verilated {

/// That ami_divmod.sv was built for.
bool hasModulus(std::uint32_t modulus);
/// Precondition of both: the modulus is one of them.
std::unique_ptr<MapBlock> amiArray(std::uint32_t modulus);
std::unique_ptr<MapBlock> amiFolded(std::uint32_t modulus);

inline constexpr unsigned kMostBankBits = 7;

/// In the order of xor_indexer.sv.
enum class LinearClass { BitVectorPermutation, BitVectorXor, BitwisePermutation, BitwiseXor };

/// A number of so many bits.
struct Field {
  std::uint32_t value;
  unsigned bits;
};

/// Of words of 32 bits and 2^bankBits banks. `bank` is the configuration of the class, its lowest
/// field first; `dropped` that of row_select.sv.
struct LinearSetting {
  LinearClass kind;
  unsigned bankBits;  ///< 1 to kMostBankBits
  std::vector<Field> bank;
  std::vector<Field> dropped;
};
std::unique_ptr<MapBlock> linearHash(const LinearSetting& setting);

/// bankBits 1 to kMostBankBits, digit one of its divisors.
std::unique_ptr<MapBlock> fixedXor(unsigned bankBits, unsigned digit);
std::unique_ptr<MapBlock> addHash(unsigned bankBits, unsigned digit);

inline constexpr std::uint32_t kMostBanks = 1U << kMostBankBits;
inline constexpr std::uint32_t kMostRows = 2048;
inline constexpr std::uint32_t kMostLocks = 4096;

/// Size 0, 1, 2: 32, 64 and 128 banks.
std::unique_ptr<PassBlock> passArbiter(unsigned size);
/// The same sizes, each of kMostRows rows.
std::unique_ptr<ScratchpadBlock> bankedScratchpad(unsigned size);
/// Of kMostLocks.
std::unique_ptr<LockBlock> lockUnit();

}  // namespace fermata::rtl::verilated

// Tensor memory of sm_100 (PTX ISA, tcgen05): 128 lanes of 512 columns of 32 bits in each SM. A CTA
// allocates columns, 32 at least, over all lanes.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// Tensor memory as a CTA sees it. Words of columns that the CTA does not own are never used.
struct TensorMemory {
  static constexpr unsigned kLanes = 128;
  static constexpr unsigned kColumns = 512;
  static constexpr unsigned kUnit = 32;  ///< columns that are allocated together
  static constexpr unsigned kUnits = kColumns / kUnit;
  static constexpr unsigned kLanesOfWarp = 32;

  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kLanes * kColumns);
  std::uint16_t owned = 0;      ///< bit u: columns [32 u, 32 u + 32) are the CTA's
  bool mayAllocate = true;      ///< false behind relinquish_alloc_permit
  unsigned multiprocessor = 0;  ///< index in TensorColumns::used
  std::uint32_t* column(unsigned number) { return &words[std::size_t{number} * kLanes]; }
};

/// Columns of the SMs that CTAs own. With time, CTAs of an SM compete for them; without, each CTA
/// has all columns for itself.
struct TensorColumns {
  std::vector<std::uint16_t> used;  ///< by SM, as TensorMemory::owned
};

/// A word of tensor memory, as an address names it: the lane in bits 16 to 31, the column below.
struct TensorPlace {
  unsigned lane = 0, column = 0;
  explicit TensorPlace(std::uint32_t address) : lane(address >> 16), column(address & 0xffffU) {}
};

/// Returns the CTA's tensor memory, made at its first use.
TensorMemory& tensorMemoryOf(const Warp& warp);
/// Returns whether `columns` columns side by side are free.
bool hasTensorColumns(const Warp& warp, unsigned columns);
/// Makes columns the CTA's, and returns the first. Precondition: hasTensorColumns().
unsigned takeTensorColumns(const Warp& warp, unsigned columns);
void giveTensorColumns(const Warp& warp, unsigned first, unsigned columns);
/// Frees all columns before a launch. `slots`: warp slots, all of one SM if there are few.
void beginTensorMemory(Machine& machine, std::size_t slots);
/// Frees all columns of a CTA that ends.
void endTensorMemory(const Machine& machine, Cta& cta);

/// Returns the tensor memory after checking that columns [first, first + count) are the CTA's.
/// Throws InputError if one is not.
TensorMemory& tensorColumns(const Warp& warp, const Instruction& i, std::int64_t lane,
                            unsigned first, unsigned count);

/// True for an allocation that finds no room: the warp sleeps before it.
bool lacksTensorColumns(const Warp& warp, const Instruction& i);

}  // namespace fermata::ptx

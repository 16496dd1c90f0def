// Tensor memory of sm_100 (PTX ISA, tcgen05): 128 lanes of 512 columns of 32 bits in each SM. A CTA
// allocates columns, 32 at least, over all lanes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fermata/models/vocabulary/tensor_columns.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {

/// Tensor memory as a CTA sees it. Words of columns that the CTA does not own are never used.
struct TensorMemory {
  static constexpr unsigned kLanes = 128;
  static constexpr unsigned kColumns = kTensorColumns;
  static constexpr unsigned kUnit = kTensorUnit;  ///< columns that are allocated together
  static constexpr unsigned kLanesOfWarp = 32;

  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(kLanes * kColumns);
  std::uint16_t owned = 0;      ///< bit u: columns [32 u, 32 u + 32) are the CTA's
  bool mayAllocate = true;      ///< false behind relinquish_alloc_permit
  unsigned multiprocessor = 0;  ///< index in TensorColumns::used
  /// First columns of allocations that the other CTA of the pair has made for both, and that this
  /// one has not yet, oldest first.
  std::vector<unsigned> promised;
  std::uint32_t* column(unsigned number) { return &words[std::size_t{number} * kLanes]; }
};

/// Columns of the SMs that CTAs own. With time, CTAs of an SM compete for them; without, each CTA
/// has all columns for itself.
struct TensorColumns {
  /// By SM and rank in the cluster, as TensorMemory::owned. CTAs of one cluster never compete: each
  /// has an SM of its own on a GPU.
  std::vector<std::uint16_t> used;
};

/// A word of tensor memory, as an address names it: the lane in bits 16 to 31, the column below.
struct TensorPlace {
  unsigned lane = 0, column = 0;
  explicit TensorPlace(std::uint32_t address) : lane(address >> 16), column(address & 0xffffU) {}
};

/// The CTAs of which work of the tensor unit reaches shared and tensor memory: the warp's own, or
/// both of its pair, that of even rank first.
struct TensorSides {
  std::array<Cta*, 2> ctas{};
  unsigned count = 1;
  unsigned own = 0;  ///< index of the warp's CTA
};
/// `pairs`: of both CTAs of a pair. Throws InputError if there is no pair, or the other CTA has
/// exited.
TensorSides tensorSides(const Warp& warp, const Instruction& i, std::int64_t lane, bool pairs);
/// Returns what is added to an address of shared memory that means a place in the CTA.
std::uint32_t sharedBaseOf(const Warp& warp, const Cta& cta);

/// Frees all columns before a launch. `slots`: warp slots, all of one SM if there are few.
void beginTensorMemory(Machine& machine, std::size_t slots);
/// Frees all columns of a CTA that ends.
void endTensorMemory(const Machine& machine, Cta& cta);

/// Returns the tensor memory of a CTA after checking that columns [first, first + count) are its
/// own. Throws InputError if one is not.
TensorMemory& tensorColumns(const Warp& warp, Cta& cta, const Instruction& i, std::int64_t lane,
                            unsigned first, unsigned count);
inline TensorMemory& tensorColumns(const Warp& warp, const Instruction& i, std::int64_t lane,
                                   unsigned first, unsigned count) {
  return tensorColumns(warp, *warp.cta, i, lane, first, count);
}

/// True for an allocation that finds no room: the warp sleeps before it.
bool lacksTensorColumns(const Warp& warp, const Instruction& i);

}  // namespace fermata::ptx

// Columns of tensor memory (NVIDIA sm_100: tcgen05.alloc, tcgen05.dealloc), which CTAs take and
// give back. Plain C++.
//
// An instruction that changes who owns columns is of class Tensor and has
// StaticInstruction::arrives: other warps may wait for the columns. One that takes columns also
// suspends: its warp waits until there is room.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

inline constexpr unsigned kTensorColumns = 512;
inline constexpr unsigned kTensorUnit = 32;  ///< columns that are taken together
/// Nanoseconds after which a warp looks again for room (assumption).
inline constexpr std::uint64_t kTensorSleep = 100;

constexpr bool changesColumns(const StaticInstruction& instruction) {
  return instruction.arrives && instruction.instructionClass == InstructionClass::Tensor;
}
constexpr bool takesColumns(const StaticInstruction& instruction) {
  return instruction.suspends && changesColumns(instruction);
}

/// Columns [first, first + columns) that an execution takes or gives back.
struct ColumnChange {
  unsigned first = 0;
  unsigned columns = 0;  ///< 0: an execution that finds no room, and comes again
  bool pair = false;     ///< of an allocation: both CTAs of a pair get the same columns
};

/// Tells the change of an execution, which has no other addresses.
inline void setColumns(WarpInstruction& executed, const ColumnChange& change) {
  executed.address[0] = change.first;
  executed.address[1] = change.columns;
  executed.address[2] = change.pair ? 1 : 0;
}
inline ColumnChange columnChangeOf(const WarpInstruction& executed) {
  return {static_cast<unsigned>(executed.address[0]), static_cast<unsigned>(executed.address[1]),
          executed.address[2] != 0};
}

/// Returns the bits of the units of 32 columns that `columns` columns take.
constexpr std::uint16_t tensorUnits(unsigned first, unsigned columns) {
  return static_cast<std::uint16_t>(((1U << columns / kTensorUnit) - 1) << first / kTensorUnit);
}
/// Returns the first of `columns` columns whose units are not in `used`, at a multiple of their
/// number; kTensorColumns: there is none. `columns`: 32 or a larger power of two.
constexpr unsigned freeTensorColumns(unsigned used, unsigned columns) {
  for (unsigned first = 0; first < kTensorColumns; first += columns) {
    if ((used & tensorUnits(first, columns)) == 0) return first;
  }
  return kTensorColumns;
}

}  // namespace fermata

// Arithmetic of lanes: returns, for an operation and a type, the handler that executes it on a
// whole warp.
//
// Handlers are compiled twice from lane_*.inl: for the baseline of the compiler and for x86-64-v3
// (AVX2, FMA). laneTable() picks by the processor; results are equal bit for bit.
#pragma once

#include <fermata/stimuli/ptx/forms.h>
#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

enum class Compare : std::uint8_t {
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Equ,
  Neu,
  Ltu,
  Leu,
  Gtu,
  Geu,
  Num,
  Nan
};
/// Result of a comparison: predicates (setp), all ones (set to an integer), 1.0f (set to f32).
enum class CompareResult : std::uint8_t { Predicate, Mask, One };
/// Type of the third operand of slct; subnormals may be flushed.
enum class Selector : std::uint8_t { Integer, Float, FlushedFloat };
/// Combination of the comparison with the predicate operand.
enum class Combine : std::uint8_t { None, And, Or, Xor };

/// Rounding to an integer, of the same or another type.
enum class Rounding : std::uint8_t { None, Nearest, Zero, Down, Up };

/// Instruction::floatFlags of floating-point instructions and conversions.
inline constexpr std::uint8_t kFlushFlag = 1;
inline constexpr std::uint8_t kSaturateFlag = 2;

struct LaneTable {
  /// Return row k of the forms of integers and of floats, or nullptr behind the last.
  const Form* (*integerForm)(std::size_t k);
  const Form* (*floatForm)(std::size_t k);
  /// `flush` flushes subnormals of f32.
  Handler (*compare)(Compare compare, CompareResult result, Type type, bool flush);
  /// Conversions whose register widths equal their types' (8-bit types: sources only). `rounding`
  /// is the rounding to integer, for float to integer and float to float; int to float and f64 to
  /// f32 round to nearest. Instruction::floatFlags: kFlushFlag, and kSaturateFlag if the result is
  /// a float.
  Handler (*convert)(Type to, Type from, Rounding rounding, bool saturate);
  /// Loads and stores of Instruction::vector[0..elements). A load fills
  /// Instruction::registerBytes.
  Handler (*load)(MemorySpace space, Type type);
  Handler (*store)(MemorySpace space, Type type);
};
const LaneTable& laneTable();
/// Tables for tests: the portable one and the fast one. The latter is nullptr if this processor or
/// compiler has none.
const LaneTable& portableLaneTable();
const LaneTable* fastLaneTable();

}  // namespace fermata::ptx

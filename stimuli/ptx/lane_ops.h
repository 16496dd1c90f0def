// Arithmetic of lanes: returns, for an operation and a type, the handler that executes it on a
// whole warp.
//
// Handlers are compiled twice from lane_*.inl: for the baseline of the compiler and for x86-64-v3
// (AVX2, FMA). laneTable() picks by the processor; results are equal bit for bit.
#pragma once

#include <fermata/stimuli/ptx/forms.h>
#include <fermata/stimuli/ptx/half.h>
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
inline constexpr std::size_t kCompares = 14;
/// Returns whether the relation holds. Relations from Equ on are of floats. Inlined always: loops
/// over lanes call it with a constant.
template <class T>
[[gnu::always_inline]] constexpr bool related(Compare compare, T a, T b) {
  const bool unordered = a != a || b != b;
  switch (compare) {
    case Compare::Eq:
      return a == b;
    case Compare::Ne:
      return !unordered && a != b;
    case Compare::Lt:
      return a < b;
    case Compare::Le:
      return a <= b;
    case Compare::Gt:
      return a > b;
    case Compare::Ge:
      return a >= b;
    case Compare::Equ:
      return unordered || a == b;
    case Compare::Neu:
      return a != b;
    case Compare::Ltu:
      return !(a >= b);
    case Compare::Leu:
      return !(a > b);
    case Compare::Gtu:
      return !(a <= b);
    case Compare::Geu:
      return !(a < b);
    case Compare::Num:
      return !unordered;
    case Compare::Nan:
      return unordered;
  }
  return false;
}
/// Result of a comparison: predicates (setp), all ones (set to an integer), 1.0f (set to f32).
enum class CompareResult : std::uint8_t { Predicate, Mask, One };
/// Combination of the comparison with the predicate operand.
enum class Combine : std::uint8_t { None, And, Or, Xor };
/// Returns the result of a comparison combined with predicate `p`.
inline LaneMask combined(const Instruction& i, LaneMask result, LaneMask p) {
  switch (i.comparison.combine) {
    case Combine::And:
      return result & p;
    case Combine::Or:
      return result | p;
    case Combine::Xor:
      return result ^ p;
    case Combine::None:
      break;
  }
  return result;
}

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

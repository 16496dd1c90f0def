// Arithmetic of lanes: returns, for an operation and a type, the handler that executes it on a
// whole warp.
//
// Handlers are compiled twice from lane_*.inl: for the baseline of the compiler and for x86-64-v3
// (AVX2, FMA). laneTable() picks by the processor; results are equal bit for bit.
#pragma once

#include <fermata/stimuli/ptx/instruction.h>
#include <fermata/stimuli/ptx/types.h>

namespace fermata::ptx {

/// Integer operations d = op(a, b, c). Types that PTX does not allow give nullptr.
enum class IntegerOp : std::uint8_t {
  Add,
  Sub,
  MulLo,
  MulHi,
  MulWide,
  Div,
  Rem,
  Min,
  Max,
  MadLo,
  MadHi,
  MadWide,
  Sad,
  Abs,
  Neg,
  Mul24Lo,
  Mul24Hi,
  Mad24Lo,
  Mad24Hi,
  And,
  Or,
  Xor,
  Not,
  Cnot,
  Shl,
  Shr,
  Popc,
  Clz,
  Brev,
  Bfind,
  BfindShift,
  Bfe,
  Bfi,
  Prmt,
  PrmtF4e,
  PrmtB4e,
  PrmtRc8,
  PrmtEcl,
  PrmtEcr,
  PrmtRc16,
  Lop3,
  ShfLeftClamp,
  ShfLeftWrap,
  ShfRightClamp,
  ShfRightWrap,
  Dp4aUU,
  Dp4aUS,
  Dp4aSU,
  Dp4aSS,
  Move,
  Select,
  Slct,
};

/// Exact floating-point operations, round to nearest even.
enum class FloatOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Fma,
  Min,
  Max,
  MinNan,
  MaxNan,
  Neg,
  Abs,
  Sqrt,
  Rcp,
  CopySign,
};

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
/// Combination of the comparison with the predicate operand; in Instruction::mode.
enum class Combine : std::uint8_t { None, And, Or, Xor };

/// Rounding to an integer, of the same or another type.
enum class Rounding : std::uint8_t { None, Nearest, Zero, Down, Up };

/// Instruction::flags of conversions.
inline constexpr std::uint8_t kFlushFlag = 1;
inline constexpr std::uint8_t kSaturateFlag = 2;

struct LaneTable {
  Handler (*integer)(IntegerOp op, Type type);
  Handler (*floating)(FloatOp op, Type type, bool flush, bool saturate);
  /// `flush` flushes subnormals of f32.
  Handler (*compare)(Compare compare, CompareResult result, Type type, bool flush);
  /// Conversions whose register widths equal their types' (8-bit types: sources only). `rounding`
  /// is the rounding to integer, for float to integer and float to float; int to float and f64 to
  /// f32 round to nearest. Instruction::flags: kFlushFlag, and kSaturateFlag if the result is a
  /// float.
  Handler (*convert)(Type to, Type from, Rounding rounding, bool saturate);
  /// Loads and stores of Instruction::vector[0..elements). Instruction::mode of a load: bytes of
  /// the register.
  Handler (*load)(MemorySpace space, Type type);
  Handler (*store)(MemorySpace space, Type type);
};
const LaneTable& laneTable();
/// Tables for tests: the portable one and the fast one. The latter is nullptr if this processor or
/// compiler has none.
const LaneTable& portableLaneTable();
const LaneTable* fastLaneTable();

}  // namespace fermata::ptx

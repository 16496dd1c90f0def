// tcgen05.ld and tcgen05.st: move words between tensor memory and the registers of a warp, which
// reaches 32 lanes: those of its number modulo 4.
#include <cstring>

#include <fermata/stimuli/ptx/float_extremes.h>
#include <fermata/stimuli/ptx/matrix_ops.h>
#include <fermata/stimuli/ptx/tensor_decoding.h>
#include <fermata/stimuli/ptx/tensor_memory.h>

namespace fermata::ptx {
namespace {

enum class TensorShape : std::uint8_t { Lanes32, Lanes16x64, Lanes16x128, Lanes16x256, Lanes16x2 };
constexpr std::string_view kShapes[] = {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"};
constexpr unsigned kRegistersOfOne[] = {1, 1, 2, 4, 1};  // of .x1
constexpr unsigned kMostRegisters = 128;

/// Type of the least or greatest of a thread's registers (tcgen05.ld.red).
enum class TensorExtreme : std::uint8_t { None, F32, U32, S32 };

/// Place of a register of a thread, counted from the address. A column holds 32 bits, also where
/// columns are packed.
struct Cell {
  unsigned lane, column;
};
// Example: with .16x64b register 1 of thread 6 is lane 1, column 3.
Cell cellOf(TensorShape shape, unsigned reg, unsigned thread) {
  switch (shape) {
    case TensorShape::Lanes32:
      return {thread, reg};
    case TensorShape::Lanes16x64:
      return {thread / 4 + 8 * (thread % 2), 2 * reg + thread / 2 % 2};
    case TensorShape::Lanes16x128:
      return {thread / 4 + 8 * (reg % 2), 4 * (reg / 2) + thread % 4};
    case TensorShape::Lanes16x256:
      return {thread / 4 + 8 * (reg / 2 % 2), 8 * (reg / 4) + 2 * (thread % 4) + reg % 2};
    case TensorShape::Lanes16x2:
      return {thread % 16, reg};
  }
  return {};
}

/// Columns that the registers take, without packing and without the second half of .16x32bx2.
unsigned columnsOf(TensorShape shape, unsigned registers) {
  return shape == TensorShape::Lanes32 || shape == TensorShape::Lanes16x2 ? registers
                                                                          : 2 * registers;
}

/// Checks the address of an access; returns it.
TensorPlace placeOf(const Warp& warp, const Instruction& i) {
  const std::uint32_t* const addresses = rowOf<std::uint32_t>(warp, i.a);
  for (unsigned lane = 1; lane < kWarpLanes; ++lane) {
    if (addresses[lane] != addresses[0])
      failAt(warp, i, lane, "another address in tensor memory than lane 0 has; expected one");
  }
  TensorPlace place(addresses[0] + static_cast<std::uint32_t>(i.offset));
  place.lane %= TensorMemory::kLanes;  // published kernels number a pair's lanes through, to 255
  const unsigned first = warp.indexInCta % 4 * TensorMemory::kLanesOfWarp;
  const bool half = static_cast<TensorShape>(i.tensor.form) != TensorShape::Lanes32;
  if (place.lane == first || (half && place.lane == first + 16)) return place;
  failAt(warp, i, 0,
         "lane {} of tensor memory, of which warp {} reaches lanes {} to {}; expected its first{}",
         place.lane, warp.indexInCta, first, first + TensorMemory::kLanesOfWarp - 1,
         half ? " or the 16th behind it" : "");
}

/// Calls move(word, packed word or null, register's word) for each register of each thread.
template <class Move>
void eachWord(Warp& warp, const Instruction& i, Move move) {
  const auto shape = static_cast<TensorShape>(i.tensor.form);
  const TensorPlace place = placeOf(warp, i);
  const bool packs = i.tensor.packs;
  const unsigned width = columnsOf(shape, i.elements) * (packs ? 2 : 1);
  const unsigned split = shape == TensorShape::Lanes16x2 ? rowOf<std::uint32_t>(warp, i.b)[0] : 0;
  TensorMemory& memory = tensorColumns(warp, i, 0, place.column, width);
  if (split != 0) tensorColumns(warp, i, 0, place.column + split, width);
  const Row* const rows = &warp.machine->code->matrixRows[i.tensor.rows];
  for (unsigned reg = 0; reg < i.elements; ++reg) {
    std::uint32_t* const words = rowOf<std::uint32_t>(warp, rows[reg]);
    for (unsigned thread = 0; thread < kWarpLanes; ++thread) {
      const Cell cell = cellOf(shape, reg, thread);
      const unsigned column =
          place.column + cell.column * (packs ? 2 : 1) + (thread < 16 ? 0 : split);
      std::uint32_t* const word = memory.column(column) + place.lane + cell.lane;
      move(word, packs ? word + TensorMemory::kLanes : nullptr, words + thread);
    }
  }
}

void executeLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  eachWord(warp, i, [](const std::uint32_t* word, const std::uint32_t* next, std::uint32_t* value) {
    *value = next == nullptr ? *word : (*word & 0xffffU) | *next << 16;
  });
}

/// Returns the least or greatest of two words, as Instruction::floatFlags says.
std::uint32_t extremeWord(const Instruction& i, std::uint32_t a, std::uint32_t b) {
  const bool larger = (i.floatFlags & kLargerFlag) != 0;
  const bool isSigned = static_cast<TensorExtreme>(i.tensor.shift) == TensorExtreme::S32;
  const std::uint32_t flip = isSigned ? 0x80000000U : 0;
  return ((a ^ flip) < (b ^ flip)) != larger ? a : b;
}

// The row behind those of the registers gets the result.
void executeExtremeLoad(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  executeLoad(warp, i, mask);
  const bool floats = static_cast<TensorExtreme>(i.tensor.shift) == TensorExtreme::F32;
  const Row* const rows = &warp.machine->code->matrixRows[i.tensor.rows];
  for (unsigned thread = 0; thread < kWarpLanes; ++thread) {
    const auto word = [&](unsigned reg) { return rowOf<std::uint32_t>(warp, rows[reg])[thread]; };
    const auto number = [&](unsigned reg) { return preparedFloat(i.floatFlags, word(reg)); };
    std::uint32_t result = word(0);
    float value = number(0);
    for (unsigned reg = 1; reg < i.elements; ++reg) {
      if (floats) {
        value = extremeOf(i.floatFlags, value, number(reg));
      } else {
        result = extremeWord(i, result, word(reg));
      }
    }
    rowOf<std::uint32_t>(warp, rows[i.elements])[thread] = floats ? canonicalBits(value) : result;
  }
}

void executeStore(Warp& warp, const Instruction& i, LaneMask mask) {
  if (!isWholeWarp(warp, i, mask)) return;
  eachWord(warp, i, [](std::uint32_t* word, std::uint32_t* next, const std::uint32_t* value) {
    *word = next == nullptr ? *value : *value & 0xffffU;
    if (next != nullptr) *next = *value >> 16;
  });
}

/// Takes .min or .max with the type; leaves Instruction::floatFlags.
TensorExtreme takeTensorExtreme(Decoding& d) {
  const bool larger = d.take("max");
  if (!larger && !d.take("min")) d.unsupported("expected .min or .max");
  const bool magnitudes = d.take("abs"), nan = d.take("NaN");
  const Type type = d.takeType();
  const TensorExtreme taken = type == Type::F32   ? TensorExtreme::F32
                              : type == Type::U32 ? TensorExtreme::U32
                              : type == Type::S32 ? TensorExtreme::S32
                                                  : TensorExtreme::None;
  if (taken == TensorExtreme::None) d.unsupported("expected .f32, .u32 or .s32");
  if (taken != TensorExtreme::F32 && (magnitudes || nan))
    d.unsupported("'.abs' and '.NaN' are of .f32");
  d.i.floatFlags = static_cast<std::uint8_t>((larger ? kLargerFlag : 0U) |
                                             (magnitudes ? kAbsFlag : 0U) | (nan ? kNanFlag : 0U));
  return taken;
}

/// Takes SHAPE.NUM, what packs and the type; returns the registers. `reduces`: tcgen05.ld.red.
unsigned takeShape(Decoding& d, std::string_view packs, bool reduces) {
  std::size_t shape = 0;
  while (shape < std::size(kShapes) && !d.take(kShapes[shape])) ++shape;
  if (shape == std::size(kShapes))
    d.unsupported("expected .32x32b, .16x64b, .16x128b, .16x256b or .16x32bx2");
  const unsigned one = kRegistersOfOne[shape];
  unsigned registers = 0;
  for (unsigned times = 1; one * times <= kMostRegisters; times *= 2) {
    if (d.take(message("x{}", times))) registers = one * times;
  }
  if (registers == 0) d.unsupported("expected .x1 to .x{}", kMostRegisters / one);
  const auto taken = static_cast<TensorShape>(shape);
  if (reduces && taken != TensorShape::Lanes32 && taken != TensorShape::Lanes16x2)
    d.unsupported("expected .32x32b or .16x32bx2");
  if (reduces && registers == 1) d.unsupported("expected .x2 to .x128");
  d.i.tensor.form = static_cast<std::uint8_t>(shape);
  if (reduces) {
    d.i.tensor.shift = static_cast<std::uint8_t>(takeTensorExtreme(d));
  } else {
    d.i.tensor.packs = d.take(packs);
    if (d.takeType() != Type::B32) d.unsupported("expected .b32");
  }
  d.finishModifiers();
  return registers;
}

// The scoreboard knows a token for the access: registers are there behind tcgen05.wait.
void decodeAccess(Decoding& d, bool isLoad) {
  takeAligned(d);
  const bool reduces = isLoad && d.take("red");
  const unsigned registers = takeShape(d, isLoad ? "pack::16b" : "unpack::16b", reduces);
  const TensorOperands taken = d.i.tensor;
  const bool splits = taken.form == static_cast<std::uint8_t>(TensorShape::Lanes16x2);
  d.expectOperands((splits ? 3 : 2) + (reduces ? 1 : 0));
  const std::size_t data = isLoad ? 0 : d.operandCount() - 1;
  const std::size_t at = reduces ? 2 : isLoad ? 1 : 0;
  if (splits) {
    const std::size_t offset = at + 1;
    d.immediate(d.operand(offset), TensorMemory::kColumns, "the distance of the second half");
    d.i.b = d.source(offset, Type::U32);
  }
  takeTensorAddress(d, at);
  d.i.tensor = taken;
  std::vector<Row>& rows = d.builder().code().matrixRows;
  d.i.tensor.rows = static_cast<std::uint32_t>(rows.size());
  for (const Operand* const one : fragment(d, d.operand(data), registers)) {
    const bool tracked = isLoad || one->kind == Operand::Kind::Register;
    rows.push_back(tracked ? d.accumulator(*one, Type::B32) : d.source(*one, Type::B32));
  }
  if (reduces) rows.push_back(d.accumulator(d.operand(1), Type::B32));
  d.i.elements = static_cast<std::uint8_t>(registers);
  d.i.operation = isLoad ? MemoryOperation::Load : MemoryOperation::Store;
  d.i.handler = reduces ? &executeExtremeLoad : isLoad ? &executeLoad : &executeStore;
  d.writes(d.builder().nextTensorToken(d.statement().at));
  emitTensorAccess(d, registers);
}

}  // namespace

void decodeTensorLoad(Decoding& d) {
  decodeAccess(d, true);
}
void decodeTensorStore(Decoding& d) {
  decodeAccess(d, false);
}

}  // namespace fermata::ptx

// cvt.pack: two integers, clamped to 2 to 16 bits each, above or in place of the bits of a third.
#include <algorithm>
#include <array>

#include <fermata/stimuli/ptx/decoders.h>
#include <fermata/stimuli/ptx/handlers.h>
#include <fermata/stimuli/ptx/warp.h>

namespace fermata::ptx {
namespace {

// Instruction::elements: bits of a part; signExtend: the parts are signed. The lowest part is b,
// the next a; the bits of c follow.
void executePackIntegers(Warp& warp, const Instruction& i, LaneMask mask) {
  const unsigned bits = i.elements;
  const std::int32_t low = i.signExtend ? -(1 << (bits - 1)) : 0;
  const std::int32_t high = (1 << (bits - (i.signExtend ? 1 : 0))) - 1;
  const std::uint32_t part = (1U << bits) - 1;
  const auto clamped = [&](Row row, unsigned lane) {
    const std::int32_t value = std::clamp(rowOf<std::int32_t>(warp, row)[lane], low, high);
    return static_cast<std::uint32_t>(value) & part;
  };
  for (const unsigned lane : lanesIn(mask)) {
    const std::uint32_t both = clamped(i.a, lane) << bits | clamped(i.b, lane);
    const std::uint32_t above = bits == 16 ? 0 : rowOf<std::uint32_t>(warp, i.c)[lane] << 2 * bits;
    rowOf<std::uint32_t>(warp, i.d)[lane] = above | both;
  }
}

struct PackedType {
  std::string_view name;
  std::uint8_t bits;
  bool isSigned;
};
constexpr std::array<PackedType, 8> kPacked = {{{"u2", 2, false},
                                                {"s2", 2, true},
                                                {"u4", 4, false},
                                                {"s4", 4, true},
                                                {"u8", 8, false},
                                                {"s8", 8, true},
                                                {"u16", 16, false},
                                                {"s16", 16, true}}};

}  // namespace

void decodePackIntegers(Decoding& d) {
  if (!d.take("pack") || !d.take("sat")) d.unsupported("expected .pack.sat");
  const auto* const type = std::find_if(kPacked.begin(), kPacked.end(),
                                        [&](const PackedType& one) { return d.take(one.name); });
  if (type == kPacked.end()) d.unsupported("expected a type such as .s8");
  if (d.takeType() != Type::S32) d.unsupported("expected .s32");
  const bool merges = type->bits < 16;
  if (merges && d.takeType() != Type::B32) d.unsupported("expected .b32");
  d.finishModifiers();
  d.i.elements = type->bits;
  d.i.signExtend = type->isSigned;
  d.i.handler = &executePackIntegers;
  if (merges) {
    d.takeOperands({Type::B32, Type::S32, Type::S32, Type::B32});
  } else {
    d.takeOperands({Type::B32, Type::S32, Type::S32});
  }
  d.emit(InstructionClass::Integer);
}

}  // namespace fermata::ptx

// Kinds of instructions by the units that they need.
#pragma once

#include <fermata/models/vocabulary/warp_instruction.h>

#include <array>
#include <cstdint>

namespace fermata {

/// A kind of instructions, which need the same units. GroupProduct: products of warp groups, which
/// wait for their unit behind the issue. Constant: constant and parameter space. Generic: the path
/// is known only from the execution.
enum class IssueKind : std::uint8_t {
  Alu,
  Integer,
  Special,
  Double,
  Tensor,
  GroupProduct,
  Constant,
  Shared,
  Global,
  Generic
};
inline constexpr unsigned kIssueKinds = 10;

// Tables at namespace scope: within issueKind(), called several times per access, they would be
// built at each call.
/// Kind by InstructionClass; the kind of Memory depends on its space.
inline constexpr std::array<IssueKind, kInstructionClasses> kKindOfClass{
    IssueKind::Integer, IssueKind::Alu,     IssueKind::Special, IssueKind::Double,
    IssueKind::Alu,     IssueKind::Alu,     IssueKind::Generic, IssueKind::Alu,
    IssueKind::Tensor,  IssueKind::Integer, IssueKind::Alu};
static_assert(static_cast<unsigned>(InstructionClass::Multiply) + 1 == kInstructionClasses);
/// Kind of a memory instruction, by MemorySpace.
inline constexpr std::array<IssueKind, 8> kKindOfSpace{
    IssueKind::Global,   IssueKind::Shared,   IssueKind::Global, IssueKind::Global,
    IssueKind::Constant, IssueKind::Constant, IssueKind::Global, IssueKind::Generic};
static_assert(static_cast<unsigned>(MemorySpace::Generic) + 1 == kKindOfSpace.size());

constexpr IssueKind issueKind(InstructionClass c, MemorySpace space) {
  return c == InstructionClass::Memory ? kKindOfSpace[static_cast<unsigned>(space)]
                                       : kKindOfClass[static_cast<unsigned>(c)];
}
inline IssueKind issueKind(const StaticInstruction& instruction) {
  return issueKind(instruction.instructionClass, instruction.space);
}
constexpr bool isMemory(IssueKind kind) {
  return kind >= IssueKind::Constant;
}
constexpr bool isArithmetic(IssueKind kind) {
  return kind <= IssueKind::Double;
}
inline constexpr unsigned kArithmeticKinds = static_cast<unsigned>(IssueKind::Double) + 1;

/// Places before and behind collectors that all kinds share: one for each kind of arithmetic, and
/// one for memory instructions, those of constants, too. kNoPlace: of tensor units.
inline constexpr unsigned kMemoryPlace = kArithmeticKinds;
inline constexpr unsigned kPlaces = kMemoryPlace + 1;
inline constexpr unsigned kNoPlace = kPlaces;
constexpr unsigned placeOf(IssueKind kind) {
  if (isArithmetic(kind)) return static_cast<unsigned>(kind);
  return isMemory(kind) ? kMemoryPlace : kNoPlace;
}

/// Sets of kinds, one bit per IssueKind.
inline constexpr unsigned kAllKinds = (1U << kIssueKinds) - 1;
inline constexpr unsigned kMemoryKinds =
    kAllKinds & ~((1U << static_cast<unsigned>(IssueKind::Constant)) - 1);

/// Kinds of accesses to memory, one bit per IssueKind.
inline constexpr unsigned kAccessKinds =
    kMemoryKinds & ~(1U << static_cast<unsigned>(IssueKind::Constant));

}  // namespace fermata

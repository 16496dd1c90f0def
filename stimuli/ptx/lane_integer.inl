// Turns operations on one lane into rows of the table of regular instructions, before the
// operations themselves (lane_integer_ops.inl).

namespace fermata::ptx::FERMATA_LANES {
namespace {

template <class T>
using U = std::make_unsigned_t<T>;
template <class T>
inline constexpr unsigned kBits = 8 * sizeof(T);
__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;
/// Type of twice the width.
template <class T>
using W = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 2, std::int32_t,
                       std::conditional_t<sizeof(T) == 4, std::int64_t, Signed128>>,
    std::conditional_t<sizeof(T) == 2, std::uint32_t,
                       std::conditional_t<sizeof(T) == 4, std::uint64_t, Unsigned128>>>;

// Operands of a form: their kind, and the type of a lane's value if the instruction's is T.
struct Same {
  static constexpr OperandKind kKind = OperandKind::Same;
  template <class T>
  using Value = T;
};
struct Twice {
  static constexpr OperandKind kKind = OperandKind::Twice;
  template <class T>
  using Value = W<T>;
};
struct U32 {
  static constexpr OperandKind kKind = OperandKind::U32;
  template <class T>
  using Value = std::uint32_t;
};
/// A register of 32 bits, read by the instruction's type.
struct B32 {
  static constexpr OperandKind kKind = OperandKind::B32;
  template <class T>
  using Value = T;
};
/// A word or an f32 that an instruction of another type reads besides.
template <OperandKind Kind, class Type>
struct Fixed {
  static constexpr OperandKind kKind = Kind;
  template <class T>
  using Value = Type;
};
using S32 = Fixed<OperandKind::S32, std::int32_t>;
using F32 = Fixed<OperandKind::F32, float>;

constexpr TypeSet kBitTypes = setOf(Type::B16, Type::B32, Type::B64);
constexpr TypeSet kWords = setOf(Type::U32, Type::S32);
constexpr TypeSet kSigned = setOf(Type::S16, Type::S32, Type::S64);
constexpr TypeSet kIntegers = kSigned | setOf(Type::U16, Type::U32, Type::U64);
constexpr TypeSet kNumbers = kBitTypes | kIntegers | setOf(Type::F32, Type::F64);
constexpr TypeSet kHalves = setOf(Type::F16, Type::Bf16, Type::F16x2, Type::Bf16x2);
constexpr TypeSet kPredicates = setOf(Type::Pred);

/// Loop over the lanes that sets R to the operation of the sources S.
template <class Op, class R, class... S>
struct Each {
  static constexpr OperandKinds kOperands = {R::kKind, S::kKind...};
  template <class T>
  static void run(Warp& w, const Instruction& i, LaneMask m) {
    map<typename R::template Value<T>, typename S::template Value<T>...>(w, i, m,
                                                                         operationOf<Op>());
  }
  /// Computes on predicates: on the bits of all lanes at once.
  static void runOnPredicates(Warp& w, const Instruction& i, LaneMask m) {
    const LaneMask p = predicateValue(w, i.p);
    if constexpr (sizeof...(S) == 1) {
      writePredicate(w, i.pd, operationOf<Op>()(p), m);
    } else {
      writePredicate(w, i.pd, operationOf<Op>()(p, predicateValue(w, i.q)), m);
    }
  }
};

/// Returns the loop for values of type T, if `Used`, the types of T that the form has, is not
/// empty.
template <class Loop, TypeSet Used, class T>
constexpr Handler loopFor() {
  if constexpr (Used != 0) return &Loop::template run<T>;
  return nullptr;
}
template <class Loop, TypeSet Types>
Handler handlerFor(Type type, std::uint8_t flags) {
  if (!contains(Types, type) || flags != 0) return nullptr;
  if constexpr ((Types & kPredicates) != 0) {
    if (type == Type::Pred) return &Loop::runOnPredicates;
  }
  constexpr TypeSet kFloats = kHalves | setOf(Type::F32, Type::F64);
  constexpr TypeSet kUnsigned = Types & ~kSigned & ~kPredicates;
  constexpr TypeSet kTwo = setOf(Type::B16, Type::U16, Type::F16, Type::Bf16);
  constexpr TypeSet kEight = setOf(Type::B64, Type::U64, Type::F64);
  const bool isSigned = contains(kSigned, type) && (Types & kFloats) == 0;
  switch (bytesOf(type)) {
    case 2:
      return isSigned ? loopFor<Loop, Types & setOf(Type::S16), std::int16_t>()
                      : loopFor<Loop, kUnsigned & kTwo, std::uint16_t>();
    case 4:
      return isSigned ? loopFor<Loop, Types & setOf(Type::S32), std::int32_t>()
                      : loopFor<Loop, kUnsigned & ~kTwo & ~kEight, std::uint32_t>();
    default:
      return isSigned ? loopFor<Loop, Types & setOf(Type::S64), std::int64_t>()
                      : loopFor<Loop, kUnsigned & kEight, std::uint64_t>();
  }
}

/// A row of the table: types, result and sources, then opcode and operation.
template <TypeSet Types, class R, class... S, class Op>
constexpr Form row(std::string_view opcode, Op,
                   InstructionClass instructionClass = InstructionClass::Integer) {
  using Loop = Each<Op, R, S...>;
  return {opcode, Loop::kOperands, &handlerFor<Loop, Types>, instructionClass};
}
template <TypeSet Types, class Op>
constexpr Form unary(std::string_view opcode, Op op) {
  return row<Types, Same, Same>(opcode, op);
}
template <TypeSet Types, class Op>
constexpr Form binary(std::string_view opcode, Op op,
                      InstructionClass instructionClass = InstructionClass::Integer) {
  return row<Types, Same, Same, Same>(opcode, op, instructionClass);
}
template <TypeSet Types, class Op>
constexpr Form ternary(std::string_view opcode, Op op) {
  return row<Types, Same, Same, Same, Same>(opcode, op);
}

}  // namespace
}  // namespace fermata::ptx::FERMATA_LANES

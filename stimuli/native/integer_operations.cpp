// Integers, bits, moves and logic of predicates.
#include <fermata/stimuli/native/operations.h>

#include <algorithm>

namespace fermata::native {
namespace {

using ptx::contains;
using ptx::Instruction;
using ptx::setOf;
using ptx::Type;
using ptx::TypeSet;

constexpr TypeSet kWords = setOf(Type::U32, Type::S32);
constexpr TypeSet kLong = setOf(Type::U64, Type::S64);
constexpr TypeSet kShort = setOf(Type::U16, Type::S16);
constexpr TypeSet kIntegers = kWords | kLong | kShort;
constexpr TypeSet kBits = setOf(Type::B16, Type::B32, Type::B64);
constexpr TypeSet kNumbers = kIntegers | kBits | setOf(Type::F32, Type::F64);
constexpr TypeSet kBitWords = setOf(Type::B32, Type::B64);

/// Type of the bits of a type.
Type plain(Type type) {
  return ptx::bytesOf(type) == 8 ? Type::B64 : ptx::bytesOf(type) == 4 ? Type::B32 : Type::B16;
}
unsigned bitsOf(Type type) {
  return 8 * ptx::bytesOf(type);
}
Type twice(Type type) {
  return static_cast<Type>(static_cast<unsigned>(type) + 1);
}

std::string zero(LaneCode& c, Type type) {
  return c.splat(bitsOf(type), 0);
}

std::string negated(LaneCode& c, Type type, const std::string& a) {
  return c.op("sub", vectorOf(type), zero(c, type), a);
}
std::string relation(LaneCode& c, Type type, const char* ofSigned, const char* ofUnsigned,
                     const std::string& a, const std::string& b) {
  return c.compare(ptx::isSigned(type) ? ofSigned : ofUnsigned, vectorOf(type), a, b);
}

template <const char* const& Name>
void writeBinary(LaneCode& c, const Instruction& i, const Known& k) {
  c.set(i.d, k.type, c.op(Name, vectorOf(k.type), c.value(i.a, k.type), c.value(i.b, k.type)));
}
constexpr const char* kAdd = "add";
constexpr const char* kSub = "sub";
constexpr const char* kMul = "mul";

template <const char* const& Name>
void writeLogic(LaneCode& c, const Instruction& i, const Known& k) {
  if (k.type == Type::Pred)
    return c.setPredicate(i.pd, c.def("{} i32 {}, {}", Name, c.predicate(i.p), c.predicate(i.q)));
  writeBinary<Name>(c, i, k);
}
constexpr const char* kAnd = "and";
constexpr const char* kOr = "or";
constexpr const char* kXor = "xor";

void writeNot(LaneCode& c, const Instruction& i, const Known& k) {
  if (k.type == Type::Pred) return c.setPredicate(i.pd, c.def("xor i32 {}, -1", c.predicate(i.p)));
  c.set(i.d, k.type,
        c.op("xor", vectorOf(k.type), c.value(i.a, k.type), c.splat(bitsOf(k.type), ~0ULL)));
}
void writeMove(LaneCode& c, const Instruction& i, const Known& k) {
  if (k.type == Type::Pred) return c.setPredicate(i.pd, c.predicate(i.p));
  const Type type = plain(k.type);
  c.set(i.d, type, c.value(i.a, type));
}
void writeSelect(LaneCode& c, const Instruction& i, const Known& k) {
  const Type type = plain(k.type);
  const std::string p = c.def("bitcast i32 {} to <32 x i1>", c.predicate(i.p));
  c.set(i.d, type, c.select(p, vectorOf(type), c.value(i.a, type), c.value(i.b, type)));
}
void writeNegate(LaneCode& c, const Instruction& i, const Known& k) {
  c.set(i.d, k.type, negated(c, k.type, c.value(i.a, k.type)));
}
void writeMagnitude(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string a = c.value(i.a, k.type), minus = negated(c, k.type, a);
  const std::string below = c.compare("slt", vectorOf(k.type), a, zero(c, k.type));
  c.set(i.d, k.type, c.select(below, vectorOf(k.type), minus, a));
}
template <bool Least>
void writeExtreme(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string a = c.value(i.a, k.type), b = c.value(i.b, k.type);
  const std::string first =
      Least ? relation(c, k.type, "slt", "ult", a, b) : relation(c, k.type, "sgt", "ugt", a, b);
  c.set(i.d, k.type, c.select(first, vectorOf(k.type), a, b));
}
std::string product(LaneCode& c, const Instruction& i, Type type) {
  return c.op("mul", vectorOf(type), c.value(i.a, type), c.value(i.b, type));
}
void writeMultiplyAdd(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string p = product(c, i, k.type);
  c.set(i.d, k.type, c.op("add", vectorOf(k.type), p, c.value(i.c, k.type)));
}
/// Returns the product in twice the width.
std::string wideProduct(LaneCode& c, const Instruction& i, Type type) {
  const char* const widen = ptx::isSigned(type) ? "sext" : "zext";
  const std::string wide = vectorOf(twice(type));
  const std::string a = c.cast(widen, c.value(i.a, type), vectorOf(type), wide);
  return c.op("mul", wide, a, c.cast(widen, c.value(i.b, type), vectorOf(type), wide));
}
void writeWideProduct(LaneCode& c, const Instruction& i, const Known& k) {
  c.set(i.d, twice(k.type), wideProduct(c, i, k.type));
}
void writeWideMultiplyAdd(LaneCode& c, const Instruction& i, const Known& k) {
  const Type wide = twice(k.type);
  const std::string p = wideProduct(c, i, k.type);
  c.set(i.d, wide, c.op("add", vectorOf(wide), p, c.value(i.c, wide)));
}
std::string highProduct(LaneCode& c, const Instruction& i, Type type) {
  const std::string wide = vectorOf(twice(type));
  const std::string high =
      c.op("lshr", wide, wideProduct(c, i, type), c.splat(bitsOf(twice(type)), bitsOf(type)));
  return c.cast("trunc", high, wide, vectorOf(type));
}
void writeHighProduct(LaneCode& c, const Instruction& i, const Known& k) {
  c.set(i.d, k.type, highProduct(c, i, k.type));
}
void writeHighMultiplyAdd(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string p = highProduct(c, i, k.type);
  c.set(i.d, k.type, c.op("add", vectorOf(k.type), p, c.value(i.c, k.type)));
}

/// Shifts by a number of 32 bits. Bits beyond the width shift everything out.
template <bool Left>
void writeShift(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string vector = vectorOf(k.type);
  const unsigned bits = bitsOf(k.type);
  const std::string a = c.value(i.a, k.type), n = c.word(i.b, false);
  const bool copiesSign = !Left && ptx::isSigned(k.type);
  const std::string most = c.splat(32, copiesSign ? bits - 1 : bits);
  const std::string fits = c.compare("ult", "<32 x i32>", n, most);
  const std::string safe = c.select(fits, "<32 x i32>", n, c.splat(32, copiesSign ? bits - 1 : 0));
  const std::string by =
      bits == 32 ? safe : c.cast(bits == 64 ? "zext" : "trunc", safe, "<32 x i32>", vector);
  const std::string shifted = c.op(Left ? "shl" : copiesSign ? "ashr" : "lshr", vector, a, by);
  c.set(i.d, k.type, copiesSign ? shifted : c.select(fits, vector, shifted, zero(c, k.type)));
}

template <const char* const& Name>
void writeCount(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string vector = vectorOf(k.type), a = c.value(i.a, k.type);
  const std::string name = fmt::format("llvm.{}.v32i{}", Name, bitsOf(k.type));
  const bool zeroes = std::string_view(Name) == "ctlz";
  std::string n = zeroes ? c.call(vector, name, {{vector, a}, {"i1", "false"}})
                         : c.call(vector, name, {{vector, a}});
  if (std::string_view(Name) == "bitreverse") return c.set(i.d, k.type, n);
  if (bitsOf(k.type) == 64) n = c.cast("trunc", n, vector, "<32 x i32>");
  c.setWord(i.d, false, n);
}
constexpr const char* kPopulation = "ctpop";
constexpr const char* kLeading = "ctlz";
constexpr const char* kReverse = "bitreverse";

/// shf: both words side by side, shifted.
template <bool Left, bool Wraps>
void writeFunnel(LaneCode& c, const Instruction& i, const Known&) {
  const std::string vector = "<32 x i32>";
  const std::string a = c.word(i.a, false), b = c.word(i.b, false), n = c.word(i.c, false);
  const char* const name = Left ? "llvm.fshl.v32i32" : "llvm.fshr.v32i32";  // take n modulo 32
  const std::string shifted = c.call(vector, name, {{vector, b}, {vector, a}, {vector, n}});
  if (Wraps) return c.setWord(i.d, false, shifted);
  const std::string fits = c.compare("ult", vector, n, c.splat(32, 32));
  c.setWord(i.d, false, c.select(fits, vector, shifted, Left ? a : b));
}

/// lop3: the terms of the table that hold.
void writeTable(LaneCode& c, const Instruction& i, const Known&) {
  const std::string vector = "<32 x i32>", ones = c.splat(32, ~0ULL);
  const std::string is[] = {c.word(i.a, false), c.word(i.b, false), c.word(i.c, false)};
  std::string isNot[3], all;
  for (unsigned k = 0; k < 3; ++k) isNot[k] = c.op("xor", vector, is[k], ones);
  for (unsigned term = 0; term < 8; ++term) {
    if ((static_cast<std::uint64_t>(i.offset) >> term & 1U) == 0) continue;
    const std::string first = c.op("and", vector, (term & 4U) != 0 ? is[0] : isNot[0],
                                   (term & 2U) != 0 ? is[1] : isNot[1]);
    const std::string holds = c.op("and", vector, first, (term & 1U) != 0 ? is[2] : isNot[2]);
    all = all.empty() ? holds : c.op("or", vector, all, holds);
  }
  c.setWord(i.d, false, all.empty() ? c.splat(32, 0) : all);
}

/// Division as PTX leaves it open: executor.h. The divisors 0 and -1 are replaced.
template <bool Remainder>
void writeDivision(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string vector = vectorOf(k.type);
  const bool isSigned = ptx::isSigned(k.type);
  const std::string a = c.value(i.a, k.type), b = c.value(i.b, k.type), none = zero(c, k.type);
  const std::string byZero = c.compare("eq", vector, b, none);
  const std::string ones = c.splat(bitsOf(k.type), ~0ULL), one = c.splat(bitsOf(k.type), 1);
  std::string safe = c.select(byZero, vector, one, b), byMinus;
  if (isSigned) {
    byMinus = c.compare("eq", vector, b, ones);
    safe = c.select(byMinus, vector, one, safe);
  }
  const char* const name = Remainder ? (isSigned ? "srem" : "urem") : (isSigned ? "sdiv" : "udiv");
  std::string result = c.op(name, vector, a, safe);
  if (isSigned)
    result = c.select(byMinus, vector, Remainder ? none : negated(c, k.type, a), result);
  c.set(i.d, k.type, c.select(byZero, vector, Remainder ? a : ones, result));
}

/// Returns a known operand of a field: its low byte.
unsigned byteOf(const ptx::ConstantRow& row) {
  return static_cast<unsigned>(row.value & 0xffU);
}

/// bfe of words whose field is known: shifted to the top, then down.
void writeField(LaneCode& c, const Instruction& i, const Known& k) {
  const ptx::ConstantRow *const at = c.constantOf(i.b), *const length = c.constantOf(i.c);
  if (at == nullptr || length == nullptr || byteOf(*at) > 31 || byteOf(*length) == 0)
    return c.leaveToExecutor();
  const unsigned end = std::min(byteOf(*at) + byteOf(*length), 32U), above = 32 - end;
  const std::string up = c.op("shl", "<32 x i32>", c.word(i.a, false), c.splat(32, above));
  c.setWord(i.d, false,
            c.op(ptx::isSigned(k.type) ? "ashr" : "lshr", "<32 x i32>", up,
                 c.splat(32, above + byteOf(*at))));
}

/// bfi of words whose field is known.
void writeInsertion(LaneCode& c, const Instruction& i, const Known&) {
  const ptx::ConstantRow *const at = c.constantOf(i.c), *const length = c.constantOf(i.vector[0]);
  if (at == nullptr || length == nullptr || byteOf(*at) > 31 || byteOf(*length) == 0)
    return c.leaveToExecutor();
  const std::uint64_t ones = (std::uint64_t{1} << std::min(byteOf(*length), 32U)) - 1;
  const auto field = static_cast<std::uint32_t>(ones << byteOf(*at));
  const std::string vector = "<32 x i32>";
  const auto masked = [&](const std::string& value, std::uint32_t mask) {
    return c.op("and", vector, value,
                c.splat(32, static_cast<std::uint64_t>(static_cast<std::int32_t>(mask))));
  };
  const std::string moved = c.op("shl", vector, c.word(i.a, false), c.splat(32, byteOf(*at)));
  c.setWord(i.d, false,
            c.op("or", vector, masked(c.word(i.b, false), ~field), masked(moved, field)));
}

/// prmt whose selectors are known and copy no sign.
void writePermutation(LaneCode& c, const Instruction& i, const Known&) {
  const ptx::ConstantRow* const row = c.constantOf(i.c);
  if (row == nullptr || (row->value & 0x8888U) != 0) return c.leaveToExecutor();
  const std::string vector = "<32 x i32>";
  std::string all;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const auto from = static_cast<unsigned>(row->value >> (4 * byte) & 7U);
    const std::string source = c.word(from < 4 ? i.a : i.b, false);
    const std::string down = c.op("lshr", vector, source, c.splat(32, from % 4 * 8));
    const std::string one = c.op("and", vector, down, c.splat(32, 0xff));
    const std::string up = c.op("shl", vector, one, c.splat(32, byte * 8));
    all = all.empty() ? up : c.op("or", vector, all, up);
  }
  c.setWord(i.d, false, all);
}

}  // namespace

const std::vector<KnownForm>& integerForms() {
  static const std::vector<KnownForm> kForms = {
      {"add", kIntegers, &writeBinary<kAdd>},
      {"sub", kIntegers, &writeBinary<kSub>},
      {"mul.lo", kIntegers, &writeBinary<kMul>},
      {"mul.wide", kWords | kShort, &writeWideProduct},
      {"mul.hi", kWords | kShort, &writeHighProduct},
      {"mad.lo", kIntegers, &writeMultiplyAdd},
      {"mad.hi", kWords | kShort, &writeHighMultiplyAdd},
      {"mad.wide", kWords | kShort, &writeWideMultiplyAdd},
      {"div", kWords | kLong, &writeDivision<false>},
      {"rem", kWords | kLong, &writeDivision<true>},
      {"min", kIntegers, &writeExtreme<true>},
      {"max", kIntegers, &writeExtreme<false>},
      {"neg", setOf(Type::S16, Type::S32, Type::S64), &writeNegate},
      {"abs", setOf(Type::S16, Type::S32, Type::S64), &writeMagnitude},
      {"and", kBits | setOf(Type::Pred), &writeLogic<kAnd>},
      {"or", kBits | setOf(Type::Pred), &writeLogic<kOr>},
      {"xor", kBits | setOf(Type::Pred), &writeLogic<kXor>},
      {"not", kBits | setOf(Type::Pred), &writeNot},
      {"shl", kBits, &writeShift<true>},
      {"shr", kBits | kIntegers, &writeShift<false>},
      {"mov", kNumbers | setOf(Type::Pred), &writeMove},
      {"selp", kNumbers, &writeSelect},
      {"popc", kBitWords, &writeCount<kPopulation>},
      {"clz", kBitWords, &writeCount<kLeading>},
      {"brev", kBitWords, &writeCount<kReverse>},
      {"bfe", kWords, &writeField},
      {"bfi", setOf(Type::B32), &writeInsertion},
      {"prmt", setOf(Type::B32), &writePermutation},
      {"lop3", setOf(Type::B32), &writeTable},
      {"shf.l.clamp", setOf(Type::B32), &writeFunnel<true, false>},
      {"shf.l.wrap", setOf(Type::B32), &writeFunnel<true, true>},
      {"shf.r.clamp", setOf(Type::B32), &writeFunnel<false, false>},
      {"shf.r.wrap", setOf(Type::B32), &writeFunnel<false, true>},
  };
  return kForms;
}

}  // namespace fermata::native

// Floats rounded to nearest, and those .approx functions that need no library.
#include <fermata/stimuli/native/operations.h>

namespace fermata::native {
namespace {

using ptx::Instruction;
using ptx::kFlushFlag;
using ptx::kSaturateFlag;
using ptx::setOf;
using ptx::Type;

constexpr ptx::TypeSet kF32 = setOf(Type::F32);
constexpr ptx::TypeSet kFloats = kF32 | setOf(Type::F64);
constexpr const char* kSingles = "<32 x float>";
constexpr const char* kDoubles = "<32 x double>";
constexpr const char* kWords = "<32 x i32>";

std::string singleBits(LaneCode& c, const std::string& value) {
  return c.cast("bitcast", value, kSingles, kWords);
}
std::string single(LaneCode& c, const std::string& bits) {
  return c.cast("bitcast", bits, kWords, kSingles);
}

bool flushes(const Known& k) {
  return k.type == Type::F32 && (k.flags & kFlushFlag) != 0;
}
std::string source(LaneCode& c, ptx::Row row, const Known& k) {
  const std::string value = c.value(row, k.type);
  return flushes(k) ? flushed(c, value) : value;
}

/// Sets d to a rounded result: flushed, saturated, and with PTX's pattern where it is not a number.
/// Hardware decides which pattern an f64 has, so the executor makes those results.
void finish(LaneCode& c, const Instruction& i, const Known& k, std::string value) {
  if (k.type == Type::F64) return c.setUnlessNan(i, value);
  if (flushes(k)) value = flushed(c, value);
  if ((k.flags & kSaturateFlag) != 0) value = saturated(c, value);
  c.set(i.d, Type::F32, canonical(c, value));
}

template <const char* const& Name>
void writeBinary(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string a = source(c, i.a, k), b = source(c, i.b, k);
  finish(c, i, k, c.op(Name, vectorOf(k.type), a, b));
}
constexpr const char* kAdd = "fadd";
constexpr const char* kSub = "fsub";
constexpr const char* kMul = "fmul";
constexpr const char* kDiv = "fdiv";

std::string suffix(Type type) {
  return type == Type::F32 ? "v32f32" : "v32f64";
}

void writeFused(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string vector = vectorOf(k.type);
  const std::string a = source(c, i.a, k), b = source(c, i.b, k), s = source(c, i.c, k);
  finish(c, i, k,
         c.call(vector, "llvm.fma." + suffix(k.type), {{vector, a}, {vector, b}, {vector, s}}));
}
void writeRoot(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string vector = vectorOf(k.type), a = source(c, i.a, k);
  finish(c, i, k, c.call(vector, "llvm.sqrt." + suffix(k.type), {{vector, a}}));
}
void writeReciprocal(LaneCode& c, const Instruction& i, const Known& k) {
  finish(c, i, k, c.op("fdiv", vectorOf(k.type), one(c, k.type), source(c, i.a, k)));
}

/// A number wins over one that is none; -0 is less than +0.
template <bool Least>
void writeExtreme(LaneCode& c, const Instruction& i, const Known& k) {
  const std::string vector = vectorOf(k.type), bits = vectorOfBits(8 * ptx::bytesOf(k.type));
  const std::string a = source(c, i.a, k), b = source(c, i.b, k);
  std::string value =
      c.select(c.compare("olt", vector, a, b), vector, Least ? a : b, Least ? b : a);
  const std::string both = c.op(Least ? "or" : "and", bits, c.cast("bitcast", a, vector, bits),
                                c.cast("bitcast", b, vector, bits));
  value = c.select(c.compare("oeq", vector, a, b), vector, c.cast("bitcast", both, bits, vector),
                   value);
  value = c.select(c.compare("uno", vector, b, b), vector, a, value);
  value = c.select(c.compare("uno", vector, a, a), vector, b, value);
  if (k.type == Type::F64) return c.set(i.d, k.type, value);
  finish(c, i, k, value);
}

template <const char* const& Name>
void writeSign(LaneCode& c, const Instruction& i, const Known& k) {
  const bool wide = k.type == Type::F64, magnitude = std::string_view(Name) == "and";
  const unsigned bits = wide ? 64 : 32;
  std::string a = c.word(i.a, wide);
  if (flushes(k)) a = singleBits(c, flushed(c, single(c, a)));
  const std::uint64_t sign = wide ? std::uint64_t{1} << 63 : std::uint64_t{0xffffffff80000000};
  c.setWord(i.d, wide, c.op(Name, vectorOfBits(bits), a, c.splat(bits, magnitude ? ~sign : sign)));
}
constexpr const char* kAnd = "and";
constexpr const char* kXor = "xor";

// .approx: in double, rounded once.
std::string wideSource(LaneCode& c, ptx::Row row, bool flush) {
  const std::string value = c.value(row, Type::F32);
  return c.cast("fpext", flush ? flushed(c, value) : value, kSingles, kDoubles);
}
bool flushesOf(const Instruction& i) {
  return (i.floatFlags & kFlushFlag) != 0;
}
void finishWide(LaneCode& c, const Instruction& i, const std::string& value) {
  const std::string rounded = c.cast("fptrunc", value, kDoubles, kSingles);
  c.set(i.d, Type::F32, canonical(c, flushesOf(i) ? flushed(c, rounded) : rounded));
}
std::string rootOf(LaneCode& c, const std::string& a) {
  return c.call(kDoubles, "llvm.sqrt.v32f64", {{kDoubles, a}});
}
void writeNearRoot(LaneCode& c, const Instruction& i, const Known&) {
  finishWide(c, i, rootOf(c, wideSource(c, i.a, flushesOf(i))));
}
void writeNearInverseRoot(LaneCode& c, const Instruction& i, const Known&) {
  const std::string root = rootOf(c, wideSource(c, i.a, flushesOf(i)));
  finishWide(c, i, c.op("fdiv", kDoubles, one(c, Type::F64), root));
}
void writeNearReciprocal(LaneCode& c, const Instruction& i, const Known&) {
  const std::string a = wideSource(c, i.a, flushesOf(i));
  finishWide(c, i, c.op("fdiv", kDoubles, one(c, Type::F64), a));
}
void writeFullQuotient(LaneCode& c, const Instruction& i, const Known&) {
  const std::string a = wideSource(c, i.a, flushesOf(i)), b = wideSource(c, i.b, flushesOf(i));
  finishWide(c, i, c.op("fdiv", kDoubles, a, b));
}

}  // namespace

std::string flushed(LaneCode& c, const std::string& value) {
  const std::string bits = singleBits(c, value);
  const std::string exponent = c.op("and", kWords, bits, c.splat(32, 0x7f800000));
  const std::string tiny = c.compare("eq", kWords, exponent, c.splat(32, 0));
  const std::string sign = c.op("and", kWords, bits, c.splat(32, 0xffffffff80000000));
  return single(c, c.select(tiny, kWords, sign, bits));
}
std::string canonical(LaneCode& c, const std::string& value) {
  const std::string none = c.compare("uno", kSingles, value, value);
  return single(c, c.select(none, kWords, c.splat(32, 0x7fffffff), singleBits(c, value)));
}
std::string one(LaneCode& c, Type type) {
  const bool wide = type == Type::F64;
  const std::string bits = wide ? c.splat(64, 0x3ff0000000000000) : c.splat(32, 0x3f800000);
  return c.cast("bitcast", bits, vectorOfBits(wide ? 64 : 32), vectorOf(type));
}
std::string saturated(LaneCode& c, const std::string& value) {
  const std::string unit = one(c, Type::F32), none = single(c, c.splat(32, 0));
  const std::string below = c.compare("olt", kSingles, value, unit);
  const std::string most = c.select(below, kSingles, value, unit);
  return c.select(c.compare("ogt", kSingles, value, none), kSingles, most, none);
}

const std::vector<KnownForm>& floatForms() {
  static const std::vector<KnownForm> kForms = {
      {"add", kFloats, &writeBinary<kAdd>},
      {"sub", kFloats, &writeBinary<kSub>},
      {"mul", kFloats, &writeBinary<kMul>},
      {"div", kFloats, &writeBinary<kDiv>},
      {"fma", kFloats, &writeFused},
      {"mad", kFloats, &writeFused},
      {"sqrt", kFloats, &writeRoot},
      {"rcp", kFloats, &writeReciprocal},
      {"min", kFloats, &writeExtreme<true>},
      {"max", kFloats, &writeExtreme<false>},
      {"neg", kFloats, &writeSign<kXor>},
      {"abs", kFloats, &writeSign<kAnd>},
      {"sqrt.approx", kF32, &writeNearRoot},
      {"rsqrt.approx", kF32, &writeNearInverseRoot},
      {"rcp.approx", kF32, &writeNearReciprocal},
      {"div.full", kF32, &writeFullQuotient},
  };
  return kForms;
}

}  // namespace fermata::native

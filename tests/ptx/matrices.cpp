#include "tests/ptx/matrices.h"

#include <cmath>
#include <cstring>

#include "tests/ptx/half_values.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

bool isInteger(const std::string& type) {
  return type[0] == 's' || type[0] == 'u' || type == "b1";
}
bool isHalf(const std::string& type) {
  return type == "f16" || type == "bf16";
}

template <class To, class From>
To bitsAs(From from) {
  To to{};
  std::memcpy(&to, &from, std::min(sizeof to, sizeof from));
  return to;
}

}  // namespace

unsigned elementBits(const std::string& type) {
  if (type[0] == 'e') return 8;
  return static_cast<unsigned>(std::stoi(type.substr(type.find_first_of("123456789"))));
}

double numberOf(const std::string& type, Word bits) {
  if (isHalf(type)) return values(type).of(bits);
  if (type[0] == 'e') return float8Value(type, bits);
  if (type == "f64") return bitsAs<double>(bits);
  if (!isInteger(type)) return bitsAs<float>(type == "tf32" ? bits & 0xffffe000U : bits);
  const unsigned width = elementBits(type);
  const bool negative = type[0] == 's' && (bits >> (width - 1) & 1U) != 0;
  return static_cast<double>(bits) - (negative ? std::ldexp(1.0, static_cast<int>(width)) : 0);
}

Word elementOf(const std::string& type, double value) {
  if (isHalf(type)) return values(type).nearest(value, 0, 'n', std::signbit(value));
  if (type == "f64") return bitsAs<Word>(value);
  if (isInteger(type))
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) &
           ((Word{1} << elementBits(type)) - 1);
  return value != value ? 0x7fffffff : bitsAs<Word>(static_cast<float>(value));
}

Word Numbers::of(const std::string& type) {
  const Word bits = random_();
  if (type == "s32") return (bits >> 40) % 5 == 0 ? 0x7ffffff0U + bits % 32 : bits & 0xffffffffU;
  if (isInteger(type)) return bits >> 40 & ((1U << elementBits(type)) - 1);
  if (type[0] == 'e') {
    if (special_ && (bits >> 32) % 67 == 0) return (bits & 0xffU) | 0x7cU;
    const bool finite = std::isfinite(float8Value(type, bits & 0xffU));
    return (bits & 0xffU) ^ (finite ? 0U : 0x40U);
  }
  if (type == "f16") return half(bits, 0x7c00, 10, 12);
  if (type == "bf16") return half(bits, 0x7f80, 7, 120);
  const double value = std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits)),
                                  static_cast<int>(bits % 21) - 73);
  if (type != "f64" && special_ && bits % 61 == 0) return 0xff800000U;
  return type == "tf32" ? elementOf("f32", value) | bits % 0x2000 : elementOf(type, value);
}

Word Numbers::half(Word bits, unsigned infinity, unsigned fraction, unsigned middle) const {
  const Word sign = bits >> 20 & 0x8000U, digits = bits & ((1U << fraction) - 1);
  if (special_ && (bits >> 32) % 97 == 0) return sign | infinity;
  if (special_ && (bits >> 32) % 89 == 0) return sign | infinity | (digits & 1U);
  if ((bits >> 32) % 13 == 0) return sign | digits;
  return sign | (middle + (bits >> 50) % 8) << fraction | digits;
}

Fragment pack(unsigned bits, unsigned count, const std::function<Word(unsigned, unsigned)>& at,
              unsigned lanes) {
  const unsigned per = bits == 64 ? 1 : 32 / bits;
  Fragment registers(count / per, Words(lanes));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < count; ++i)
      registers[i / per][lane] |= at(lane, i) << (i % per * bits % 64);
  }
  return registers;
}

std::string braced(const std::string& prefix, unsigned first, std::size_t count) {
  std::string text;
  for (unsigned k = 0; k < count; ++k)
    text += (k == 0 ? "{%" : ", %") + prefix + std::to_string(first + k);
  return text + "}";
}

Fragment run(const Product& product) {
  const std::string prefix = product.wide ? "rd" : "r", type = product.wide ? "b64" : "b32";
  Words in;
  std::string body =
      "mul.wide.u32 %rd1, %r90, 8; add.u64 %rd2, %rd1, %rd91; add.u64 %rd1, %rd1, %rd90;";
  std::string operands;
  unsigned next = kFirstSource;
  for (const Fragment& fragment : product.sources) {
    const bool last = &fragment == &product.sources.back() && !product.selector.empty();
    operands += ", " + (last ? "%r" + std::to_string(next) : braced(prefix, next, fragment.size()));
    for (const Words& one : fragment) {
      body += "ld.global." + type + " %" + prefix + std::to_string(next++) + ", [%rd1+" +
              std::to_string(8 * in.size()) + "];";
      in.insert(in.end(), one.begin(), one.end());
    }
  }
  body += product.opcode + " " + braced(prefix, product.firstResult, product.results) + operands +
          product.selector + ";";
  for (unsigned r = 0; r < product.results; ++r)
    body += "st.global." + type + " [%rd2+" + std::to_string(256 * r) + "], %" + prefix +
            std::to_string(product.firstResult + r) + ";";
  const Words out = runBody<Word>(body, in, 32 * product.results);
  Fragment registers;
  for (std::size_t r = 0; r < product.results; ++r)
    registers.emplace_back(&out[32 * r], &out[32 * r] + 32);
  return registers;
}

}  // namespace fermata::ptx::test

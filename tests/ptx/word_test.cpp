// dp2a, bmsk, szext, fns and the video instructions, against sums over bits and parts.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint64_t;
using Signed = std::int64_t;

Signed part(Word word, unsigned index, unsigned bits, bool isSigned) {
  Signed value = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    value += static_cast<Signed>(word >> (index * bits + bit) & 1U) << bit;
  return isSigned && value >> (bits - 1) != 0 ? value - (Signed{1} << bits) : value;
}

using PartOracle = std::function<Signed(Signed a, Signed b)>;

void checkVideo(const std::string& name, unsigned parts, const std::string& types, bool isSigned,
                bool saturates, const PartOracle& oracle) {
  const unsigned bits = 32 / parts;
  const auto each = [=](Word a, Word b, unsigned k) {
    Signed value = oracle(part(a, k, bits, isSigned), part(b, k, bits, isSigned));
    const Signed low = isSigned ? -(Signed{1} << (bits - 1)) : 0;
    const Signed high = isSigned ? (Signed{1} << (bits - 1)) - 1 : (Signed{1} << bits) - 1;
    if (saturates) value = std::min(std::max(value, low), high);
    return part(static_cast<Word>(value), 0, bits, isSigned);
  };
  const std::string opcode = name + (parts == 1 ? "" : std::to_string(parts)) + types;
  const auto merged = [=](Word a, Word b, Word, Word) {
    Word result = 0;
    for (unsigned k = 0; k < parts; ++k)
      result |= (static_cast<Word>(each(a, b, k)) & ((Word{1} << bits) - 1)) << (k * bits);
    return result;
  };
  const auto summed = [=](Word a, Word b, Word c, Word) {
    Word sum = c;
    for (unsigned k = 0; k < parts; ++k) sum += static_cast<Word>(each(a, b, k));
    return sum & 0xffffffffU;
  };
  std::vector<std::string> sources = {"b32", "b32", "b32"};
  checkOperation({opcode + ".add", "b32", sources, summed}, "b32");
  if (parts == 1) sources.pop_back();
  checkOperation({opcode, "b32", sources, merged}, "b32");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(video) {
  const PartOracle add = [](Signed a, Signed b) { return a + b; };
  const PartOracle sub = [](Signed a, Signed b) { return a - b; };
  const PartOracle difference = [](Signed a, Signed b) { return a < b ? b - a : a - b; };
  const PartOracle least = [](Signed a, Signed b) { return a < b ? a : b; };
  const PartOracle most = [](Signed a, Signed b) { return a < b ? b : a; };
  const PartOracle mean = [](Signed a, Signed b) {  // to the nearest, halves away from zero
    const Signed sum = a + b;
    return sum >= 0 ? (sum + 1) / 2 : -((1 - sum) / 2);
  };
  for (const unsigned parts : {1U, 2U, 4U}) {
    for (const bool isSigned : {false, true}) {
      const std::string type = isSigned ? ".s32" : ".u32";
      const std::string types = type + type + type;
      checkVideo("vadd", parts, types, isSigned, false, add);
      checkVideo("vsub", parts, types + ".sat", isSigned, true, sub);
      checkVideo("vabsdiff", parts, types + ".sat", isSigned, true, difference);
      checkVideo("vmin", parts, types, isSigned, false, least);
      checkVideo("vmax", parts, types, isSigned, false, most);
      if (parts != 1) checkVideo("vavrg", parts, types, isSigned, false, mean);
    }
    for (const auto& [name, relation] : std::vector<std::pair<std::string, PartOracle>>{
             {"eq", [](Signed a, Signed b) { return a == b; }},
             {"ne", [](Signed a, Signed b) { return a != b; }},
             {"lt", [](Signed a, Signed b) { return a < b; }},
             {"le", [](Signed a, Signed b) { return a <= b; }},
             {"gt", [](Signed a, Signed b) { return a > b; }},
             {"ge", [](Signed a, Signed b) { return a >= b; }}}) {
      checkVideo("vset", parts, ".u32.u32." + name, false, false, relation);
    }
  }
}

BOOST_AUTO_TEST_CASE(products_of_pairs) {
  for (const std::string a : {"u32", "s32"}) {
    for (const std::string b : {"u32", "s32"}) {
      for (const unsigned half : {0U, 1U}) {
        checkOperation({"dp2a." + std::string(half == 0 ? "lo." : "hi.") + a + "." + b,
                        "b32",
                        {"b32", "b32", "b32"},
                        [=](Word x, Word y, Word c, Word) {
                          Word sum = c;
                          for (unsigned k = 0; k < 2; ++k)
                            sum += static_cast<Word>(part(x, k, 16, a == "s32") *
                                                     part(y, 2 * half + k, 8, b == "s32"));
                          return sum & 0xffffffffU;
                        }},
                       "b32");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(masks_and_extensions) {
  for (const bool clamps : {false, true}) {
    const std::string mode = clamps ? ".clamp" : ".wrap";
    checkOperation({"bmsk" + mode + ".b32",
                    "b32",
                    {"b32", "b32"},
                    [=](Word a, Word b, Word, Word) {
                      const Word first = clamps ? std::min<Word>(a, 32) : a % 32;
                      const Word width = clamps ? std::min<Word>(b, 32) : b % 32;
                      Word result = 0;
                      for (Word bit = first; bit < std::min<Word>(first + width, 32); ++bit)
                        result |= Word{1} << bit;
                      return result;
                    }},
                   "b32");
    for (const bool isSigned : {false, true}) {
      checkOperation(
          {"szext" + mode + (isSigned ? ".s32" : ".u32"),
           "b32",
           {"b32", "b32"},
           [=](Word a, Word b, Word, Word) {
             const Word bits = clamps ? std::min<Word>(b, 32) : b % 32;
             if (bits == 0) return Word{0};
             return static_cast<Word>(part(a, 0, static_cast<unsigned>(bits), isSigned)) &
                    0xffffffffU;
           }},
          "b32");
    }
  }
}

BOOST_AUTO_TEST_CASE(set_bits_by_number) {
  checkOperation({"fns.b32",
                  "b32",
                  {"b32", "b32", "b32"},
                  [](Word mask, Word base, Word which, Word) -> Word {
                    const Signed offset = static_cast<std::int32_t>(which);
                    std::vector<Word> found;
                    const auto take = [&](Word bit) {
                      if ((mask >> bit & 1U) != 0) found.push_back(bit);
                    };
                    if (base > 31) return 0xffffffffU;
                    if (offset == 0) return (mask >> base & 1U) != 0 ? base : 0xffffffffU;
                    for (Word bit = base; offset > 0 && bit < 32; ++bit) take(bit);
                    for (Word bit = base + 1; offset < 0 && bit-- > 0;) take(bit);
                    const auto number = static_cast<std::size_t>(std::abs(offset));
                    return found.size() < number ? 0xffffffffU : found[number - 1];
                  }},
                 "b32");
}

// Hints, fences and space names of newer compilers mean here what the plain forms do.
BOOST_AUTO_TEST_CASE(advice_changes_nothing) {
  const auto out =
      runBody<std::uint32_t>(R"(
mad.wide.u32 %rd1, %r92, 4, %rd91; discard.global.L2 [%rd91], 128; applypriority.global.L2::evict_normal [%rd91], 128; fence.proxy.alias;
mov.u64 %rd2, tile; cvta.shared::cta.u64 %rd3, %rd2; isspacep.shared::cta %p1, %rd3; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd1], %r1;)",
                             std::vector<std::uint32_t>{}, 32, {}, ".shared .b32 tile[4];");
  for (const std::uint32_t value : out) BOOST_TEST(value == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

// tcgen05.ld.red, loads that find the least or greatest of each thread's columns, and copies to
// tensor memory that widen elements of 4 and 6 bits.
#include <cmath>
#include <random>

#include "tests/ptx/tensor_memory.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

struct Extreme {
  std::string shape, op, type;
  unsigned columns, split;
  bool larger() const { return op.find("max") == 0; }
  bool isSet(const char* modifier) const { return op.find(modifier) != std::string::npos; }
};
std::ostream& operator<<(std::ostream& out, const Extreme& e) {
  return out << e.shape << ".x" << e.columns << '.' << e.op << '.' << e.type;
}

float floatOf(Word bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

/// Words that differ in sign and size, with NaNs, infinities and zeros of both signs.
TensorWords specialWords() {
  static const Word kSpecial[] = {0x7fc00001, 0xffc12345, 0x7f800000, 0xff800000,
                                  0x00000000, 0x80000000, 0x00000001, 0x80000001};
  TensorWords words;
  std::mt19937 random(23);
  for (Word& word : words.words) word = random() % 5 == 0 ? kSpecial[random() % 8] : random();
  return words;
}

bool comesFirst(const Extreme& e, Word a, Word b) {
  if (e.type == "u32") return e.larger() ? a > b : a < b;
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  if (e.type == "s32") return e.larger() ? x > y : x < y;
  const float f = floatOf(a), g = floatOf(b);
  if (f == g) return std::signbit(f) != std::signbit(g) && std::signbit(g) == e.larger();
  return e.larger() ? f > g : f < g;
}

Word extremeOf(const Extreme& e, std::vector<Word> words) {
  const bool floats = e.type == "f32";
  for (Word& word : words) {
    if (e.isSet("abs")) word &= 0x7fffffffU;
  }
  const auto isNan = [&](Word word) { return floats && std::isnan(floatOf(word)); };
  std::vector<Word> numbers;
  for (const Word word : words) {
    if (isNan(word) && e.isSet("NaN")) return 0x7fffffffU;
    if (!isNan(word)) numbers.push_back(word);
  }
  if (numbers.empty()) return 0x7fffffffU;
  Word best = numbers[0];
  for (const Word word : numbers) best = comesFirst(e, word, best) ? word : best;
  return best;
}

void checkExtreme(const Extreme& e) {
  TensorWords words = specialWords();
  const bool splits = e.shape == "16x32bx2";
  std::string registers;
  for (unsigned k = 0; k < e.columns; ++k)
    registers += (k == 0 ? "%v" : ", %v") + std::to_string(k);
  std::string text = "tcgen05.ld.red.sync.aligned." + e.shape + ".x" + std::to_string(e.columns) +
                     "." + e.op + "." + e.type + " {" + registers + "}, %v199, [%r7+3]" +
                     (splits ? ", " + std::to_string(e.split) : "") +
                     "; tcgen05.wait::ld.sync.aligned; mad.wide.u32 %rd2, %r90, 4, %rd91; "
                     "st.global.b32 [%rd2], %v199; ";
  for (unsigned k = 0; k < e.columns; ++k)
    text +=
        "st.global.b32 [%rd2+" + std::to_string(512 * (k + 1)) + "], %v" + std::to_string(k) + "; ";
  const auto out = runOnTensorMemory(text, {}, words, false, 128 * (e.columns + 1));
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < 128; ++thread) {
    const unsigned lane = splits ? thread / 32 * 32 + thread % 16 : thread;
    const unsigned first = 3 + (splits && thread % 32 >= 16 ? e.split : 0);
    std::vector<Word> loaded;
    for (unsigned k = 0; k < e.columns; ++k) {
      loaded.push_back(words.at(lane, first + k));
      wrong += out[128 * (k + 1) + thread] != loaded[k] ? 1 : 0;
    }
    wrong += out[thread] != extremeOf(e, loaded) ? 1 : 0;
  }
  BOOST_TEST(wrong == 0U);
}

/// Returns `bits` bits of packed elements.
unsigned bitsAt(const std::vector<std::uint8_t>& bytes, unsigned first, unsigned bits) {
  unsigned value = 0;
  for (unsigned k = 0; k < bits; ++k)
    value |= (bytes[(first + k) / 8] >> (first + k) % 8 & 1U) << k;
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_memory)

BOOST_AUTO_TEST_CASE(loads_find_the_least_and_greatest) {
  for (const std::string shape : {"32x32b", "16x32bx2"}) {
    for (const unsigned columns : {2U, 16U, 128U}) {
      for (const std::string op : {"min", "max"}) {
        for (const std::string modifiers : {"", ".abs", ".NaN", ".abs.NaN"}) {
          const Extreme e{shape, op + modifiers, "f32", columns, columns + 3};
          BOOST_TEST_CONTEXT(e) checkExtreme(e);
        }
        for (const std::string type : {"u32", "s32"}) {
          const Extreme e{shape, op, type, columns, columns + 3};
          BOOST_TEST_CONTEXT(e) checkExtreme(e);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(copies_widen_packed_elements) {
  std::vector<std::uint8_t> window(8192);
  std::mt19937 random(29);
  for (auto& byte : window) byte = static_cast<std::uint8_t>(random());
  for (const unsigned bits : {4U, 6U}) {
    for (const bool narrow : {false, true}) {
      const std::uint64_t descriptor = 1024 / 16 | std::uint64_t{128 / 16} << 16 |
                                       std::uint64_t{272 / 16} << 32 | std::uint64_t{1} << 46;
      TensorWords words = specialWords(), expected = words;
      for (unsigned lane = 0; lane < 128; ++lane) {
        const unsigned row = narrow ? lane % 32 : lane;
        for (unsigned e = 0; e < (narrow ? 16U : 32U); ++e) {
          const unsigned chunk = 1024 + row / 8 * 272 + row % 8 * 16 + e / 16 * 128;
          const unsigned value = bitsAt(window, 8 * chunk + e % 16 * bits, bits);
          reinterpret_cast<std::uint8_t*>(&expected.at(lane, 5 + e / 4))[e % 4] =
              static_cast<std::uint8_t>(bits == 4 ? value << 2 : value);
        }
      }
      runOnTensorMemory(
          byOneThread("mov.b64 %rd1, " + std::to_string(descriptor) + "; tcgen05.cp.cta_group::1." +
                      (narrow ? "32x128b.warpx4" : "128x256b") +
                      (bits == 4 ? ".b8x16.b4x16_p64" : ".b8x16.b6x16_p32") + " [%r6+5], %rd1; "),
          window, words, true);
      BOOST_TEST((words.words == expected.words), "elements of " << bits << " bits");
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_extremes_and_copies_are_refused) {
  const std::string load = "tcgen05.ld.red.sync.aligned.";
  const std::string two = " {%r1, %r2}, %r3, [%r4];";
  BOOST_TEST(parseError(kernelText(load + "32x32b.x2.max.f32" + two)) == "");
  BOOST_TEST(parseError(kernelText(load + "32x32b.x2.u32.max" + two)) == "");
  refuses(load + "32x32b.x1.max.f32 {%r1}, %r3, [%r4];", "expected .x2 to .x128");
  refuses(load + "16x64b.x2.max.f32" + two, "expected .32x32b or .16x32bx2");
  refuses(load + "32x32b.x2.f32" + two, "expected .min or .max");
  refuses(load + "32x32b.x2.max.b32" + two, "expected .f32, .u32 or .s32");
  refuses(load + "32x32b.x2.max.abs.s32" + two, "'.abs' and '.NaN' are of .f32");
  refuses(load + "32x32b.x2.max.pack::16b.f32" + two, "pack::16b");
  refuses(load + "32x32b.x2.max.f32 {%r1, %r2}, [%r4];", "2 operands; expected 3");
  refuses("tcgen05.cp.cta_group::1.128x128b.b8x16 [%r1], %rd1;",
          "expected .b8x16.b6x16_p32 or .b8x16.b4x16_p64");
  refuses("tcgen05.cp.cta_group::1.128x128b.b6x16_p32 [%r1], %rd1;", "b6x16_p32");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

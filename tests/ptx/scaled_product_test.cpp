// mma of floats of 4 to 8 bits with scales of blocks and without, against plain matrices. Fragments
// are those that CUTLASS describes (atom/mma_traits_sm120.hpp).
#include <cmath>
#include <random>

#include "tests/ptx/matrices.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

struct Form {
  std::string kind, a, b;
  std::string sum = "f32", scale = "";
  unsigned blocks = 0, byteA = 0, threadA = 0, byteB = 0, threadB = 0;
  bool sparse = false;
};
std::ostream& operator<<(std::ostream& out, const Form& f) {
  return out << f.kind << ' ' << f.a << ' ' << f.b << ' ' << f.sum << ' ' << f.scale
             << (f.sparse ? " sparse" : "");
}
bool hasNibbles(const Form& f) {
  return f.kind.find("mxf4") == 0;
}
unsigned storedOf(const Form& f) {
  return hasNibbles(f) ? 64 : 32;
}
unsigned depthOf(const Form& f) {
  return storedOf(f) * (f.sparse ? 2 : 1);
}
bool isTiny(const std::string& type) {
  return type == "e2m1" || type == "e2m3" || type == "e3m2";
}
unsigned widthOf(const std::string& type) {
  return type == "e2m1" ? 4 : isTiny(type) ? 6 : 8;
}
double valueOf(const std::string& type, Word bits) {
  if (!isTiny(type)) return numberOf(type, bits);
  const int exponentBits = type[1] - '0', fractionBits = type[3] - '0';
  const auto exponent = static_cast<int>(bits >> fractionBits) % (1 << exponentBits);
  const double fraction =
      static_cast<double>(bits % (Word{1} << fractionBits)) / (1 << fractionBits);
  const int bias = (1 << (exponentBits - 1)) - 1;
  const double size =
      exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return (bits >> (exponentBits + fractionBits) & 1U) != 0 ? -size : size;
}
/// Returns the byte that holds an element in a register, or the nibble.
Word heldIn(const Form& f, const std::string& type, Word bits) {
  return !hasNibbles(f) && type == "e2m1" ? bits << 2 : bits;
}
double scaleValue(const Form& f, Word bits) {
  return f.scale == "ue4m3" ? numberOf("e4m3", bits)
                            : std::ldexp(1.0, static_cast<int>(bits) - 127);
}

struct Case {
  explicit Case(const Form& form)
      : f(form),
        a(16, storedOf(f)),
        b(8, depthOf(f)),
        c(16, 8),
        scalesA(32, 4),
        scalesB(32, 4),
        metadata(16, 2) {
    for (Word& word : metadata.bits) {  // two places of four, in order
      constexpr Word kPairs[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
      for (unsigned chunk = 0; chunk < 8; ++chunk) word |= kPairs[random() % 6] << 4 * chunk;
    }
    fill(a, f.a);
    fill(b, f.b);
    numbers.fill(c, f.sum);
    for (Matrix* one : {&scalesA, &scalesB}) {
      for (Word& bits : one->bits)
        bits = f.scale == "ue4m3" ? random() % 0x7f : 120 + random() % 14;
    }
  }
  void fill(Matrix& matrix, const std::string& type) {
    if (!isTiny(type)) return numbers.fill(matrix, type);
    for (Word& bits : matrix.bits) bits = random() % (1U << widthOf(type));
  }
  double scaled(const std::string& type, Word bits, const Matrix& scales, unsigned lane,
                unsigned byte, unsigned k) const {
    const double value = valueOf(type, bits);
    if (f.blocks == 0) return value;
    return value * scaleValue(f, scales.at({lane, byte + k / (depthOf(f) / f.blocks)}));
  }
  /// Returns the k of an element that a holds.
  unsigned placeOf(unsigned row, unsigned s) const {
    if (!f.sparse) return s;
    const unsigned together = hasNibbles(f) ? 2 : 1, chunk = s / (2 * together);
    const Word four = metadata.at({row, chunk / 8}) >> 4 * (chunk % 8);
    const Word at = four >> 2 * (s / together % 2) & 3U;
    return static_cast<unsigned>((4 * chunk + at) * together + s % together);
  }
  Word expected(unsigned row, unsigned n) const {
    double sum = numberOf(f.sum, c.at({row, n}));
    for (unsigned s = 0; s < storedOf(f); ++s) {
      const unsigned k = placeOf(row, s);
      sum +=
          scaled(f.a, a.at({row, s}), scalesA, row % 8 * 4 + row / 8 + 2 * f.threadA, f.byteA, k) *
          scaled(f.b, b.at({n, k}), scalesB, 4 * n + f.threadB, f.byteB, k);
    }
    return elementOf(f.sum, sum);
  }

  Form f;
  std::mt19937 random{5};
  Numbers numbers;
  Matrix a, b, c, scalesA, scalesB, metadata;
};

std::string opcodeOf(const Form& f) {
  std::string text = std::string(f.sparse ? "mma.sp::ordered_metadata" : "mma") +
                     ".sync.aligned.m16n8k" + std::to_string(depthOf(f)) +
                     ".row.col.kind::" + f.kind;
  if (f.blocks != 0) text += ".block_scale.scale_vec::" + std::to_string(f.blocks) + "X";
  text += "." + f.sum + "." + f.a + "." + f.b + "." + f.sum;
  return text + (f.scale.empty() ? "" : "." + f.scale);
}

/// Results are in registers from `result` on: 50, or those of factors.
void check(const Form& f, unsigned result) {
  const Case one(f);
  const unsigned bits = hasNibbles(f) ? 4 : 8, per = 32 / bits;
  const bool halves = f.sum == "f16";
  const Fragment a = pack(bits, 4 * per, [&](unsigned lane, unsigned i) {
    const unsigned r = i / per;
    return heldIn(f, f.a,
                  one.a.at({lane / 4 + 8 * (r % 2), lane % 4 * per + i % per + r / 2 * 4 * per}));
  });
  const unsigned wordsOfB = f.sparse ? 4 : 2;
  const Fragment b = pack(bits, wordsOfB * per, [&](unsigned lane, unsigned i) {
    return heldIn(f, f.b, one.b.at({lane / 4, lane % 4 * per + i % per + i / per * 4 * per}));
  });
  const auto ofSums = [&](const std::function<Word(unsigned, unsigned)>& at) {
    return pack(halves ? 16 : 32, 4, [&](unsigned lane, unsigned i) {
      return at(lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2);
    });
  };
  const Fragment c = ofSums([&](unsigned row, unsigned n) { return one.c.at({row, n}); });
  const auto ofScales = [](const Matrix& scales) {
    return pack(8, 4, [&](unsigned lane, unsigned i) { return scales.at({lane, i}); });
  };
  const Fragment metadata = pack(32, 1, [&](unsigned lane, unsigned) {
    return one.metadata.at({lane / 4 + 8 * (lane % 2), lane % 4 / 2});
  });
  std::vector<std::uint32_t> in;
  for (const Fragment& part : {a, b, c, ofScales(one.scalesA), ofScales(one.scalesB), metadata}) {
    for (const Words& words : part) {
      for (const Word word : words) in.push_back(static_cast<std::uint32_t>(word));
    }
  }
  std::string text = "mad.wide.u32 %rd1, %r90, 4, %rd90; mad.wide.u32 %rd2, %r90, 4, %rd91; ";
  const std::size_t loaded = in.size() / 32, sums = halves ? 2 : 4;
  for (unsigned r = 0; r < loaded; ++r)
    text +=
        "ld.global.b32 %r" + std::to_string(10 + r) + ", [%rd1+" + std::to_string(128 * r) + "]; ";
  const auto at = [&](std::size_t r) { return "%r" + std::to_string(14 + wordsOfB + sums + r); };
  const std::string scaleA = at(0), scaleB = at(1);
  text += opcodeOf(f) + " " + braced("r", result, sums) + ", " + braced("r", 10, 4) + ", " +
          braced("r", 14, wordsOfB) + ", " + braced("r", 14 + wordsOfB, sums);
  if (f.sparse) text += ", " + at(2) + ", 0x0";
  if (f.blocks != 0)
    text += ", {" + scaleA + "}, {" + std::to_string(f.byteA) + ", " + std::to_string(f.threadA) +
            "}, {" + scaleB + "}, {" + std::to_string(f.byteB) + ", " + std::to_string(f.threadB) +
            "}";
  text += "; ";
  for (unsigned r = 0; r < sums; ++r)
    text += "st.global.b32 [%rd2+" + std::to_string(128 * r) + "], %r" +
            std::to_string(result + r) + "; ";
  const auto out = runBody<std::uint32_t>(text, in, 32 * sums);
  const Fragment wanted = ofSums([&](unsigned row, unsigned n) { return one.expected(row, n); });
  unsigned wrong = 0;
  for (std::size_t k = 0; k < out.size(); ++k) wrong += out[k] != wanted[k / 32][k % 32] ? 1 : 0;
  BOOST_TEST(wrong == 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scaled_products)

BOOST_AUTO_TEST_CASE(every_kind_agrees_with_plain_matrices) {
  const Form forms[] = {{"f8f6f4", "e4m3", "e2m1"},
                        {"f8f6f4", "e3m2", "e2m3", "f16"},
                        {"f8f6f4", "e5m2", "e4m3", "f16"},
                        {"mxf8f6f4", "e5m2", "e3m2", "f32", "ue8m0", 1, 1, 1, 3, 2},
                        {"mxf8f6f4", "e2m1", "e2m3", "f32", "ue8m0", 1, 0, 0, 2, 3},
                        {"mxf4", "e2m1", "e2m1", "f32", "ue8m0", 2, 2, 1, 0, 2},
                        {"mxf4nvf4", "e2m1", "e2m1", "f32", "ue4m3", 4, 0, 1, 0, 3},
                        {"mxf4nvf4", "e2m1", "e2m1", "f32", "ue8m0", 2, 0, 0, 2, 1},
                        {"f8f6f4", "e4m3", "e2m1", "f32", "", 0, 0, 0, 0, 0, true},
                        {"f8f6f4", "e2m1", "e5m2", "f16", "", 0, 0, 0, 0, 0, true},
                        {"mxf8f6f4", "e3m2", "e4m3", "f32", "ue8m0", 1, 2, 1, 1, 3, true},
                        {"mxf4", "e2m1", "e2m1", "f32", "ue8m0", 2, 2, 0, 0, 1, true},
                        {"mxf4nvf4", "e2m1", "e2m1", "f32", "ue4m3", 4, 0, 1, 0, 2, true}};
  for (const Form& form : forms) {
    BOOST_TEST_CONTEXT(form)
    for (const unsigned result : {50U, 10U, 11U}) check(form, result);
  }
}

BOOST_AUTO_TEST_CASE(bad_forms_are_refused) {
  const std::string mma = "mma.sync.aligned.m16n8k32.row.col.";
  const std::string four =
      " {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, "
      "%f3, %f4}";
  BOOST_TEST(parseError(kernelText(mma + "kind::f8f6f4.f32.e4m3.e2m1.f32" + four + ";")) == "");
  refuses(mma + "kind::f8f6f4.f32.e4m3.f16.f32" + four + ";", "expected factors of e4m3");
  refuses(mma + "kind::f8f6f4.f32.e4m3.e4m3.f16" + four + ";", "expected sums of one type");
  const std::string sparse = "mma.sp.sync.aligned.m16n8k64.row.col.";
  refuses(sparse + "kind::f8f6f4.f32.e4m3.e4m3.f32" + four + ", %r7, 0;",
          "expected .sp::ordered_metadata");
  const std::string scales = ", {%r7}, {0, 0}, {%r8}, {0, 0};";
  refuses(mma + "kind::mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0" + four + scales, "expected .block_scale");
  refuses(mma + "kind::mxf8f6f4.block_scale.scale_vec::2X.f32.e4m3.e4m3.f32.ue8m0" + four + scales,
          "expected .scale_vec::1X");
  refuses(mma + "kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue4m3" + four + scales,
          "scales of ue4m3 are of 4X");
  refuses(mma + "kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0" + four +
              ", {%r7}, {0, 2}, {%r8}, {0, 0};",
          "the thread of the scale");
  // A register that one mov fills with a constant is that constant.
  const std::string block = mma + "kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0" + four +
                            ", {%r7}, {%s1, %s2}, {%r8}, {0, %s2};";
  const std::string moves = ".reg .u16 %s<3>; mov.u16 %s1, 1; mov.b16 %s2, ";
  BOOST_TEST(parseError(kernelText(moves + "%s1; " + block)) == "");
  refuses(moves + "5; " + block, "the thread of the scale is 5");
  refuses(moves + "%s1; mov.u16 %s2, 0; " + block, "expected a constant");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

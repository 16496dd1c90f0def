// cvt between all types, against 128-bit integers and 113-bit floats.

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

Wide lowest(const std::string& type) {
  return type[0] == 's' ? -(static_cast<Wide>(1) << (widthOf(type) - 1)) : 0;
}
Wide highest(const std::string& type) {
  return (static_cast<Wide>(1) << (widthOf(type) - (type[0] == 's' ? 1 : 0))) - 1;
}
Wide clamped(const std::string& type, Wide value) {
  return std::min(std::max(value, lowest(type)), highest(type));
}

const std::vector<std::string> kIntegers = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

double rounded(char mode, double x) {
  return mode == 'n'   ? std::nearbyint(x)
         : mode == 'z' ? std::trunc(x)
         : mode == 'm' ? std::floor(x)
                       : std::ceil(x);
}

/// Checks cvt`modifier`.`to`.`from`.
template <class F>
void check(const std::string& modifier, const std::string& to, const std::string& from,
           const F& formula) {
  checkOperation("cvt" + modifier + "." + to + "." + from + " " + to + ", " + from, formula);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conversions)

BOOST_AUTO_TEST_CASE(between_integers) {
  for (const std::string& to : kIntegers) {
    for (const std::string& from : kIntegers) {
      check("", to, from, [](Wide a) { return a; });
      check(".sat", to, from, [=](Wide a) { return clamped(to, a); });
    }
  }
}

BOOST_AUTO_TEST_CASE(floats_to_integers) {
  for (const std::string& to : kIntegers) {
    for (const char mode : {'n', 'z', 'm', 'p'}) {
      const auto whole = [=](double x) {
        if (std::fabs(x) > 1e25) return x < 0 ? lowest(to) : highest(to);
        return clamped(to, static_cast<Wide>(rounded(mode, x)));
      };
      const Wide top = static_cast<Wide>(1) << (widthOf(to) - 1);
      const std::string modifier = std::string(".r") + mode + "i";
      check(modifier, to, "f32", [=](float x) {
        return std::isnan(x) ? (widthOf(to) == 64 ? top : 0) : whole(static_cast<double>(x));
      });
      check(modifier, to, "f64", [=](double x) { return std::isnan(x) ? top : whole(x); });
    }
  }
  check(".rpi.ftz", "s32", "f32", [](float x) {
    if (std::isnan(x) || std::fpclassify(x) == FP_SUBNORMAL) return Wide{0};
    return clamped("s32", std::fabs(x) > 1e20F ? (x < 0 ? lowest("s64") : highest("s64"))
                                               : static_cast<Wide>(std::ceil(x)));
  });
}

BOOST_AUTO_TEST_CASE(integers_to_floats) {
  for (const std::string& from : kIntegers) {
    // 80-bit floats hold any 64-bit integer, so each conversion rounds once.
    check(".rn", "f32", from,
          [](Wide a) { return static_cast<float>(static_cast<long double>(a)); });
    check(".rn", "f64", from,
          [](Wide a) { return static_cast<double>(static_cast<long double>(a)); });
  }
}

BOOST_AUTO_TEST_CASE(between_floats) {
  const auto clamp = [](float x) { return std::isnan(x) || x <= 0 ? 0.0F : x >= 1 ? 1.0F : x; };
  check(".rn", "f32", "f64", [](double x) { return static_cast<float>(x); });
  check("", "f64", "f32", [](float x) { return static_cast<double>(x); });
  check(".sat", "f32", "f32", clamp);
  check(".ftz.sat", "f32", "f32",
        [=](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? 0.0F : clamp(x); });
  for (const char mode : {'n', 'z', 'm', 'p'}) {
    const std::string modifier = std::string(".r") + mode + "i";
    check(modifier, "f32", "f32",
          [=](float x) { return static_cast<float>(rounded(mode, static_cast<double>(x))); });
    check(modifier, "f64", "f64",
          [=](double x) { return std::isnan(x) ? x + x : rounded(mode, x); });
  }
}

BOOST_AUTO_TEST_CASE(packs_of_integers) {
  for (const unsigned bits : {2U, 4U, 8U, 16U}) {
    for (const char sign : {'u', 's'}) {
      const Wide low = sign == 's' ? -(1 << (bits - 1)) : 0;
      const Wide high = (1 << (bits - (sign == 's' ? 1 : 0))) - 1;
      const auto part = [=](Word value) {
        const Wide clamped = std::min(std::max(valueOf("s32", value), low), high);
        return static_cast<Word>(clamped) & ((Word{1} << bits) - 1);
      };
      const std::string form = std::string("cvt.pack.sat.") + sign + std::to_string(bits) + ".s32";
      if (bits == 16) {
        checkOperation(form + " b32, s32, s32",
                       [=](Word a, Word b) { return part(a) << bits | part(b); });
      } else {
        checkOperation(form + ".b32 b32, s32, s32, b32", [=](Word a, Word b, Word c) {
          return (c << 2 * bits | part(a) << bits | part(b)) & 0xffffffffU;
        });
      }
    }
  }
}

// Registers may be wider than the types of the instruction.
BOOST_AUTO_TEST_CASE(wide_registers) {
  checkOperation("cvt.s8.s32 b64, b32", [](Word a) { return valueOf("s8", a); });
  checkOperation("cvt.u32.u16 b64, b64", [](Word a) { return a & 0xffff; });
  checkOperation("cvt.s64.s32 b64, b64", [](Word a) { return valueOf("s32", a); });
  checkOperation("cvt.s16.s64 b32, b64", [](Word a) { return valueOf("s16", a); });
}

// Registers of one byte: loads, stores and conversions take them (PTX ISA, "Restricted Use of
// Sub-Word Sizes").
BOOST_AUTO_TEST_CASE(registers_of_bytes) {
  const auto out = runBody<std::uint32_t>(
      ".reg .u8 %a<3>; .reg .s8 %b<3>; .reg .b8 %c; ld.global.u8 %a0, [%rd90]; ld.global.s8 %b0, "
      "[%rd90+1]; ld.global.b8 %c, [%rd90+2]; cvt.u32.u8 %r0, %a0; cvt.s32.s8 %r1, %b0; "
      "cvt.sat.u8.s32 %a1, %r1; cvt.u32.u8 %r2, %a1; cvt.s8.u32 %b1, %r0; cvt.s32.s8 %r3, %b1; "
      "cvt.rn.f32.s8 %f0, %b0; cvt.rzi.u8.f32 %a2, 0f439b0000; cvt.s8.u8 %b2, %a0; "
      "st.global.u32 [%rd91], %r0; st.global.u32 [%rd91+4], %r1; st.global.u32 [%rd91+8], %r2; "
      "st.global.u32 [%rd91+12], %r3; st.global.f32 [%rd91+16], %f0; st.global.u8 [%rd91+20], %a2; "
      "st.global.s8 [%rd91+21], %b2; st.global.b8 [%rd91+22], %c; st.global.s8 [%rd91+23], %b0;",
      std::vector<std::uint32_t>{0x0012fdc8}, 6);
  BOOST_TEST(
      out == (std::vector<std::uint32_t>{200, 0xfffffffd, 0, 0xffffffc8, 0xc0400000, 0xfd12c8ff}),
      tt::per_element());
  refuses(".reg .u8 %a; add.u8 %a, %a, %a;", "unsupported form");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

// Conversions to and from f16, bf16, e4m3 and e5m2: every value, and everywhere where rounding can
// go wrong.

#include "tests/ptx/half_values.h"
#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

std::uint64_t clamped(const std::string& type, double value, bool relu) {
  return nearestFloat8(type, relu && std::signbit(value) && value == value ? 0.0 : value);
}

/// Converts each word of `in` in its own thread: `convert` makes %r2 of %r1.
std::vector<std::uint32_t> converted(const std::string& convert,
                                     const std::vector<std::uint32_t>& in) {
  const auto count = static_cast<std::uint32_t>(in.size());
  return runBody<std::uint32_t>(
      "mad.wide.u32 %rd1, %r92, 4, %rd90; mad.wide.u32 %rd2, %r92, 4, %rd91;ld.global.b32 %r1, "
      "[%rd1]; " +
          convert + " st.global.b32 [%rd2], %r2;",
      in, count, {{count / 256, 1, 1}, {256, 1, 1}, 0, 0, {}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(halves)

// Inputs: each value, and around the middle between it and the next, where rounding can go wrong.
BOOST_AUTO_TEST_CASE(conversions_from_f32_everywhere) {
  for (const std::string type : {"f16", "bf16"}) {
    std::vector<std::uint32_t> inputs;
    for (Word half = 0; half < 0x10000; ++half) {
      const double value = values(type).of(half);
      const double next = values(type).of(half + 1);
      const auto middle = static_cast<float>((value + next) / 2);
      for (const float x : {static_cast<float>(value), middle, std::nextafter(middle, 0.0F),
                            std::nextafter(middle, 2 * middle)})
        inputs.push_back(static_cast<std::uint32_t>(bits(x)));
    }
    for (const char direction : {'n', 'z', 'm', 'p'}) {
      if (type == "bf16" && direction != 'n' && direction != 'z') continue;
      const auto count = static_cast<std::uint32_t>(inputs.size());
      const std::string opcode = std::string("cvt.r") + direction + "." + type + ".f32";
      const auto out = runBody<std::uint16_t, std::uint32_t>(
          "mad.wide.u32 %rd1, %r92, 4, %rd90; mad.wide.u32 %rd2, %r92, 2, %rd91; ld.global.f32 "
          "%f1, [%rd1]; " +
              opcode + " %rs1, %f1; st.global.b16 [%rd2], %rs1;",
          inputs, count, {{count / 256, 1, 1}, {256, 1, 1}, 0, 0, {}});
      for (std::size_t k = 0; k < count; ++k) {
        const auto x = static_cast<double>(as<float>(inputs[k]));
        const Word wanted =
            values(type).nearest(static_cast<Quad>(x), 0, direction, std::signbit(x));
        if (out[k] != wanted) BOOST_ERROR(opcode << " of " << x << " gives " << out[k]);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(conversions) {
  const Values& f16 = values("f16");
  const Values& bf16 = values("bf16");
  const auto nearest = [](const Values& format, double x) {
    return format.nearest(static_cast<Quad>(x), 0, 'n', std::signbit(x));
  };
  checkOperation("cvt.f32.f16 f32, b16", [&](Word a) { return static_cast<float>(f16.of(a)); });
  checkOperation("cvt.f32.bf16 f32, b16", [&](Word a) { return static_cast<float>(bf16.of(a)); });
  checkOperation("cvt.rn.f16.f64 b16, f64", [&](double x) { return nearest(f16, x); });
  checkOperation("cvt.rn.bf16.f16 b16, b16", [&](Word a) { return nearest(bf16, f16.of(a)); });
  for (const char direction : {'n', 'z', 'm', 'p'}) {
    const std::string cvt = std::string("cvt.r") + direction;
    checkOperation(cvt + ".f16.s64 b16, s64",
                   [&](Wide a) { return f16.nearest(static_cast<Quad>(a), 0, direction, false); });
    checkOperation(cvt + ".bf16.u64 b16, u64",
                   [&](Wide a) { return bf16.nearest(static_cast<Quad>(a), 0, direction, false); });
  }
  checkOperation("cvt.rzi.s32.f16 b32, b16", [&](Word a) -> Word {
    const double x = f16.of(a);
    if (std::isinf(x)) return x > 0 ? 0x7fffffff : 0x80000000;
    return x != x ? 0 : static_cast<Word>(static_cast<std::int64_t>(x));
  });
  checkOperation("cvt.rni.u8.f16 b16, b16", [&](Word a) -> Word {
    const double x = std::nearbyint(f16.of(a));
    return x > 255 ? 255 : x > 0 ? static_cast<Word>(x) : 0;
  });
  checkOperation("cvt.rmi.f16.f16 b16, b16",
                 [&](Word a) { return nearest(f16, std::floor(f16.of(a))); });
  checkOperation("cvt.sat.f16.f16 b16, b16", [&](Word a) { return saturated(f16, a, 0x3c00); });
  for (const std::string type : {"f16", "bf16"}) {
    for (const bool relu : {false, true}) {
      const auto one = [&](float a) {
        const bool isZero = relu && !(a > 0) && a == a;
        return nearest(values(type), isZero ? 0.0 : static_cast<double>(a));
      };
      checkOperation("cvt.rn" + std::string(relu ? ".relu." : ".") + type + "x2.f32 b32, f32, f32",
                     [&](float a, float b) { return one(a) << 16 | one(b); });
    }
  }
  checkOperation("cvt.rna.tf32.f32 b32, f32", [](Word a) -> Word {
    if ((a & 0x7fffffff) > 0x7f800000) return 0x7fffffff;
    return (a & 0x80000000) | (((a & 0x7fffffff) + 0x1000) & 0xffffe000);
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(floats_of_8_bits)

BOOST_AUTO_TEST_CASE(each_value_becomes_the_half_that_it_is) {
  std::vector<std::uint32_t> in;
  for (std::uint32_t bits = 0; bits < 256; ++bits) in.push_back(bits | (255 - bits) << 8);
  for (const std::string type : {"e4m3", "e5m2"}) {
    for (const bool relu : {false, true}) {
      const auto half = [&](Word bits) {
        double value = float8Value(type, bits);
        if (relu && std::signbit(value) && value == value) value = 0.0;
        return values("f16").nearest(static_cast<Quad>(value), 0, 'n', std::signbit(value));
      };
      const auto out =
          converted("cvt.u16.u32 %rs1, %r1; cvt.rn" + std::string(relu ? ".relu" : "") + ".f16x2." +
                        type + "x2 %r2, %rs1;",
                    in);
      for (std::size_t k = 0; k < in.size(); ++k)
        BOOST_TEST(out[k] == (half(in[k] >> 8) << 16 | half(in[k] & 0xff)), type << " " << in[k]);
    }
  }
}

BOOST_AUTO_TEST_CASE(each_half_becomes_the_nearest_value) {
  std::vector<std::uint32_t> in;
  for (std::uint32_t half = 0; half < 0x10000; ++half) in.push_back(half | (0xffff - half) << 16);
  for (const std::string type : {"e4m3", "e5m2"}) {
    const auto out =
        converted("cvt.rn.satfinite." + type + "x2.f16x2 %rs1, %r1; cvt.u32.u16 %r2, %rs1;", in);
    for (std::size_t k = 0; k < in.size(); ++k) {
      const Word wanted = nearestFloat8(type, values("f16").of(in[k] >> 16)) << 8 |
                          nearestFloat8(type, values("f16").of(in[k] & 0xffff));
      if (out[k] != wanted) BOOST_ERROR(type << " of " << in[k] << " is " << out[k]);
    }
  }
}

// Inputs: each value, and around the middle between it and the next.
BOOST_AUTO_TEST_CASE(a_single_becomes_the_nearest_value) {
  for (const std::string type : {"e4m3", "e5m2"}) {
    std::vector<std::uint32_t> in;
    for (Word byte = 0; byte < 256; ++byte) {
      const auto value = static_cast<float>(float8Value(type, byte));
      const float middle = (value + static_cast<float>(float8Value(type, byte + 1))) / 2;
      for (const float x :
           {value, middle, std::nextafter(middle, 0.0F), std::nextafter(middle, 2 * middle)})
        in.push_back(static_cast<std::uint32_t>(bits(x)));
    }
    const auto out = converted("mov.b32 %f1, %r1; neg.f32 %f2, %f1; cvt.rn.satfinite." + type +
                                   "x2.f32 %rs1, %f2, %f1; cvt.u32.u16 %r2, %rs1;",
                               in);
    for (std::size_t k = 0; k < in.size(); ++k) {
      const auto x = static_cast<double>(as<float>(in[k]));
      const Word wanted = nearestFloat8(type, -x) << 8 | nearestFloat8(type, x);
      BOOST_TEST(out[k] == wanted, type << " of " << x << " is " << out[k]);
    }
    for (const bool relu : {false, true}) {
      checkOperation(
          "cvt.rn.satfinite." + std::string(relu ? "relu." : "") + type + "x2.f32 b16, f32, f32",
          [&](float a, float b) {
            return clamped(type, static_cast<double>(a), relu) << 8 |
                   clamped(type, static_cast<double>(b), relu);
          });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

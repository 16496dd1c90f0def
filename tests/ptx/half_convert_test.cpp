// Conversions to and from f16 and bf16, everywhere where rounding can go wrong.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/half_values.h"
#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
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
          "%f1, "
          "[%rd1]; " +
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

}  // namespace fermata::ptx::test

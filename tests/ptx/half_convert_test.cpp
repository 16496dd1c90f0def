// Conversions to and from f16 and bf16, everywhere where rounding can go wrong.
#include <boost/test/unit_test.hpp>

#include "tests/ptx/half_values.h"
#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {
using Word = std::uint64_t;
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
  const auto single = [](double value) -> Word {
    return value != value ? 0x7fffffff : bits(static_cast<float>(value));
  };
  checkOperation(
      {"cvt.f32.f16", "f32", {"b16"}, [&](Word a, Word, Word, Word) { return single(f16.of(a)); }},
      "b16");
  checkOperation({"cvt.f32.bf16",
                  "f32",
                  {"b16"},
                  [&](Word a, Word, Word, Word) { return single(bf16.of(a)); }},
                 "b16");
  checkOperation({"cvt.rn.f16.f64",
                  "b16",
                  {"f64"},
                  [&](Word a, Word, Word, Word) {
                    const double x = as<double>(a);
                    return f16.nearest(static_cast<Quad>(x), 0, 'n', std::signbit(x));
                  }},
                 "f64");
  checkOperation({"cvt.rn.bf16.f16",
                  "b16",
                  {"b16"},
                  [&](Word a, Word, Word, Word) {
                    const double x = f16.of(a);
                    return bf16.nearest(static_cast<Quad>(x), 0, 'n', std::signbit(x));
                  }},
                 "b16");
  for (const char direction : {'n', 'z', 'm', 'p'}) {
    const std::string cvt = std::string("cvt.r") + direction;
    checkOperation({cvt + ".f16.s64",
                    "b16",
                    {"b64"},
                    [&](Word a, Word, Word, Word) {
                      return f16.nearest(static_cast<Quad>(static_cast<std::int64_t>(a)), 0,
                                         direction, false);
                    }},
                   "s64");
    checkOperation({cvt + ".bf16.u64",
                    "b16",
                    {"b64"},
                    [&](Word a, Word, Word, Word) {
                      return bf16.nearest(static_cast<Quad>(a), 0, direction, false);
                    }},
                   "u64");
  }
  checkOperation({"cvt.rzi.s32.f16",
                  "b32",
                  {"b16"},
                  [&](Word a, Word, Word, Word) -> Word {
                    const double x = f16.of(a);
                    if (std::isinf(x)) return x > 0 ? 0x7fffffff : 0x80000000;
                    return x != x ? 0
                                  : static_cast<Word>(static_cast<std::int64_t>(x)) & 0xffffffff;
                  }},
                 "b16");
  checkOperation({"cvt.rni.u8.f16",
                  "b16",
                  {"b16"},
                  [&](Word a, Word, Word, Word) -> Word {
                    const double x = std::nearbyint(f16.of(a));
                    return x > 255 ? 255 : x > 0 ? static_cast<Word>(x) : 0;
                  }},
                 "b16");
  checkOperation({"cvt.rmi.f16.f16",
                  "b16",
                  {"b16"},
                  [&](Word a, Word, Word, Word) {
                    const double x = std::floor(f16.of(a));
                    return f16.nearest(static_cast<Quad>(x), 0, 'n', std::signbit(x));
                  }},
                 "b16");
  checkOperation({"cvt.sat.f16.f16",
                  "b16",
                  {"b16"},
                  [&](Word a, Word, Word, Word) { return saturated(f16, a, 0x3c00); }},
                 "b16");
  for (const std::string type : {"f16", "bf16"}) {
    const auto one = [&](Word a, bool relu) {
      const auto x = static_cast<double>(as<float>(a));
      return values(type).nearest(relu && !(x > 0) && x == x ? Quad(0) : static_cast<Quad>(x), 0,
                                  'n', !relu && std::signbit(x));
    };
    for (const bool relu : {false, true}) {
      checkOperation(
          {"cvt.rn" + std::string(relu ? ".relu." : ".") + type + "x2.f32",
           "b32",
           {"f32", "f32"},
           [&](Word a, Word b, Word, Word) { return one(a, relu) << 16 | one(b, relu); }},
          "f32");
    }
  }
  checkOperation({"cvt.rna.tf32.f32",
                  "b32",
                  {"f32"},
                  [](Word a, Word, Word, Word) -> Word {
                    if ((a & 0x7fffffff) > 0x7f800000) return 0x7fffffff;
                    return (a & 0x80000000) | (((a & 0x7fffffff) + 0x1000) & 0xffffe000);
                  }},
                 "f32");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

// dp2a, bmsk, szext, fns and the video instructions, against sums over bits and parts.

#include "tests/ptx/operation.h"
#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

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
  const auto merged = [=](Word a, Word b) {
    Word result = 0;
    for (unsigned k = 0; k < parts; ++k)
      result |= (static_cast<Word>(each(a, b, k)) & ((Word{1} << bits) - 1)) << (k * bits);
    return result;
  };
  checkOperation(opcode + ".add b32, b32, b32, b32", [=](Word a, Word b, Word sum) {
    for (unsigned k = 0; k < parts; ++k) sum += static_cast<Word>(each(a, b, k));
    return sum;
  });
  checkOperation(Operation{uniform(opcode, "b32", parts == 1 ? 2 : 3), oracleOf(merged)});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(video) {
  const PartOracle add = [](Signed a, Signed b) { return a + b; };
  const PartOracle sub = [](Signed a, Signed b) { return a - b; };
  const PartOracle difference = [](Signed a, Signed b) { return a < b ? b - a : a - b; };
  const PartOracle least = [](Signed a, Signed b) { return a < b ? a : b; };
  const PartOracle most = [](Signed a, Signed b) { return a < b ? b : a; };
  const PartOracle mean = [](Signed a, Signed b) {  // rounds half away from zero
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
      for (const std::string half : {"lo", "hi"}) {
        checkOperation(
            "dp2a." + half + "." + a + "." + b + " b32, b32, b32, b32",
            [=](Word x, Word y, Word sum) {
              for (unsigned k = 0; k < 2; ++k)
                sum += static_cast<Word>(part(x, k, 16, a == "s32") *
                                         part(y, (half == "hi" ? 2 : 0) + k, 8, b == "s32"));
              return sum;
            });
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(masks_and_extensions) {
  for (const std::string mode : {"clamp", "wrap"}) {
    const auto limited = [=](Word n) { return mode == "clamp" ? std::min<Word>(n, 32) : n % 32; };
    checkOperation("bmsk." + mode + ".b32 b32, b32, b32", [=](Word a, Word b) {
      const Word first = limited(a);
      Word result = 0;
      for (Word bit = first; bit < std::min<Word>(first + limited(b), 32); ++bit)
        result |= Word{1} << bit;
      return result;
    });
    for (const std::string type : {"s32", "u32"}) {
      checkOperation("szext." + mode + "." + type + " b32, b32, b32", [=](Word a, Word b) {
        const auto bits = static_cast<unsigned>(limited(b));
        return bits == 0 ? 0 : part(a, 0, bits, type == "s32");
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(set_bits_by_number) {
  checkOperation("fns.b32 b32, b32, b32, b32", [](Word mask, Word base, std::int32_t offset) {
    constexpr Word kNone = 0xffffffff;
    std::vector<Word> found;
    const auto take = [&](Word bit) {
      if ((mask >> bit & 1U) != 0) found.push_back(bit);
    };
    if (base > 31) return kNone;
    if (offset == 0) return (mask >> base & 1U) != 0 ? base : kNone;
    for (Word bit = base; offset > 0 && bit < 32; ++bit) take(bit);
    for (Word bit = base + 1; offset < 0 && bit-- > 0;) take(bit);
    const auto number = static_cast<std::size_t>(std::abs(Signed{offset}));
    return found.size() < number ? kNone : found[number - 1];
  });
}

// Hints, fences and space names of newer compilers equal the plain forms here.
BOOST_AUTO_TEST_CASE(advice_changes_nothing) {
  const auto out = runBody<std::uint32_t>(R"(
mad.wide.u32 %rd1, %r92, 4, %rd91; discard.global.L2 [%rd91], 128; applypriority.global.L2::evict_normal [%rd91], 128; fence.proxy.alias;
mov.u64 %rd2, tile; cvta.shared::cta.u64 %rd3, %rd2; isspacep.shared::cta %p1, %rd3; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd1], %r1;)",
                                          32, {}, ".shared .b32 tile[4];");
  for (const std::uint32_t value : out) BOOST_TEST(value == 1U);
}

// Without clusters, a cluster is one CTA, and a cache policy is a number that is ignored.
BOOST_AUTO_TEST_CASE(clusters_of_one) {
  const std::string body = R"(
mad.wide.u32 %rd1, %r92, 4, %rd91; griddepcontrol.wait; setmaxnreg.dec.sync.aligned.u32 40;
createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %rd2, 0f3F000000;
createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %rd2, [%rd91], 64, 128;
mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %cluster_nctarank; add.u32 %r1, %r1, %r2;
mov.u32 %r3, tile; mad.lo.u32 %r3, %r90, 4, %r3; mapa.shared::cluster.u32 %r4, %r3, RANK;
st.shared::cluster.u32 [%r4], %r1; fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta; bar.sync 0;
ld.shared.u32 %r5, [%r3]; st.global.L1::evict_last.L2::cache_hint.u32 [%rd1], %r5, %rd2;
ld.global.L2::cache_hint.u32 %r6, [%rd1], %rd2; atom.global.add.L2::cache_hint.u32 %r7, [%rd1], %r6, %rd2;
griddepcontrol.launch_dependents;)";
  const auto with = [&](const std::string& rank) {
    std::string text = body;
    text.replace(text.find("RANK"), 4, rank);
    return runBody<std::uint32_t>(text, 32, {}, ".shared .b32 tile[32];");
  };
  for (const std::uint32_t value : with("%cluster_ctaid.x")) BOOST_TEST(value == 2U);
  expectError([&] { with("1"); }, {"CTA 1 of a cluster of 1; expected a rank below 1"});
}

BOOST_AUTO_TEST_CASE(extremes_of_magnitudes) {
  const auto oracle = [](bool larger, bool nan, bool flush) {
    return [=](float a, float b) {
      auto x = std::fabs(a), y = std::fabs(b);
      if (flush && x < 0x1p-126F) x = 0;
      if (flush && y < 0x1p-126F) y = 0;
      if (nan && (std::isnan(x) || std::isnan(y))) return std::nanf("");
      const float value = std::isnan(x) ? y : std::isnan(y) || (x > y) == larger ? x : y;
      return std::copysign(value, std::signbit(a) != std::signbit(b) ? -1.0F : 1.0F);
    };
  };
  checkUniform("max.xorsign.abs", "f32", oracle(true, false, false));
  checkUniform("min.ftz.NaN.xorsign.abs", "f32", oracle(false, true, true));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

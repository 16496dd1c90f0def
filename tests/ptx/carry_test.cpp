// Extended precision: 128-bit sums, differences and products from 32- and 64-bit pieces.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

__extension__ typedef unsigned __int128 Wide;

struct Pair {
  std::uint64_t low, high;
};
Wide wide(const Pair& pair) {
  return static_cast<Wide>(pair.high) << 64 | pair.low;
}

std::vector<Pair> inputs() {
  std::vector<Pair> list = {{~0ULL, ~0ULL}, {1, 0},     {0, 0},          {0, 1},
                            {~0ULL, 0},     {1, ~0ULL}, {0, 1ULL << 63}, {~0ULL, ~0ULL >> 1}};
  std::mt19937_64 random(5);
  while (list.size() < 128) list.push_back({random(), random()});
  return list;
}

void check(const std::string& body, const std::function<Wide(Wide, Wide)>& formula) {
  const auto list = inputs();
  RunOptions options;
  options.grid.x = 2;
  const auto out = runBody<Pair>(
      "mad.wide.u32 %rd1, %r92, 32, %rd90; mad.wide.u32 %rd2, %r92, 16, %rd91;" + body, list,
      list.size() / 2, options);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Wide wanted = formula(wide(list[2 * k]), wide(list[2 * k + 1]));
    BOOST_TEST(out[k].low == static_cast<std::uint64_t>(wanted));
    BOOST_TEST(out[k].high == static_cast<std::uint64_t>(wanted >> 64));
  }
}

const std::string kLoad32 = R"(
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+16];
)";
const std::string kStore32 = "st.global.v4.u32 [%rd2], {%r11, %r12, %r13, %r14};";

}  // namespace

BOOST_AUTO_TEST_SUITE(carries)

BOOST_AUTO_TEST_CASE(sums_of_words) {
  check(kLoad32 +
            "add.cc.u32 %r11, %r1, %r5; addc.cc.u32 %r12, %r2, %r6; addc.cc.s32 %r13, %r3, %r7; "
            "addc.u32 %r14, %r4, %r8;" +
            kStore32,
        [](Wide a, Wide b) { return a + b; });
  check(kLoad32 +
            "sub.cc.u32 %r11, %r1, %r5; subc.cc.u32 %r12, %r2, %r6; subc.cc.s32 %r13, %r3, %r7; "
            "subc.u32 %r14, %r4, %r8;" +
            kStore32,
        [](Wide a, Wide b) { return a - b; });
}

BOOST_AUTO_TEST_CASE(sums_of_long_words) {
  const std::string load =
      "ld.global.v2.u64 {%rd3, %rd4}, [%rd1]; ld.global.v2.u64 {%rd5, %rd6}, [%rd1+16];";
  const std::string store = "st.global.v2.u64 [%rd2], {%rd13, %rd14};";
  check(load + "add.cc.u64 %rd13, %rd3, %rd5; addc.s64 %rd14, %rd4, %rd6;" + store,
        [](Wide a, Wide b) { return a + b; });
  check(load + "sub.cc.u64 %rd13, %rd3, %rd5; subc.u64 %rd14, %rd4, %rd6;" + store,
        [](Wide a, Wide b) { return a - b; });
}

BOOST_AUTO_TEST_CASE(product_by_mad_and_carry) {
  // A product of 64 x 64 to 128 bits, from the low halves of the inputs.
  check(kLoad32 + R"(
mul.lo.u32 %r11, %r1, %r5; mul.hi.u32 %r12, %r1, %r5;
mad.lo.cc.u32 %r12, %r1, %r6, %r12; madc.hi.u32 %r13, %r1, %r6, 0;
mad.lo.cc.u32 %r12, %r2, %r5, %r12; madc.hi.cc.u32 %r13, %r2, %r5, %r13; addc.u32 %r14, 0, 0;
mad.lo.cc.u32 %r13, %r2, %r6, %r13; madc.hi.u32 %r14, %r2, %r6, %r14;
)" + kStore32,
        [](Wide a, Wide b) {
          return static_cast<Wide>(static_cast<std::uint64_t>(a)) * static_cast<std::uint64_t>(b);
        });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

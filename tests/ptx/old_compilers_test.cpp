// What the compilers of CUDA 1.x to 4.0 wrote and later ones do not; files as editors leave them.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/ptx/support.h"

namespace bdata = boost::unit_test::data;

namespace fermata::ptx::test {

using Word = std::uint32_t;

BOOST_AUTO_TEST_SUITE(old_compilers)

BOOST_DATA_TEST_CASE(prototypes_may_end_without_a_semicolon,
                     bdata::make<std::string>({".func (.reg .u32 r) half(.reg .u32 a)",
                                               ".extern .func (.reg .u32 r) half(.reg .u32 a)",
                                               ".visible .func (.reg .u32 r) half(.reg .u32 a) "
                                               ".noreturn",
                                               ".func (.reg .u32 r) half(.reg .u32 a);"}) *
                         bdata::make<std::string>({"", ".global .u32 between;", ".file 1 \"a.cu\"",
                                                   ".func other() { ret; }", ".extern .func last()",
                                                   ".const .u32 c = 1;",
                                                   ".section .debug_str { .b8 0 }"}),
                     prototype, between) {
  const auto out = runBody<Word>(
      "mad.wide.u32 %rd1, %r92, 4, %rd91; call (%r2), half, (%r90); st.global.u32 [%rd1], %r2;",
      std::vector<Word>{}, 32, {},
      prototype + "\n" + between +
          "\n.func (.reg .u32 r) half(.reg .u32 a) { shr.u32 r, a, 1; ret; }\n");
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == k / 2);
}

BOOST_AUTO_TEST_CASE(an_entry_has_a_body) {
  const std::string error = parseError(".version 2.0\n.target sm_20\n.entry k()\n.entry l() {}");
  BOOST_TEST(error.find("4:1") != std::string::npos, error);
}

BOOST_AUTO_TEST_CASE(special_registers_of_16_bits) {
  RunOptions options;
  options.grid = {3, 1, 1};
  options.block = {32, 2, 1};
  const auto out = runBody<Word>(
      "mov.u32 %r1, %tid.y; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r2, %r2, 2, %r1; mad.lo.u32 %r2, "
      "%r2, 32, %r90; mad.wide.u32 %rd1, %r2, 4, %rd91; mov.u16 %rs1, %ntid.x; mov.b16 %rs2, "
      "%ctaid.x; mul.wide.u16 %r3, %rs1, %rs2; cvt.u32.u16 %r4, %tid.x; add.u32 %r3, %r3, %r4; "
      "cvt.u32.u16 %r5, %nctaid.x; mad.lo.u32 %r3, %r5, 1000, %r3; mul.wide.u16 %r6, %tid.y, "
      "%ntid.y; mad.lo.u32 %r3, %r6, 100000, %r3; st.global.u32 [%rd1], %r3;",
      std::vector<Word>{}, 192, options);
  for (Word k = 0; k < 192; ++k)
    BOOST_TEST(out[k] == k / 64 * 32 + k % 32 + 3000 + k / 32 % 2 * 200000);
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped) {
  const std::string mark = "\xef\xbb\xbf";
  Bench bench(mark + kernelText(""), "k");
  BOOST_TEST(bench.module != nullptr);
  const std::string error = parseError(mark + ".version 7.0\n.entry k() { nonsense; }");
  BOOST_TEST(error.find("2:14") != std::string::npos, error);
  BOOST_TEST(parseError(mark + "x").find("1:1") != std::string::npos);
  BOOST_TEST(!parseError(mark + mark + ".version 7.0").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

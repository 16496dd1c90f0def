// PTX that compilers of CUDA 1.x to 4.0 wrote and later ones do not; files as editors save them.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {

using Word = std::uint32_t;

BOOST_AUTO_TEST_SUITE(old_compilers)

BOOST_DATA_TEST_CASE(
    prototypes_may_end_without_a_semicolon,
    bdata::make<std::string>({".func (.reg .u32 r) half(.reg .u32 a)",
                              ".extern .func (.reg .u32 r) half(.reg .u32 a)",
                              ".visible .func (.reg .u32 r) half(.reg .u32 a) .noreturn",
                              ".func (.reg .u32 r) half(.reg .u32 a);"}) *
        bdata::make<std::string>({"", ".global .u32 between;", ".file 1 \"a.cu\"",
                                  ".func other() { ret; }", ".extern .func last()",
                                  ".const .u32 c = 1;", ".section .debug_str { .b8 0 }"}),
    prototype, between) {
  const auto out = runBody<Word>(
      "mad.wide.u32 %rd1, %r92, 4, %rd91; call (%r2), half, (%r90); st.global.u32 [%rd1], %r2;", 32,
      {},
      prototype + "\n" + between +
          "\n.func (.reg .u32 r) half(.reg .u32 a) { shr.u32 r, a, 1; ret; }\n");
  for (Word k = 0; k < 32; ++k) BOOST_TEST(out[k] == k / 2);
}

BOOST_AUTO_TEST_CASE(an_entry_has_a_body) {
  expect(parseError(".version 2.0\n.target sm_20\n.entry k()\n.entry l() {}"), {"4:1"});
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
      192, options);
  for (Word k = 0; k < 192; ++k)
    BOOST_TEST(out[k] == k / 64 * 32 + k % 32 + 3000 + k / 32 % 2 * 200000);
}

// Module-level registers pass arguments between functions: each thread has its own, shared by all
// functions.
BOOST_AUTO_TEST_CASE(registers_of_the_module) {
  const std::string items = R"(
.reg .u32 %ra<4>; .reg .u32 %rv1; .reg .f32 %fa1, %fv1; .reg .pred %pa1;
.func half { .reg .u32 %r<3>; shr.u32 %r1, %ra1, 1; add.u32 %rv1, %r1, %ra3; setp.gt.u32 %pa1, %ra1, 9; ret; }
.func (.reg .f32 %fv1) twice (.reg .f32 %fa1) { add.f32 %fv1, %fa1, %fa1; ret; }
)";
  const auto out = runBody<Word>(
      "mad.wide.u32 %rd1, %r92, 4, %rd91; mov.u32 %ra1, %r90; mov.u32 %ra3, 1000; mov.f32 %fa1, "
      "0f3F800000; call half; mov.f32 %f1, 0f40A00000; call (%f2), twice, (%f1); cvt.rzi.u32.f32 "
      "%r1, %f2; mad.lo.u32 %r2, %r1, 10000, %rv1; cvt.rzi.u32.f32 %r1, %fa1; mad.lo.u32 %r2, %r1, "
      "1000000, %r2; @%pa1 add.u32 %r2, %r2, 10000000; st.global.u32 [%rd1], %r2;",
      32, {}, items);
  for (Word k = 0; k < 32; ++k)
    BOOST_TEST(out[k] == k / 2 + 1000 + 100000 + 1000000 + (k > 9 ? 10000000 : 0));
}

BOOST_AUTO_TEST_CASE(registers_of_the_module_are_declared_once) {
  for (const std::string again :
       {".reg .u32 %ra1;", ".global .u32 %ra1;", ".reg .f32 %ra1, %rb;"}) {
    expect(parseError(moduleText(".reg .u32 %ra1;\n" + again)),
           {"'%ra1' is declared twice", "line 4"});
  }
  // A function may reuse the name; before its declaration it is unknown.
  BOOST_TEST(parseError(moduleText(
                 ".reg .u32 a; .entry k() { .reg .f32 a; mov.f32 a, 0f00000000; }")) == "");
  expect(parseError(moduleText(".func f() { mov.u32 a, 1; } .reg .u32 a;")),
         {"'a' is not declared"});
}

// Each thread has its own local arrays; a kernel does not pay for arrays that it does not name.
BOOST_AUTO_TEST_CASE(local_arrays_of_the_module) {
  const std::string items = R"(
.local .align 1 .b8 other[1000]; .local .align 4 .b8 ray[12]; .local .align 8 .b64 wide;
.func (.reg .u32 r) second(.reg .u32 k) { .local .align 4 .b8 ray2[8]; .reg .u32 t; st.local.u32 [ray2+4], k; ld.local.u32 r, [ray+4]; ld.local.u32 t, [ray2+4]; add.u32 r, r, t; ret; }
)";
  const std::string body =
      "mad.wide.u32 %rd1, %r92, 4, %rd91; .local .align 4 .b8 mine[4]; st.local.u32 [mine], 7; "
      "st.local.u32 [ray+4], %r92; st.local.u64 [wide], %rd1; mov.u64 %rd2, ray; st.local.u32 "
      "[%rd2+8], 5; call (%r1), second, (100); ld.local.u32 %r2, [mine]; ld.local.u32 %r3, "
      "[ray+8]; add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; ld.local.u64 %rd3, [wide]; "
      "st.global.u32 [%rd3], %r1;";
  RunOptions options;
  options.block.x = 70;
  options.grid.x = 2;
  const auto out = runBody<Word>(body, 140, options, items);
  for (Word k = 0; k < 140; ++k) BOOST_TEST(out[k] == k + 100 + 7 + 5);
  const auto module = parse(kernelText(body, items), "x.ptx");
  BOOST_TEST(module->kernel("k").localBytes() == 36U);  // ray, wide, mine, ray2
  BOOST_TEST(module->variables().empty());
}

BOOST_AUTO_TEST_CASE(what_lies_in_local_memory_has_no_initial_value) {
  expect(parseError(moduleText(".local .u32 x = 3;")), {"initialiser of 'x'"});
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_is_skipped) {
  const std::string mark = "\xef\xbb\xbf";
  Bench bench(mark + kernelText(""));
  BOOST_TEST(bench.module != nullptr);
  expect(parseError(mark + ".version 7.0\n.entry k() { nonsense; }"), {"2:14"});
  expect(parseError(mark + "x"), {"1:1"});
  BOOST_TEST(!parseError(mark + mark + ".version 7.0").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

// Functions: parameters, results, divergence within them, and the run-time library.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

const std::string kAbi = R"(
.func (.param .b32 func_retval0) scaled(.param .b32 scaled_param_0, .param .b64 scaled_param_1);
.func (.param .b32 func_retval0) scaled(.param .b32 scaled_param_0, .param .b64 scaled_param_1)
{
  .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<3>;
  ld.param.u32 %r1, [scaled_param_0];
  ld.param.u64 %rd1, [scaled_param_1];
  setp.gt.u32 %p1, %r1, 5;
  @%p1 bra BIG;
  st.param.b32 [func_retval0+0], %r1;
  ret;
BIG:
  cvt.u32.u64 %r2, %rd1;
  mul.lo.u32 %r3, %r1, %r2;
  st.param.b32 [func_retval0+0], %r3;
  ret;
}
)";

const std::string kCall = R"(
mad.wide.u32 %rd1, %r92, 4, %rd91; mov.u64 %rd5, 10;
{ // callseq 0, 0
  .reg .b32 temp_param_reg;
  .param .b32 param0;
  st.param.b32 [param0+0], %r90;
  .param .b64 param1;
  st.param.b64 [param1+0], %rd5;
  .param .b32 retval0;
  call.uni (retval0),
  scaled,
  (
  param0,
  param1
  );
  ld.param.b32 %r2, [retval0+0];
} // callseq 0
st.global.u32 [%rd1], %r2;
)";

/// Returns functions f0 to f(`count` - 1); each calls the function before it `times` times.
std::string chain(unsigned count, unsigned times, const std::string& last) {
  std::string text = ".func f0() {" + last + "}\n";
  for (unsigned k = 1; k < count; ++k) {
    const std::string before = "call f" + std::to_string(k - 1) + ";";
    text += ".func f" + std::to_string(k) + "() {";
    for (unsigned n = 0; n < times; ++n) text += before;
    text += last + "}\n";
  }
  return text;
}

std::vector<std::uint32_t> tidsThrough(const std::string& body, const std::string& items) {
  return runBody<std::uint32_t>(body, 32, {}, items);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calls)

BOOST_AUTO_TEST_CASE(by_parameters_with_divergent_returns) {
  const auto out = tidsThrough(kCall, kAbi);
  for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST(out[k] == (k > 5 ? 10 * k : k));
}

BOOST_AUTO_TEST_CASE(by_registers) {
  const auto out = tidsThrough(R"(
mad.wide.u32 %rd1, %r92, 4, %rd91; mov.u32 %r2, 77;
setp.lt.u32 %p1, %r90, 10;
@%p1 call (%r2), both, (%r90, 3);
st.global.u32 [%rd1], %r2;)",
                               ".func (.reg .u32 result) both(.reg .u32 a, .reg .u32 b) { add.u32 "
                               "a, a, b; mov.u32 result, a; ret; }");
  for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST(out[k] == (k < 10 ? k + 3 : 77));
}

// Two calls of one function, and a call within it: each copy has its own registers and locals.
BOOST_AUTO_TEST_CASE(nested_calls_keep_their_state) {
  const std::string items = R"(
.func (.reg .u32 r) leaf(.reg .u32 a) { .local .align 4 .b8 slot[8]; .reg .u32 t; st.local.u32 [slot+4], a; ld.local.u32 t, [slot+4]; add.u32 r, t, 1; ret; }
.func (.reg .u32 r) twice(.reg .u32 a) { .local .align 4 .b8 slot[4]; .reg .u32 t, u; st.local.u32 [slot], a; call (t), leaf, (a); call (u), leaf, (t); ld.local.u32 t, [slot]; add.u32 r, u, t; ret; }
)";
  const auto out = tidsThrough(
      "mad.wide.u32 %rd1, %r92, 4, %rd91; call (%r2), twice, (%r90); call (%r3), leaf, (%r2); "
      "st.global.u32 [%rd1], %r3;",
      items);
  for (std::uint32_t k = 0; k < 32; ++k) BOOST_TEST(out[k] == 2 * k + 3);
}

BOOST_AUTO_TEST_CASE(structs_by_value) {
  const std::string items = R"(
.func (.param .align 8 .b8 out[16]) swap(.param .align 8 .b8 in[16]) {
.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .b16 %rs<4>;
ld.param.v2.b32 {%r1, %r2}, [in]; ld.param.s8 %r3, [in+9]; ld.param.u16 %rs1, [in+10]; ld.param.u8 %rs2, [in+8];
st.param.v2.b32 [out], {%r2, %r1}; st.param.b32 [out+8], %r3; st.param.b16 [out+12], %rs1; st.param.b8 [out+14], %rs2; st.param.b8 [out+15], 255; ret; }
)";
  const auto out = runBody<std::uint32_t>(R"(
.param .align 8 .b8 a[16]; .param .align 8 .b8 b[16];
mov.u32 %r1, 0x8182fe07; mov.b64 %rd1, {%r90, %r91}; st.param.b64 [a], %rd1; st.param.b32 [a+8], %r1;
call (b), swap, (a);
ld.param.v4.b32 {%r2, %r3, %r4, %r5}, [b]; st.global.v4.u32 [%rd91], {%r2, %r3, %r4, %r5};)",
                                          4, {{1, 1, 1}, {1, 1, 1}, 42, 0, {}}, items);
  BOOST_TEST(out[0] == 42U);
  BOOST_TEST(out[1] == 0U);
  BOOST_TEST(out[2] == 0xfffffffeU);  // sign-extended byte 0xfe
  BOOST_TEST(out[3] == 0xff078182U);
}

// Unoptimised code takes the address of a struct and reads its elements through it. It also takes
// the address of `unused`, and does nothing with it.
BOOST_AUTO_TEST_CASE(structs_by_address) {
  const std::string items = R"(
.func (.param .b32 r) pick(.param .align 8 .b8 s[24], .param .b32 k) {
.reg .b32 %r<9>; .reg .b64 %rd<9>; .local .align 4 .b8 own[8];
mov.b64 %rd1, s; mov.u64 %rd2, %rd1; ld.param.u32 %r1, [k]; st.local.u32 [own+4], 1000; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3;
ld.param.u32 %r2, [%rd4]; ld.param.u32 %r3, [s]; ld.param::func.u32 %r4, [%rd4+4]; ld.local.u32 %r5, [own+4];
cvta.local.u64 %rd5, %rd4; ld.u32 %r6, [%rd5]; sub.u32 %r6, %r6, %r2;
add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; add.u32 %r2, %r2, %r5; add.u32 %r2, %r2, %r6; st.param.b32 [r], %r2; ret; }
.func (.param .align 1 .b8 r[3]) turn(.param .align 1 .b8 s[3], .param .align 4 .b8 unused[8]) {
.reg .b16 %rs<9>; .reg .b64 %rd<10>; mov.b64 %rd9, unused; mov.b64 %rd1, s; ld.param.u8 %rs1, [%rd1]; ld.param.u8 %rs2, [%rd1+1]; ld.param.u8 %rs3, [s+2];
st.param.b8 [r+0], %rs2; st.param.b8 [r+1], %rs3; st.param.b8 [r+2], %rs1; ret; }
)";
  const std::string body = R"(
mad.wide.u32 %rd1, %r92, 4, %rd91; and.b32 %r1, %r90, 3; .param .align 8 .b8 a[24];
st.param.v2.b32 [a], {%r90, 10}; st.param.v2.b32 [a+8], {20, 30}; st.param.v2.b32 [a+16], {40, 50}; .param .b32 n; st.param.b32 [n], %r1; .param .b32 v;
call (v), pick, (a, n); ld.param.b32 %r2, [v];
.param .align 1 .b8 t[3]; .param .align 4 .b8 none[8]; .param .align 1 .b8 u[3]; cvt.u16.u32 %rs1, %r90; st.param.b8 [t+0], %rs1; st.param.b8 [t+1], 2; st.param.b8 [t+2], 3;
call (u), turn, (t, none); ld.param.u8 %rs2, [u+0]; ld.param.u8 %rs3, [u+1]; ld.param.u8 %rs4, [u+2];
cvt.u32.u16 %r3, %rs2; cvt.u32.u16 %r4, %rs3; cvt.u32.u16 %r5, %rs4; mad.lo.u32 %r3, %r3, 10, %r4; mad.lo.u32 %r3, %r3, 100, %r5; mad.lo.u32 %r2, %r3, 10000, %r2;
st.global.u32 [%rd1], %r2;)";
  const auto out = tidsThrough(body, items);
  for (std::uint32_t k = 0; k < 32; ++k) {
    const std::uint32_t first = k % 4 == 0 ? k : 10 * (k % 4);
    BOOST_TEST(out[k] == (2300 + k) * 10000 + first + k + 10 * (k % 4 + 1) + 1000);
  }
  // Local memory holds `s` of pick and `own` (32 bytes), then in their place `s` of turn; not
  // `unused`.
  BOOST_TEST(parse(kernelText(body, items), "x.ptx")->kernel("k").localBytes() == 32U);
}

BOOST_AUTO_TEST_CASE(failed_assertions_name_the_lane) {
  const std::string text = kernelText(
      R"(
setp.ne.u32 %p1, %r90, 13; @%p1 bra FINE;
{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
mov.u64 %rd1, message; st.param.b64 [a], %rd1; st.param.b64 [b], %rd1; st.param.b32 [c], 17; st.param.b64 [d], %rd1; st.param.b64 [e], 1;
call.uni __assertfail, (a, b, c, d, e); }
FINE:)",
      R"(.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;
.global .align 1 .b8 message[6] = {120, 32, 60, 32, 51};)");
  Bench bench(text);
  expectError([&] { bench.run(); }, {"device assertion failed: x < 3 (x < 3:17)", "lane 13"});
}

BOOST_AUTO_TEST_CASE(dead_functions_are_only_read) {
  BOOST_TEST(parseError(moduleText(".func dead() { .reg .b32 %r<3>; wmma.something.f16 %r1, %r2; "
                                   "ret; }\n.entry k() { ret; }")) == "");
}

BOOST_AUTO_TEST_CASE(as_deep_as_256_functions) {
  const std::string body = "mad.wide.u32 %rd1, %r92, 4, %rd91; call f255; st.global.u32 [%rd1], 9;";
  for (const std::uint32_t value : tidsThrough(body, chain(256, 1, "ret;")))
    BOOST_TEST(value == 9U);
}

BOOST_AUTO_TEST_CASE(deeper_ones_are_refused) {
  for (const unsigned count : {257U, 10000U}) {
    const std::string error = errorOf(
        [&] { tidsThrough("call f" + std::to_string(count - 1) + ";", chain(count, 1, "ret;")); });
    const std::string name = "'f" + std::to_string(count - 257) + "'";
    expect(error, {name + " is called through more than 256 functions"});
  }
}

// f39 would make 2^39 calls of f0, which has no instruction.
BOOST_AUTO_TEST_CASE(too_many_are_refused) {
  expectError([] { tidsThrough("call f39;", chain(40, 2, "")); }, {"makes more than 262144 calls"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

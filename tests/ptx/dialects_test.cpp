// PTX from compilers of different ages: forms with their results.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

using Word = std::uint32_t;

/// Returns PTX 1.2 of a 32-bit compiler around `body`: $r1 is the thread; `out` gets $r2.
std::string old(const std::string& body) {
  return R"(	.version 1.2
	.target sm_11, map_f64_to_f32
	.reg .u32 %ra<17>; .reg .f32 %fa<17>;
	.file	1	"<command-line>"
	.global .align 4 .u32 seven = 7;
	.const .align 4 .b8 table[8] = {1,0,0,0,9,0,0,0};
	@@DWARF .section .debug_info, "",@progbits
	@@DWARF .byte	0x95, 0x02 } {
	.entry k
	{
	.reg .u16 $rh<9>; .reg .u32 $r<20>; .reg .u64 $rd<9>; .reg .f32 $f<9>; .reg .f64 $fd<9>; .reg .pred $p<9>;
	.param .u32 __cudaparm_out;
	.param .u16 __cudaparm_three;
	.shared .align 4 .b8 __cuda_tile[256];
$LBB1_k:
	.loc	1	5	0
	cvt.u32.u16 $r1, %tid.x; cvt.rn.f32.u32 $f1, $r1; cvt.rn.f64.u32 $fd1, $r1; mov.u32 $r2, 0;
	)" +
         body + R"(
	@@DWARF .4byte .debug_abbrev
	ld.param.u32 	$r18, [__cudaparm_out];	// id:12 __cudaparm_out+0x0
	mul24.lo.u32 $r19, $r1, 4; add.u32 $r18, $r18, $r19; st.global.u32 [$r18+0], $r2;
	exit;
$LDWend_k:
	} // k
)";
}

/// Returns PTX 8.5 of a 64-bit compiler around `body`: %r1 is the thread, %rd1 the address of the
/// thread's word of `out`, which gets %r2.
std::string recent(const std::string& body) {
  return R"(.version 8.5
.target sm_90a
.address_size 64
.global .align 4 .u32 seven = 7;
.visible .entry k(.param .u64 .ptr .global .align 4 k_param_0, .param .u16 k_param_1)
.maxntid 32, 1, 1
.minnctapersm 2
{
.reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<20>; .reg .b32 %f<9>; .reg .b64 %rd<9>; .shared .align 16 .b8 tile[256];
ld.param.b64 %rd1, [k_param_0]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; mov.b32 %r2, 0;
$L__BB0_1:
)" + body +
         "\nst.global.b32 [%rd1], %r2;\nret;\n\n}\n";
}

struct Form {
  std::string body;
  Word at5 = 0, at30 = 0;  ///< results of threads 5 and 30
};
std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << form.body;
}

const std::vector<Form> kOld = {
    {"mov.u16 $rh1, %tid.x; mov.u16 $rh2, %ntid.x; mul.wide.u16 $r2, $rh1, $rh2;", 160, 960},
    {"mul24.lo.s32 $r2, $r1, -3; mad24.lo.u32 $r2, $r1, 4, $r2;", 5, 30},
    {"cvt.s32.u16 $r2, %ctaid.x; add.u32 $r2, $r2, $r1;", 5, 30},
    {"add.u32 $r3, $r1, 98304; cvt.s16.s32 $r2, $r3;", 0xffff8005, 0xffff801e},
    {"ld.param.u16 $r2, [__cudaparm_three+0]; mul.lo.u32 $r2, $r2, $r1;", 15, 90},
    {"rcp.f32 $f2, $f1; mul.f32 $f2, $f2, $f1; cvt.rni.u32.f32 $r2, $f2;", 1, 1},
    {"add.f32 $f2, $f1, $f1; div.f32 $f3, $f2, $f1; cvt.rni.s32.f32 $r2, $f3;", 2, 2},
    {"mul.f32 $f2, $f1, $f1; sqrt.f32 $f3, $f2; cvt.rni.u32.f32 $r2, $f3;", 5, 30},
    {"mul.f32 $f2, $f1, $f1; rsqrt.f32 $f3, $f2; mul.f32 $f3, $f3, $f1; cvt.rni.u32.f32 $r2, $f3;",
     1, 1},
    {"and.b32 $r3, $r1, 7; cvt.rn.f32.u32 $f2, $r3; ex2.f32 $f3, $f2; cvt.rni.u32.f32 $r2, $f3;",
     32, 64},
    {"mov.f32 $f2, 0f41000000; lg2.f32 $f3, $f2; cvt.rni.u32.f32 $r2, $f3;", 3, 3},
    {"mov.f32 $f2, 0f00000000; sin.f32 $f3, $f2; cos.f32 $f4, $f2; add.f32 $f4, $f4, $f3; "
     "cvt.rni.u32.f32 $r2, $f4;",
     1, 1},
    // Without a modifier the instructions flush: a subnormal is 0.
    {"mov.f32 $f2, 0f00000009; sqrt.f32 $f3, $f2; mov.b32 $r2, $f3;", 0, 0},
    {"mov.f32 $f2, 0f00000009; lg2.f32 $f3, $f2; mov.b32 $r2, $f3;", 0xff800000, 0xff800000},
    {"mov.f64 $fd2, 0d4010000000000000; div.f64 $fd3, $fd1, $fd2; mad.f64 $fd3, $fd3, $fd2, $fd2; "
     "cvt.rni.u32.f64 $r2, $fd3;",
     9, 34},
    {"mul.f64 $fd2, $fd1, $fd1; sqrt.f64 $fd3, $fd2; rcp.f64 $fd2, $fd3; mul.f64 $fd2, $fd2, $fd1; "
     "cvt.rni.u32.f64 $r2, $fd2;",
     1, 1},
    {"mad.f32 $f2, $f1, $f1, $f1; cvt.rzi.u32.f32 $r2, $f2;", 30, 930},
    {"set.gt.u32.u32 $r2, $r1, 9; neg.s32 $r2, $r2;", 0, 1},
    {"mov.s32 $r3, 9; set.lt.s32.u32 $r4, $r1, $r3; slct.s32.s32 $r2, 11, 22, $r4;", 22, 11},
    {"setp.gt.u32 $p1, $r1, 9; selp.s32 $r2, 3, 4, $p1; @!$p1 add.s32 $r2, $r2, 10;", 14, 3},
    {"st.shared.u8 [__cuda_tile+3], $r1; ld.shared.u8 $rh1, [__cuda_tile+3]; cvt.u32.u8 $r2, $rh1;",
     31, 31},
    {"mov.u32 $r3, __cuda_tile; add.u32 $r3, $r3, 8; st.volatile.shared.s32 [$r3+0], 12; "
     "ld.volatile.shared.s32 $r2, [__cuda_tile+8];",
     12, 12},
    {"ld.const.u32 $r2, [table+4]; ld.global.u32 $r3, [seven]; add.u32 $r2, $r2, $r3;", 16, 16},
    {"vote.any.pred $p1, $p2; mov.s32 $r2, %clock; selp.u32 $r2, 1, 2, $p1; bar.sync 0;", 2, 2},
    {"atom.shared.add.u32 $r3, [__cuda_tile], 1; bar.sync 0; ld.shared.u32 $r2, [__cuda_tile];", 32,
     32},
    {"red.global.add.u32 [seven], 1; ld.global.u32 $r2, [seven];", 39, 39},
    {"pmevent 1; sad.u32 $r2, $r1, 9, 100; cnot.b32 $r3, $r2; add.u32 $r2, $r2, $r3;", 104, 121},
    {"mov.u32 %ra1, $r1; { .reg .u32 $r1; mov.u32 $r1, 3; add.u32 $r2, %ra1, $r1; }", 8, 33},
    {"mov.b64 $rd1, {$r1, $r2}; cvt.u32.u64 $r2, $rd1;", 5, 30},
    {"bra.uni $Lt_0_1;\n$Lt_0_2:\nexit;\n$Lt_0_1:\n //<loop> Loop body line 5\nmov.s32 $r2, $r1;",
     5, 30},
};

const std::vector<Form> kRecent = {
    {"lop3.b32 %r2, %r1, 3, 6, 0x96;", 0, 27},
    {"shf.l.wrap.b32 %r2, %r1, %r1, 4;", 80, 480},
    {"shf.r.clamp.b32 %r2, %r1, 0, 40;", 0, 0},
    {"prmt.b32 %r2, %r1, 0x01020304, 0x5410U;", 0x03040005, 0x0304001e},
    {"bfe.u32 %r2, %r1, 1, 3;", 2, 7},
    {"dp4a.u32.u32 %r2, %r1, 0x01010101, 100;", 105, 130},
    {"mov.b64 {%r3, %r2}, %rd1; mov.b64 {_, %r4}, %rd2; add.s32 %r2, %r4, %r1;", 5, 30},
    {"mov.b32 %f1, 0f3F000000; add.rn.f32 %f2, %f1, %f1; mov.b32 %r2, %f2;", 0x3f800000,
     0x3f800000},
    {"ld.global.L1::no_allocate.L2::128B.b32 %r3, [seven]; add.s32 %r2, %r3, %r1;", 12, 37},
    {"ld.relaxed.gpu.global.b32 %r3, [seven]; ld.acquire.sys.global.u32 %r4, [seven]; add.s32 %r2, "
     "%r3, %r4;",
     14, 14},
    {"ld.global.nc.L1::evict_last.b32 %r2, [seven]; ld.weak.global.b32 %r3, [seven];", 7, 7},
    {"st.release.gpu.global.b32 [%rd1], %r1; fence.acq_rel.gpu; membar.sys; ld.global.b32 %r2, "
     "[%rd1];",
     5, 30},
    {"atom.relaxed.gpu.global.add.u32 %r3, [%rd1], 9; atom.global.acq_rel.cta.cas.b32 %r4, [%rd1], "
     "9, %r1; ld.global.b32 %r2, [%rd1];",
     5, 30},
    {"red.relaxed.cta.shared::cta.add.u32 [tile], 1; barrier.cta.sync.aligned 0; ld.shared.b32 "
     "%r2, [tile];",
     32, 32},
    {"st.shared.v4.b32 [tile+16], {%r1, %r2, 3, 4}; ld.shared::cta.v4.b32 {_, %r3, %r4, %r5}, "
     "[tile+16]; add.s32 %r2, %r4, %r5;",
     7, 7},
    {"setp.lt.and.s32 %p1|%p2, %r1, 9, 1; selp.b32 %r2, 3, 4, %p1; @%p2 add.s32 %r2, %r2, 10;", 3,
     14},
    {"setp.ne.b16 %p1, %rs1, 0; selp.b32 %r2, 1, 2, %p1;", 2, 2},
    {"redux.sync.max.u32 %r2, %r1, 0xffffffff;", 31, 31},
    {"and.b32 %r3, %r1, 1; match.any.sync.b32 %r2, %r3, -1;", 0xaaaaaaaa, 0x55555555},
    {"shfl.sync.bfly.b32 %r2|%p1, %r1, 1, 0x1f, -1; bar.warp.sync 0xffffffff;", 4, 31},
    {"activemask.b32 %r3; popc.b32 %r2, %r3; nanosleep.u32 20;", 32, 32},
    {"mul.wide.s32 %rd3, %r1, -1; mul.hi.u64 %rd4, %rd3, 16; cvt.u32.u64 %r2, %rd4;", 15, 15},
    {"brev.b32 %r3, %r1; bfind.u32 %r2, %r3; clz.b32 %r4, %r1; add.s32 %r2, %r2, %r4;", 60, 57},
    {"mad.lo.cc.u32 %r3, %r1, 2, 0xfffffffe; madc.hi.u32 %r2, %r1, 2, 0;", 1, 1},
    {"isspacep.shared %p1, %rd1; cvta.shared.u64 %rd3, %rd2; isspacep.shared %p2, %rd3; selp.b32 "
     "%r2, 2, 0, %p2; @%p1 add.s32 %r2, %r2, 1;",
     2, 2},
    {"max.NaN.f32 %f1, 0f7FC00000, 0f3F800000; mov.b32 %r2, %f1;", 0x7fffffff, 0x7fffffff},
    {"prefetch.global.L2::evict_last [%rd1]; ld.param.b16 %rs1, [k_param_1]; cvt.u32.u16 %r2, "
     "%rs1;",
     3, 3},
    {"@%p1 bra $L__BB0_1; .pragma \"nounroll\"; .loc 1 5 3, function_name $L__info_string0, "
     "inlined_at 1 7 8\n mov.b32 %r2, %r1;",
     5, 30},
};

void run(const std::string& text, bool wide, const Form& form) {
  Bench bench(text);
  const std::uint64_t out = bench.buffer(std::vector<Word>(32));
  if (wide) {
    bench.parameter(out);
  } else {
    bench.parameter(static_cast<Word>(out));
  }
  bench.parameter(std::uint16_t{3});
  bench.run();
  const auto values = bench.values<Word>(out, 32);
  BOOST_TEST(values[5] == form.at5);
  BOOST_TEST(values[30] == form.at30);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dialects)

BOOST_DATA_TEST_CASE(of_old_compilers, bdata::make(kOld), form) {
  run(old(form.body), false, form);
}

BOOST_DATA_TEST_CASE(of_recent_compilers, bdata::make(kRecent), form) {
  run(recent(form.body), true, form);
}

// Since PTX 1.4 a .param in a body belongs to a call; before, it was a kernel's parameter.
BOOST_AUTO_TEST_CASE(parameters_of_a_kernel_in_its_body) {
  const auto parameters = [](const std::string& version) {
    return parse(".version " + version +
                     "\n.target sm_10\n.entry k { .param .u32 a; .param .u64 b[2]; exit; }",
                 "x.ptx")
        ->kernel("k")
        .parameterBytes();
  };
  BOOST_TEST(parameters("1.3") == 24U);
  BOOST_TEST(parameters("1.4") == 0U);
}

// An array defined elsewhere is read, and refused when the module is loaded.
BOOST_AUTO_TEST_CASE(external_arrays) {
  const std::string text = ".extern .const .align 1 .b8 names[];\n.entry k() { ret; }";
  Bench bench(moduleText(text));
  expectError([&] { bench.run(); }, {"'names' is .extern"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

// Instruction forms that clang and nvcc emit for the papers' benchmarks: each decodes, and is
// refused with one operand more.
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "tests/ptx/support.h"

namespace fermata::ptx::test {
namespace {

const std::string kForms = R"(
abs.f32 %f1, %f2;
abs.ftz.f32 %f1, %f2;
abs.s32 %r1, %r2;
add.f32 %f1, %f2, %f3;
add.f64 %fd1, %fd2, %fd3;
add.ftz.f32 %f1, %f2, %f3;
add.rn.f64 %fd1, %fd2, %fd3;
add.rz.f32 %f1, %f2, %f3;
add.rz.ftz.f32 %f1, %f2, %f3;
add.s16 %rs1, %rs2, %rs3;
add.s32 %r1, %r2, %r3;
add.s64 %rd1, %rd2, %rd3;
add.u32 %r1, %r2, %r3;
add.u64 %rd1, %rd2, %rd3;
and.b16 %rs1, %rs2, %rs3;
and.b32 %r1, %r2, %r3;
and.b64 %rd1, %rd2, %rd3;
and.pred %p1, %p2, %p3;
atom.global.add.u32 %r1, [%rd9], %r2;
atom.shared.add.u32 %r1, [%rd9], %r2;
bar.sync 0;
bfe.s32 %r1, %r2, %r3, %r4;
bfe.u32 %r1, %r2, %r3, %r4;
bfi.b32 %r1, %r2, %r3, %r3, %r4;
bfi.b64 %rd1, %rd2, %rd3, %r3, %r4;
bra L;
bra.uni L;
copysign.f32 %f1, %f2, %f3;
cos.approx.f32 %f1, %f2;
cos.approx.ftz.f32 %f1, %f2;
cvt.f64.f32 %fd1, %f2;
cvt.ftz.f64.f32 %fd1, %f2;
cvt.ftz.sat.f32.f32 %f1, %f2;
cvt.rmi.f32.f32 %f1, %f2;
cvt.rmi.ftz.f32.f32 %f1, %f2;
cvt.rn.f32.f64 %f1, %fd2;
cvt.rn.f32.s16 %f1, %rs2;
cvt.rn.f32.s32 %f1, %r2;
cvt.rn.f32.u32 %f1, %r2;
cvt.rn.f64.s32 %fd1, %r2;
cvt.rn.f64.s64 %fd1, %rd2;
cvt.rn.f64.u32 %fd1, %r2;
cvt.rn.ftz.f32.f64 %f1, %fd2;
cvt.rni.f32.f32 %f1, %f2;
cvt.rni.f64.f64 %fd1, %fd2;
cvt.rni.ftz.s32.f32 %r1, %f2;
cvt.rni.s32.f32 %r1, %f2;
cvt.rpi.f32.f32 %f1, %f2;
cvt.rpi.ftz.f32.f32 %f1, %f2;
cvt.rzi.f32.f32 %f1, %f2;
cvt.rzi.ftz.s32.f32 %r1, %f2;
cvt.rzi.ftz.u32.f32 %r1, %f2;
cvt.rzi.s32.f32 %r1, %f2;
cvt.rzi.s32.f64 %r1, %fd2;
cvt.rzi.u16.f32 %rs1, %f2;
cvt.rzi.u32.f32 %r1, %f2;
cvt.s16.s8 %rs1, %rs2;
cvt.s32.s16 %r1, %rs2;
cvt.s64.s32 %rd1, %r2;
cvt.sat.f32.f32 %f1, %f2;
cvt.u16.u32 %rs1, %r2;
cvt.u32.u16 %r1, %rs2;
cvt.u32.u64 %r1, %rd2;
cvt.u64.u32 %rd1, %r2;
cvta.global.u32 %r1, %r2;
cvta.global.u64 %rd1, %rd2;
cvta.local.u64 %rd1, %rd2;
cvta.to.global.u32 %r1, %r2;
cvta.to.global.u64 %rd1, %rd2;
cvta.to.local.u64 %rd1, %rd2;
div.approx.f32 %f1, %f2, %f3;
div.approx.ftz.f32 %f1, %f2, %f3;
div.rn.f32 %f1, %f2, %f3;
div.rn.f64 %fd1, %fd2, %fd3;
div.s32 %r1, %r2, %r3;
div.u32 %r1, %r2, %r3;
ex2.approx.f32 %f1, %f2;
ex2.approx.ftz.f32 %f1, %f2;
fma.rm.f32 %f1, %f2, %f3, %f4;
fma.rn.f32 %f1, %f2, %f3, %f4;
fma.rn.f64 %fd1, %fd2, %fd3, %fd4;
fma.rn.ftz.f32 %f1, %f2, %f3, %f4;
ld.const.f32 %f1, [%rd9];
ld.const.s32 %r1, [%rd9];
ld.const.u16 %rs1, [%rd9];
ld.const.u32 %r1, [%rd9];
ld.const.u64 %rd1, [%rd9];
ld.const.u8 %rs1, [%rd9];
ld.const.v2.u32 {%r1, %r2}, [%rd9];
ld.const.v4.f32 {%f1, %f2, %f3, %f4}, [%rd9];
ld.f32 %f1, [%rd9];
ld.global.f32 %f1, [%rd9];
ld.global.f64 %fd1, [%rd9];
ld.global.nc.u32 %r1, [%rd9];
ld.global.s32 %r1, [%rd9];
ld.global.s8 %rs1, [%rd9];
ld.global.u16 %rs1, [%rd9];
ld.global.u32 %r1, [%rd9];
ld.global.u64 %rd1, [%rd9];
ld.global.u8 %rs1, [%rd9];
ld.global.v2.f32 {%f1, %f2}, [%rd9];
ld.global.v2.u32 {%r1, %r2}, [%rd9];
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd9];
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd9];
ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd9];
ld.local.u32 %r1, [%rd9];
ld.param.f32 %f1, [block];
ld.param.f64 %fd1, [block];
ld.param.u32 %r1, [block];
ld.param.u64 %rd1, [block];
ld.param.v2.u32 {%r1, %r2}, [block];
ld.shared.f32 %f1, [%rd9];
ld.shared.f64 %fd1, [%rd9];
ld.shared.s16 %rs1, [%rd9];
ld.shared.u16 %rs1, [%rd9];
ld.shared.u32 %r1, [%rd9];
ld.shared.u64 %rd1, [%rd9];
ld.shared.u8 %rs1, [%rd9];
ld.shared.v2.f32 {%f1, %f2}, [%rd9];
ld.shared.v2.u16 {%rs1, %rs2}, [%rd9];
ld.shared.v2.u32 {%r1, %r2}, [%rd9];
ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%rd9];
ld.u16 %rs1, [%rd9];
ld.u32 %r1, [%rd9];
ld.v2.f32 {%f1, %f2}, [%rd9];
ld.volatile.shared.u32 %r1, [%rd9];
lg2.approx.f32 %f1, %f2;
lg2.approx.ftz.f32 %f1, %f2;
mad.lo.s32 %r1, %r2, %r3, %r4;
mad.wide.u32 %rd1, %r2, %r3, %rd4;
max.f32 %f1, %f2, %f3;
max.ftz.f32 %f1, %f2, %f3;
max.s32 %r1, %r2, %r3;
max.u16 %rs1, %rs2, %rs3;
max.u32 %r1, %r2, %r3;
min.s16 %rs1, %rs2, %rs3;
min.s32 %r1, %r2, %r3;
min.u16 %rs1, %rs2, %rs3;
min.u32 %r1, %r2, %r3;
mov.b32 %r1, %r2;
mov.b64 %rd1, %rd2;
mov.f32 %f1, %f2;
mov.f64 %fd1, %fd2;
mov.pred %p1, %p2;
mov.u16 %rs1, %rs2;
mov.u32 %r1, %r2;
mov.u64 %rd1, %rd2;
mul.f32 %f1, %f2, %f3;
mul.f64 %fd1, %fd2, %fd3;
mul.ftz.f32 %f1, %f2, %f3;
mul.hi.s32 %r1, %r2, %r3;
mul.hi.u16 %rs1, %rs2, %rs3;
mul.hi.u32 %r1, %r2, %r3;
mul.lo.s16 %rs1, %rs2, %rs3;
mul.lo.s32 %r1, %r2, %r3;
mul.lo.s64 %rd1, %rd2, %rd3;
mul.rn.f32 %f1, %f2, %f3;
mul.wide.s16 %r1, %rs2, %rs3;
mul.wide.s32 %rd1, %r2, %r3;
mul.wide.u16 %r1, %rs2, %rs3;
mul.wide.u32 %rd1, %r2, %r3;
mul24.lo.s32 %r1, %r2, %r3;
mul24.lo.u32 %r1, %r2, %r3;
neg.f32 %f1, %f2;
neg.f64 %fd1, %fd2;
neg.ftz.f32 %f1, %f2;
neg.s32 %r1, %r2;
neg.s64 %rd1, %rd2;
not.b32 %r1, %r2;
not.pred %p1, %p2;
or.b16 %rs1, %rs2, %rs3;
or.b32 %r1, %r2, %r3;
or.b64 %rd1, %rd2, %rd3;
or.pred %p1, %p2, %p3;
rcp.approx.ftz.f32 %f1, %f2;
rcp.rn.f32 %f1, %f2;
rcp.rn.f64 %fd1, %fd2;
rem.s32 %r1, %r2, %r3;
rem.u32 %r1, %r2, %r3;
ret;
rsqrt.approx.f32 %f1, %f2;
rsqrt.approx.ftz.f32 %f1, %f2;
selp.b32 %r1, %r2, %r3, %p1;
selp.f32 %f1, %f2, %f3, %p1;
selp.f64 %fd1, %fd2, %fd3, %p1;
selp.s32 %r1, %r2, %r3, %p1;
selp.u32 %r1, %r2, %r3, %p1;
setp.eq.b32 %p1, %r1, %r2;
setp.eq.f32 %p1, %f1, %f2;
setp.eq.ftz.f32 %p1, %f1, %f2;
setp.eq.s16 %p1, %rs1, %rs2;
setp.eq.s32 %p1, %r1, %r2;
setp.eq.s64 %p1, %rd1, %rd2;
setp.ge.f32 %p1, %f1, %f2;
setp.ge.ftz.f32 %p1, %f1, %f2;
setp.ge.s32 %p1, %r1, %r2;
setp.ge.s64 %p1, %rd1, %rd2;
setp.ge.u32 %p1, %r1, %r2;
setp.geu.f32 %p1, %f1, %f2;
setp.geu.ftz.f32 %p1, %f1, %f2;
setp.gt.f32 %p1, %f1, %f2;
setp.gt.f64 %p1, %fd1, %fd2;
setp.gt.ftz.f32 %p1, %f1, %f2;
setp.gt.s16 %p1, %rs1, %rs2;
setp.gt.s32 %p1, %r1, %r2;
setp.gt.u16 %p1, %rs1, %rs2;
setp.gt.u32 %p1, %r1, %r2;
setp.le.s32 %p1, %r1, %r2;
setp.le.s64 %p1, %rd1, %rd2;
setp.le.u16 %p1, %rs1, %rs2;
setp.le.u32 %p1, %r1, %r2;
setp.leu.f32 %p1, %f1, %f2;
setp.leu.ftz.f32 %p1, %f1, %f2;
setp.lt.f32 %p1, %f1, %f2;
setp.lt.ftz.f32 %p1, %f1, %f2;
setp.lt.s16 %p1, %rs1, %rs2;
setp.lt.s32 %p1, %r1, %r2;
setp.lt.u16 %p1, %rs1, %rs2;
setp.lt.u32 %p1, %r1, %r2;
setp.ltu.f32 %p1, %f1, %f2;
setp.ltu.ftz.f32 %p1, %f1, %f2;
setp.ne.s32 %p1, %r1, %r2;
setp.ne.s64 %p1, %rd1, %rd2;
setp.neu.f32 %p1, %f1, %f2;
shfl.sync.down.b32 %r1|%p1, %r2, %r3, %r4, %r5;
shl.b16 %rs1, %rs2, %r3;
shl.b32 %r1, %r2, %r3;
shl.b64 %rd1, %rd2, %r3;
shr.b32 %r1, %r2, %r3;
shr.s16 %rs1, %rs2, %r3;
shr.s32 %r1, %r2, %r3;
shr.u16 %rs1, %rs2, %r3;
shr.u32 %r1, %r2, %r3;
shr.u64 %rd1, %rd2, %r3;
sin.approx.f32 %f1, %f2;
sin.approx.ftz.f32 %f1, %f2;
sqrt.approx.ftz.f32 %f1, %f2;
sqrt.rn.f32 %f1, %f2;
st.f32 [%rd9], %f1;
st.global.f32 [%rd9], %f1;
st.global.f64 [%rd9], %fd1;
st.global.u16 [%rd9], %rs1;
st.global.u32 [%rd9], %r1;
st.global.u64 [%rd9], %rd1;
st.global.u8 [%rd9], %rs1;
st.global.v2.f32 [%rd9], {%f1, %f2};
st.global.v2.u32 [%rd9], {%r1, %r2};
st.global.v4.f32 [%rd9], {%f1, %f2, %f3, %f4};
st.global.v4.u32 [%rd9], {%r1, %r2, %r3, %r4};
st.local.u32 [%rd9], %r1;
st.shared.f32 [%rd9], %f1;
st.shared.f64 [%rd9], %fd1;
st.shared.u16 [%rd9], %rs1;
st.shared.u32 [%rd9], %r1;
st.shared.u64 [%rd9], %rd1;
st.shared.u8 [%rd9], %rs1;
st.shared.v2.f32 [%rd9], {%f1, %f2};
st.shared.v2.u16 [%rd9], {%rs1, %rs2};
st.shared.v4.u32 [%rd9], {%r1, %r2, %r3, %r4};
st.shared.v4.u8 [%rd9], {%rs1, %rs2, %rs3, %rs4};
st.u32 [%rd9], %r1;
st.volatile.shared.u32 [%rd9], %r1;
sub.f32 %f1, %f2, %f3;
sub.f64 %fd1, %fd2, %fd3;
sub.ftz.f32 %f1, %f2, %f3;
sub.s16 %rs1, %rs2, %rs3;
sub.s32 %r1, %r2, %r3;
sub.s64 %rd1, %rd2, %rd3;
tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd9, {%f5}];
tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd9, {%r5}];
tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd9, {%f5, %f6}];
tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd9, {%f5, %f6}];
xor.b16 %rs1, %rs2, %rs3;
xor.b32 %r1, %r2, %r3;
xor.pred %p1, %p2, %p3;
)";

std::string around(const std::string& statement) {
  return moduleText(
      ".entry k(.param .align 16 .b8 block[16]) { .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 "
      "%rd<10>; "
      ".reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .pred %p<9>;\nL: " +
      statement + "\n}");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forms)

BOOST_AUTO_TEST_CASE(each_decodes) {
  std::istringstream forms(kForms);
  unsigned count = 0;
  for (std::string form; std::getline(forms, form);) {
    if (form.empty()) continue;
    ++count;
    BOOST_TEST(parseError(around(form)) == "", form);
    const std::string more = form.substr(0, form.size() - 1) + ", %r8, %r8;";
    BOOST_TEST(parseError(around(more)) != "", more);
  }
  BOOST_TEST(count == 275U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

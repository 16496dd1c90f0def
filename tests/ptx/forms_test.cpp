// Instruction forms that clang and nvcc emit for the papers' benchmarks: each decodes, and is
// refused with one operand more.

#include "tests/ptx/support.h"
#include "tests/support/test.h"

namespace fermata::ptx::test {
namespace {

/// Each row is a form for each word in braces. T stands for a register of its last type, D for one
/// of the type before.
const std::string kForms = R"(
abs.{f32 ftz.f32 s32} T1, T2;
add.{f32 f64 ftz.f32 rn.f64 rz.f32 rz.ftz.f32 s16 s32 s64 u32 u64} T1, T2, T3;
and.{b16 b32 b64 pred} T1, T2, T3;
atom.{global.add.u32 shared.add.u32} T1, [%rd9], T2;
bar.sync 0;
bfe.{s32 u32} T1, T2, T3, T4;
bfi.b32 T1, T2, T3, T3, T4;
bfi.b64 T1, T2, T3, %r3, %r4;
bra L;
bra.uni L;
copysign.f32 T1, T2, T3;
cos.{approx.f32 approx.ftz.f32} T1, T2;
cvt.{f64.f32 ftz.f64.f32 ftz.sat.f32.f32 rmi.f32.f32 rmi.ftz.f32.f32 rn.f32.f64 rn.f32.s16} D1, T2;
cvt.{rn.f32.s32 rn.f32.u32 rn.f64.s32 rn.f64.s64 rn.f64.u32 rn.ftz.f32.f64 rni.f32.f32} D1, T2;
cvt.{rni.f64.f64 rni.ftz.s32.f32 rni.s32.f32 rpi.f32.f32 rpi.ftz.f32.f32 rzi.f32.f32} D1, T2;
cvt.{rzi.ftz.s32.f32 rzi.ftz.u32.f32 rzi.s32.f32 rzi.s32.f64 rzi.u16.f32 rzi.u32.f32 s16.s8} D1, T2;
cvt.{s32.s16 s64.s32 sat.f32.f32 u16.u32 u32.u16 u32.u64 u64.u32} D1, T2;
cvta.{global.u32 global.u64 local.u64 to.global.u32 to.global.u64 to.local.u64} T1, T2;
div.{approx.f32 approx.ftz.f32 rn.f32 rn.f64 s32 u32} T1, T2, T3;
ex2.{approx.f32 approx.ftz.f32} T1, T2;
fma.{rm.f32 rn.f32 rn.f64 rn.ftz.f32} T1, T2, T3, T4;
ld.const.{f32 s32 u16 u32 u64 u8} T1, [%rd9];
ld.const.v2.u32 {T1, T2}, [%rd9];
ld.const.v4.f32 {T1, T2, T3, T4}, [%rd9];
ld.{f32 u16 u32} T1, [%rd9];
ld.global.{f32 f64 nc.u32 s32 s8 u16 u32 u64 u8} T1, [%rd9];
ld.global.v2.{f32 u32} {T1, T2}, [%rd9];
ld.global.v4.{f32 u32 u8} {T1, T2, T3, T4}, [%rd9];
ld.local.u32 T1, [%rd9];
ld.param.{f32 f64 u32 u64} T1, [block];
ld.param.v2.u32 {T1, T2}, [block];
ld.shared.{f32 f64 s16 u16 u32 u64 u8} T1, [%rd9];
ld.shared.v2.{f32 u16 u32} {T1, T2}, [%rd9];
ld.shared.v4.u32 {T1, T2, T3, T4}, [%rd9];
ld.v2.f32 {T1, T2}, [%rd9];
ld.volatile.shared.u32 T1, [%rd9];
lg2.{approx.f32 approx.ftz.f32} T1, T2;
mad.lo.s32 T1, T2, T3, T4;
mad.wide.u32 %rd1, T2, T3, %rd4;
max.{f32 ftz.f32 s32 u16 u32} T1, T2, T3;
min.{s16 s32 u16 u32} T1, T2, T3;
mov.{b32 b64 f32 f64 pred u16 u32 u64} T1, T2;
mul.{f32 f64} T1, T2, T3;
mul.ftz.f32 T1, T2, T3;
mul.hi.{s32 u16 u32} T1, T2, T3;
mul.lo.{s16 s32 s64} T1, T2, T3;
mul.rn.f32 T1, T2, T3;
mul.wide.{s16 u16} %r1, T2, T3;
mul.wide.{s32 u32} %rd1, T2, T3;
mul24.{lo.s32 lo.u32} T1, T2, T3;
neg.{f32 f64 ftz.f32 s32 s64} T1, T2;
not.{b32 pred} T1, T2;
or.{b16 b32 b64 pred} T1, T2, T3;
rcp.{approx.ftz.f32 rn.f32 rn.f64} T1, T2;
rem.{s32 u32} T1, T2, T3;
ret;
rsqrt.{approx.f32 approx.ftz.f32} T1, T2;
selp.{b32 f32 f64 s32 u32} T1, T2, T3, %p1;
setp.eq.{b32 f32 ftz.f32 s16 s32 s64} %p1, T1, T2;
setp.ge.{f32 ftz.f32 s32 s64 u32} %p1, T1, T2;
setp.geu.{f32 ftz.f32} %p1, T1, T2;
setp.gt.{f32 f64 ftz.f32 s16 s32 u16 u32} %p1, T1, T2;
setp.le.{s32 s64 u16 u32} %p1, T1, T2;
setp.leu.{f32 ftz.f32} %p1, T1, T2;
setp.lt.{f32 ftz.f32 s16 s32 u16 u32} %p1, T1, T2;
setp.ltu.{f32 ftz.f32} %p1, T1, T2;
setp.ne.{s32 s64} %p1, T1, T2;
setp.neu.f32 %p1, T1, T2;
shfl.sync.down.b32 T1|%p1, T2, T3, T4, T5;
shl.{b16 b64} T1, T2, %r3;
shl.b32 T1, T2, T3;
shr.{b32 s32 u32} T1, T2, T3;
shr.{s16 u16 u64} T1, T2, %r3;
sin.{approx.f32 approx.ftz.f32} T1, T2;
sqrt.{approx.ftz.f32 rn.f32} T1, T2;
st.{f32 u32} [%rd9], T1;
st.global.{f32 f64 u16 u32 u64 u8} [%rd9], T1;
st.global.v2.{f32 u32} [%rd9], {T1, T2};
st.global.v4.{f32 u32} [%rd9], {T1, T2, T3, T4};
st.local.u32 [%rd9], T1;
st.shared.{f32 f64 u16 u32 u64 u8} [%rd9], T1;
st.shared.v2.{f32 u16} [%rd9], {T1, T2};
st.shared.v4.{u32 u8} [%rd9], {T1, T2, T3, T4};
st.volatile.shared.u32 [%rd9], T1;
sub.{f32 f64 ftz.f32 s16 s32 s64} T1, T2, T3;
tex.1d.v4.{f32.f32 u32.s32} {T1, T2, T3, T4}, [%rd9, {T5}];
tex.2d.v4.f32.f32 {T1, T2, T3, T4}, [%rd9, {T5, T6}];
tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd9, {T5, T6}];
xor.{b16 b32 pred} T1, T2, T3;
)";

std::string prefixOf(const std::string& type) {
  if (type == "pred") return "%p";
  if (type[0] == 'f') return type == "f64" ? "%fd" : "%f";
  const std::string width = type.substr(1);
  return width == "64" ? "%rd" : width == "32" ? "%r" : "%rs";
}

/// Returns the statement of an opcode; `operands` may name T and D.
std::string statement(const std::string& opcode, const std::string& operands) {
  std::vector<std::string> parts;
  std::istringstream in(opcode);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  std::string text = opcode;
  for (const char each : operands) {
    if (each == 'T' || each == 'D')
      text += prefixOf(parts.at(parts.size() - (each == 'T' ? 1 : 2)));
    else
      text += each;
  }
  return text;
}

std::vector<std::string> formsOf(const std::string& row) {
  const std::size_t open = row.find(".{"), close = row.find("} ");
  const std::size_t space = row.find_first_of(" ;");
  if (open == std::string::npos) return {statement(row.substr(0, space), row.substr(space))};
  std::vector<std::string> forms;
  std::istringstream words(row.substr(open + 2, close - open - 2));
  for (std::string word; words >> word;)
    forms.push_back(statement(row.substr(0, open + 1) + word, row.substr(close + 1)));
  return forms;
}

std::string around(const std::string& statement) {
  return moduleText(
      ".entry k(.param .align 16 .b8 block[16]) { .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 "
      "%rd<10>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .pred %p<9>;\nL: " +
      statement + "\n}");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forms)

BOOST_AUTO_TEST_CASE(each_decodes) {
  std::istringstream rows(kForms);
  unsigned count = 0;
  for (std::string row; std::getline(rows, row);) {
    if (row.empty()) continue;
    for (const std::string& form : formsOf(row)) {
      ++count;
      BOOST_TEST(parseError(around(form)) == "", form);
      const std::string more = form.substr(0, form.size() - 1) + ", %r8, %r8;";
      BOOST_TEST(parseError(around(more)) != "", more);
    }
  }
  BOOST_TEST(count == 275U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace fermata::ptx::test

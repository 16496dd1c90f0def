#include "tests/native/random_kernel.h"

#include <fmt/format.h>

#include <iterator>
#include <random>

namespace fermata::native::test {
namespace {

// # stands for a register: r 32 bits, w 64, h 16, f f32, d f64, p a predicate.
constexpr const char* kArithmetic[] = {"add.s32 #r, #r, #r;",
                                       "sub.u32 #r, #r, 77;",
                                       "mul.lo.s32 #r, #r, #r;",
                                       "mad.lo.u32 #r, #r, #r, #r;",
                                       "mul.hi.u32 #r, #r, #r;",
                                       "mul.hi.s32 #r, #r, #r;",
                                       "mad.hi.s32 #r, #r, #r, #r;",
                                       "mul.wide.s32 #w, #r, #r;",
                                       "mul.wide.u16 #r, #h, #h;",
                                       "mad.wide.u32 #w, #r, #r, #w;",
                                       "mad.wide.s32 #w, #r, 12, #w;",
                                       "div.s32 #r, #r, #r;",
                                       "div.u32 #r, #r, #r;",
                                       "rem.s32 #r, #r, #r;",
                                       "rem.u32 #r, #r, 7;",
                                       "div.s64 #w, #w, #w;",
                                       "rem.u64 #w, #w, #w;",
                                       "min.s32 #r, #r, #r;",
                                       "max.u32 #r, #r, #r;",
                                       "max.s64 #w, #w, #w;",
                                       "min.s16 #h, #h, #h;",
                                       "neg.s32 #r, #r;",
                                       "abs.s32 #r, #r;",
                                       "abs.s64 #w, #w;",
                                       "neg.s16 #h, #h;",
                                       "and.b32 #r, #r, #r;",
                                       "or.b64 #w, #w, #w;",
                                       "xor.b32 #r, #r, #r;",
                                       "not.b32 #r, #r;",
                                       "not.b16 #h, #h;",
                                       "xor.b16 #h, #h, #h;",
                                       "shl.b32 #r, #r, #r;",
                                       "shl.b32 #r, #r, 3;",
                                       "shl.b64 #w, #w, #r;",
                                       "shl.b16 #h, #h, #r;",
                                       "shr.u32 #r, #r, #r;",
                                       "shr.s32 #r, #r, #r;",
                                       "shr.s32 #r, #r, 31;",
                                       "shr.u64 #w, #w, 9;",
                                       "shr.s64 #w, #w, #r;",
                                       "shr.s16 #h, #h, #r;",
                                       "shr.u16 #h, #h, #r;",
                                       "mov.u32 #r, #r;",
                                       "mov.u64 #w, -5;",
                                       "mov.b32 #f, #r;",
                                       "mov.b64 #d, #w;",
                                       "mov.b64 #w, {#r, #r};",
                                       "mov.b64 {#r, #r}, #w;",
                                       "selp.b32 #r, #r, #r, #p;",
                                       "selp.f64 #d, #d, #d, #p;",
                                       "selp.b16 #h, #h, #h, #p;",
                                       "popc.b32 #r, #r;",
                                       "popc.b64 #r, #w;",
                                       "clz.b32 #r, #r;",
                                       "clz.b64 #r, #w;",
                                       "brev.b32 #r, #r;",
                                       "brev.b64 #w, #w;",
                                       "lop3.b32 #r, #r, #r, #r, 0x96;",
                                       "lop3.b32 #r, #r, #r, #r, 0x2d;",
                                       "shf.l.wrap.b32 #r, #r, #r, #r;",
                                       "shf.r.wrap.b32 #r, #r, #r, 7;",
                                       "shf.l.clamp.b32 #r, #r, #r, #r;",
                                       "shf.r.clamp.b32 #r, #r, #r, #r;",
                                       "bfe.u32 #r, #r, 5, 9;",
                                       "bfe.s32 #r, #r, 20, 19;",
                                       "bfe.s32 #r, #r, 3, 7;",
                                       "bfe.u32 #r, #r, #r, #r;",
                                       "bfi.b32 #r, #r, #r, 9, 12;",
                                       "prmt.b32 #r, #r, #r, 0x0123;",
                                       "prmt.b32 #r, #r, #r, 0xd290;",
                                       "prmt.b32 #r, #r, #r, 0x5410;",
                                       "add.cc.u32 #r, #r, #r;",
                                       "addc.u32 #r, #r, #r;",
                                       "activemask.b32 #r;"};
constexpr const char* kFloats[] = {"add.f32 #f, #f, #f;",
                                   "sub.ftz.f32 #f, #f, #f;",
                                   "mul.f32 #f, #f, #f;",
                                   "add.sat.f32 #f, #f, #f;",
                                   "mul.ftz.sat.f32 #f, #f, #f;",
                                   "fma.rn.f32 #f, #f, #f, #f;",
                                   "fma.rn.ftz.f32 #f, #f, #f, #f;",
                                   "div.rn.f32 #f, #f, #f;",
                                   "sqrt.rn.f32 #f, #f;",
                                   "rcp.rn.f32 #f, #f;",
                                   "min.f32 #f, #f, #f;",
                                   "max.f32 #f, #f, #f;",
                                   "max.ftz.f32 #f, #f, #f;",
                                   "neg.f32 #f, #f;",
                                   "abs.f32 #f, #f;",
                                   "neg.ftz.f32 #f, #f;",
                                   "add.f64 #d, #d, #d;",
                                   "sub.f64 #d, #d, #d;",
                                   "mul.f64 #d, #d, #d;",
                                   "fma.rn.f64 #d, #d, #d, #d;",
                                   "div.rn.f64 #d, #d, #d;",
                                   "sqrt.rn.f64 #d, #d;",
                                   "min.f64 #d, #d, #d;",
                                   "neg.f64 #d, #d;",
                                   "add.rz.f32 #f, #f, #f;",
                                   "rcp.approx.f32 #f, #f;",
                                   "sqrt.approx.f32 #f, #f;",
                                   "rsqrt.approx.ftz.f32 #f, #f;",
                                   "div.full.f32 #f, #f, #f;",
                                   "div.approx.f32 #f, #f, #f;",
                                   "cvt.rn.f32.s32 #f, #r;",
                                   "cvt.rn.f32.u32 #f, #r;",
                                   "cvt.rn.f32.u64 #f, #w;",
                                   "cvt.rn.f64.s32 #d, #r;",
                                   "cvt.rn.f64.s64 #d, #w;",
                                   "cvt.rzi.s32.f32 #r, #f;",
                                   "cvt.rni.u32.f32 #r, #f;",
                                   "cvt.rmi.ftz.s32.f32 #r, #f;",
                                   "cvt.rpi.s64.f32 #w, #f;",
                                   "cvt.rzi.u64.f64 #w, #d;",
                                   "cvt.rzi.s32.f64 #r, #d;",
                                   "cvt.rzi.s16.f32 #h, #f;",
                                   "cvt.f64.f32 #d, #f;",
                                   "cvt.rn.f32.f64 #f, #d;",
                                   "cvt.rni.f32.f32 #f, #f;",
                                   "cvt.rmi.f64.f64 #d, #d;",
                                   "cvt.rn.sat.f32.f64 #f, #d;",
                                   "cvt.ftz.f32.f32 #f, #f;",
                                   "cvt.s64.s32 #w, #r;",
                                   "cvt.u64.u32 #w, #r;",
                                   "cvt.u32.u64 #r, #w;",
                                   "cvt.u16.u32 #h, #r;",
                                   "cvt.s32.s16 #r, #h;",
                                   "cvt.s32.s8 #r, #r;",
                                   "cvt.u32.u16 #r, #h;",
                                   "cvt.sat.s16.s32 #h, #r;"};
constexpr const char* kComparisons[] = {"setp.lt.s32 #p, #r, #r;",
                                        "setp.ge.u32 #p, #r, #r;",
                                        "setp.eq.s32 #p, #r, 0;",
                                        "setp.ne.b64 #p, #w, #w;",
                                        "setp.gt.s64 #p, #w, #w;",
                                        "setp.le.u16 #p, #h, #h;",
                                        "setp.lt.and.s32 #p, #r, #r, #p;",
                                        "setp.gt.or.u32 #p|#p, #r, #r, !#p;",
                                        "setp.lt.f32 #p, #f, #f;",
                                        "setp.neu.f32 #p, #f, #f;",
                                        "setp.equ.ftz.f32 #p, #f, #f;",
                                        "setp.num.f64 #p, #d, #d;",
                                        "setp.geu.f64 #p, #d, #d;",
                                        "setp.nan.f32 #p, #f, #f;",
                                        "and.pred #p, #p, #p;",
                                        "xor.pred #p, #p, #p;",
                                        "not.pred #p, #p;",
                                        "mov.pred #p, #p;",
                                        "set.lt.u32.s32 #r, #r, #r;",
                                        "set.gt.f32.f32 #f, #f, #f;"};
// Addresses: %w20 the thread's place in out, %w21 in; %r20 its place in tile, %r21 tile; $ computes
// an offset of 4-byte words below 1024 bytes in %r22 and %w22.
constexpr const char* kAccesses[] = {
    "ld.shared.u32 #r, [%r20];",
    "st.shared.u32 [%r20], #r;",
    "ld.shared.f32 #f, [%r21+64];",
    "$add.u32 %r23, %r21, %r22; ld.shared.u32 #r, [%r23];",
    "$add.u32 %r23, %r21, %r22; st.shared.u32 [%r23], #r;",
    "$add.u32 %r23, %r21, %r22; ld.shared.u8 #r, [%r23+3];",
    "$add.u32 %r23, %r21, %r22; st.shared.u16 [%r23+2], #h;",
    "$and.b32 %r23, %r22, 1008; add.u32 %r23, %r23, %r21; ld.shared.v4.u32 {#r, #r, #r, #r}, "
    "[%r23];",
    "$and.b32 %r23, %r22, 1016; add.u32 %r23, %r23, %r21; st.shared.v2.f32 [%r23], {#f, #f};",
    "$and.b32 %r23, %r22, 1016; add.u32 %r23, %r23, %r21; ld.shared.f64 #d, [%r23];",
    "ld.global.u32 #r, [%w21+16];",
    "$add.u64 %w23, %w21, %w22; ld.global.u32 #r, [%w23];",
    "$add.u64 %w23, %w21, %w22; ld.global.s8 #r, [%w23+1];",
    "$add.u64 %w23, %w21, %w22; ld.global.u16 #h, [%w23+2];",
    "$add.u64 %w23, %w21, %w22; ld.u32 #r, [%w23];",
    "$add.u64 %w23, %w24, %w22; st.global.u32 [%w23], #r;",
    "$add.u64 %w23, %w24, %w22; st.global.u8 [%w23+1], #r;",
    "$add.u64 %w23, %w24, %w22; atom.global.add.u32 #r, [%w23], #r;",
    "$add.u64 %w23, %w24, %w22; atom.global.max.s32 #r, [%w23], #r;",
    "$add.u64 %w23, %w24, %w22; red.global.min.u32 [%w23], #r;",
    "$add.u64 %w23, %w24, %w22; atom.add.f32 #f, [%w23], #f;",
    "$add.u32 %r23, %r21, %r22; atom.shared.add.f32 #f, [%r23], #f;",
    "$add.u32 %r23, %r21, %r22; atom.shared.cas.b32 #r, [%r23], #r, #r;",
    "$and.b32 %r23, %r22, 1016; add.u32 %r23, %r23, %r21; atom.shared.exch.b64 #w, [%r23], #w;",
    "$add.u32 %r23, %r21, %r22; atom.shared.inc.u32 #r, [%r23], 5;",
    "$add.u32 %r23, %r21, %r22; red.shared.xor.b32 [%r23], #r;",
    "ld.global.v2.u32 {#r, #r}, [%w20+128];",
    "st.global.v2.u32 [%w20+136], {#r, #r};",
    "ld.global.u64 #w, [%w20+144];",
    "st.global.f64 [%w20+152], #d;",
    "ld.global.v4.f32 {#f, #f, #f, #f}, [%w20+160];",
    "ld.global.u32 #r, [%w25];",
    "st.global.u32 [%w25], #r;",
    "st.local.u32 [place+8], #r;",
    "ld.local.u64 #w, [place+16];",
    "and.b32 %r23, #r, 28; cvt.u64.u32 %w23, %r23; add.u64 %w23, %w26, %w23; st.local.f32 [%w23], "
    "#f;",
    "and.b32 %r23, #r, 24; cvt.u64.u32 %w23, %r23; add.u64 %w23, %w26, %w23; ld.local.u64 #w, "
    "[%w23];",
    "ld.local.v2.u32 {#r, #r}, [place+24];"};

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    statements(4, 0);
    for (unsigned k = 0; k < 3; ++k) {
      text_ += "bar.sync 0;\n";
      statements(3, 0);
      text_ += "shfl.sync.bfly.b32 %r1, %r2, 5, 31, -1;\n";
    }
    return text_;
  }

 private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }

  template <std::size_t N>
  std::string one(const char* const (&list)[N]) {
    return filled(list[below(N)]);
  }
  /// Replaces what stands for registers.
  std::string filled(const std::string& pattern) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size(); ++at) {
      if (pattern[at] == '$') {
        text += fmt::format("and.b32 %r22, %r{}, {}; cvt.u64.u32 %w22, %r22; ", below(10),
                            below(2) == 0 ? 1020 : 60);
      } else if (pattern[at] == '#') {
        const char kind = pattern[++at];
        text += fmt::format("%{}{}", kind, below(kind == 'p' ? 4 : kind == 'r' ? 10 : 5));
      } else {
        text += pattern[at];
      }
    }
    return text;
  }
  std::string guard() {
    return below(4) != 0 ? "" : fmt::format("@{}%p{} ", below(2) == 0 ? "" : "!", below(4));
  }
  void plain() {
    const unsigned kind = below(20);
    if (kind < 6) text_ += guard() + one(kArithmetic) + "\n";
    if (kind >= 6 && kind < 12) text_ += guard() + one(kFloats) + "\n";
    if (kind >= 12 && kind < 15) text_ += guard() + one(kComparisons) + "\n";
    if (kind < 15) return;
    std::string access = one(kAccesses);
    // The access itself may be guarded, not the computation of its address.
    const std::size_t last = access.rfind("; ", access.size() - 2);
    access.insert(last == std::string::npos ? 0 : last + 2, guard());
    text_ += access + "\n";
  }
  void statements(unsigned count, unsigned depth) {
    for (unsigned k = 0; k < count; ++k) {
      for (unsigned j = below(8); j > 0; --j) plain();
      const unsigned kind = below(6);
      if (depth < 3 && kind == 0) branch(depth);
      if (depth < 2 && kind == 1) loop(depth);
    }
  }
  void branch(unsigned depth) {
    const unsigned label = ++labels_;
    text_ += one(kComparisons) + fmt::format("\n@%p{} bra L{};\n", below(4), label);
    statements(2, depth + 1);
    const bool both = below(2) == 0;
    if (both) text_ += fmt::format("bra M{};\n", label);
    text_ += fmt::format("L{}:\n", label);
    if (!both) return;
    statements(2, depth + 1);
    text_ += fmt::format("M{}:\n", label);
  }
  /// Repeats up to 4 times or, for each lane, as often as a register says.
  void loop(unsigned depth) {
    const unsigned label = ++labels_, counter = 30 + 2 * depth;
    text_ += fmt::format("mov.u32 %r{}, 0;\n", counter);
    text_ += below(2) == 0 ? fmt::format("mov.u32 %r{}, {};\n", counter + 1, 1 + below(40))
                           : fmt::format("and.b32 %r{}, %r{}, 3;\n", counter + 1, below(10));
    text_ += fmt::format("L{}:\n", label);
    statements(2, depth + 1);
    text_ +=
        fmt::format("add.u32 %r{0}, %r{0}, 1;\nsetp.lt.u32 %p9, %r{0}, %r{1};\n@%p9 bra L{2};\n",
                    counter, counter + 1, label);
  }

  std::mt19937 random_;
  std::string text_;
  unsigned labels_ = 0;
};

/// Loads what the registers begin with.
std::string beginning() {
  std::string text =
      "mov.u32 %r40, %tid.x; mov.u32 %r41, %ctaid.x; mov.u32 %r42, %ntid.x;\n"
      "mad.lo.u32 %r43, %r41, %r42, %r40; ld.param.u64 %w21, [in]; ld.param.u64 %w24, [out];\n";
  text += fmt::format(
      "mul.wide.u32 %w20, %r43, {}; add.u64 %w20, %w20, %w24; add.u64 %w20, %w20, {};\n",
      4 * kWordsOfThread, 4 * kWordsOfInput);
  text +=
      "mul.wide.u32 %w25, %r40, 4; add.u64 %w25, %w25, %w24;\n"  // a row of the shared part
      "mov.u32 %r21, tile; shl.b32 %r20, %r40, 2; add.u32 %r20, %r20, %r21; mov.u64 %w26, place;\n"
      "mul.wide.u32 %w27, %r43, 4; and.b64 %w27, %w27, 508; add.u64 %w27, %w27, %w21;\n";
  for (unsigned k = 0; k < 10; ++k)
    text += fmt::format("ld.global.u32 %r{}, [%w27+{}];\n", k, 8 * k);
  for (unsigned k = 0; k < 5; ++k) {
    text += fmt::format(
        "mov.b64 %w{0}, {{%r{0}, %r{1}}}; mov.b32 %f{0}, %r{2}; mov.b64 %d{0}, %w{0};\n", k, k + 1,
        k + 4);
    text += fmt::format("cvt.u16.u32 %h{0}, %r{0};\n", k);
  }
  return text;
}

std::string end() {
  std::string text;
  for (unsigned k = 0; k < 10; ++k)
    text += fmt::format("st.global.u32 [%w20+{}], %r{};\n", 4 * k, k);
  for (unsigned k = 0; k < 5; ++k) {
    text += fmt::format(
        "st.global.f32 [%w20+{0}], %f{1}; st.global.u64 [%w20+{2}], %w{1}; "
        "st.global.f64 [%w20+{3}], %d{1}; st.global.u16 [%w20+{4}], %h{1};\n",
        40 + 4 * k, k, 64 + 8 * k, 192 + 8 * k, 108 + 2 * k);
  }
  return text;
}

}  // namespace

std::string randomKernel(std::uint32_t seed) {
  return fmt::format(
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 out) {{\n"
      ".reg .b32 %r<50>; .reg .b64 %w<30>; .reg .f32 %f<6>; .reg .f64 %d<6>; .reg .b16 %h<6>;\n"
      ".reg .pred %p<10>; .shared .align 16 .b8 tile[1024]; .local .align 8 .b8 place[32];\n"
      "{}{}{}ret;\n}}\n",
      beginning(), Writer(seed).run(), end());
}

}  // namespace fermata::native::test

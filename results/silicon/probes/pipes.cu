// Arithmetic: latency of a dependent step, and cycles per step of a warp when 32 warps of one SM
// run four chains each.
#include "probe.cuh"

namespace {

#define U64 unsigned long long
// One step x = f(x, y, z) on a value of type C. `steps` is how many make one iteration of the loop.
#define STEP(NAME, LABEL, C, R, STEPS, TEXT)                                                    \
  struct NAME {                                                                                 \
    using T = C;                                                                                \
    static constexpr unsigned kSteps = STEPS;                                                   \
    static std::string label() { return LABEL; }                                                \
    static __device__ void step(T& x, T y, T z) { asm volatile(TEXT : "+" R(x) : R(y), R(z)); } \
  };
#define I(NAME, LABEL, TEXT) STEP(NAME, LABEL, unsigned, "r", 128, TEXT)
#define L(NAME, LABEL, TEXT) STEP(NAME, LABEL, U64, "l", 64, TEXT)
#define F(NAME, LABEL, TEXT) STEP(NAME, LABEL, float, "f", 128, TEXT)
#define D(NAME, LABEL, TEXT) STEP(NAME, LABEL, double, "d", 64, TEXT)

I(Add3, "add.u32 twice", "add.u32 %0,%0,%1; add.u32 %0,%0,%2;")
I(AddXor, "add.u32 and xor.b32", "add.u32 %0,%0,%1; xor.b32 %0,%0,%2;")
I(MulU32, "mul.lo.u32", "mul.lo.u32 %0,%0,%1;")
I(MadU32, "mad.lo.u32", "mad.lo.u32 %0,%0,%1,%2;")
I(MulHiU32, "mul.hi.u32", "mul.hi.u32 %0,%0,%1;")
I(MulHiS32, "mul.hi.s32", "mul.hi.s32 %0,%0,%1;")
I(MadHiU32, "mad.hi.u32", "mad.hi.u32 %0,%0,%1,%2;")
I(Mul24, "mul24.lo.u32", "mul24.lo.u32 %0,%0,%1;")
I(ShlB32, "shl.b32", "shl.b32 %0,%1,%0;")
I(ShrU32, "shr.u32", "shr.u32 %0,%1,%0;")
I(ShrS32, "shr.s32", "shr.s32 %0,%1,%0;")
I(ShfB32, "shf.l.wrap.b32", "shf.l.wrap.b32 %0,%0,%1,%2;")
I(Lop3, "lop3.b32", "lop3.b32 %0,%0,%1,%2,0x6a;")
I(Popc, "popc.b32", "popc.b32 %0,%0;")
I(Clz, "clz.b32", "clz.b32 %0,%0;")
I(Bfind, "bfind.u32", "bfind.u32 %0,%0;")
I(Brev, "brev.b32", "brev.b32 %0,%0; xor.b32 %0,%0,%1;")
I(MinU32, "min.u32", "min.u32 %0,%0,%1; max.u32 %0,%0,%2;")
I(MinS32, "min.s32", "min.s32 %0,%0,%1; max.s32 %0,%0,%2;")
I(Sad, "sad.u32", "sad.u32 %0,%0,%1,%2;")
I(Abs, "abs.s32", "abs.s32 %0,%0; sub.s32 %0,%0,%1;")
I(Bfe, "bfe.u32", "bfe.u32 %0,%0,%1,%2;")
I(BfeConst, "bfe.u32 constant", "bfe.u32 %0,%0,3,9; xor.b32 %0,%0,%1;")
I(Bfi, "bfi.b32", "bfi.b32 %0,%0,%1,3,7;")
I(Prmt, "prmt.b32", "prmt.b32 %0,%0,%1,%2;")
I(Dp4a, "dp4a.u32.u32", "dp4a.u32.u32 %0,%0,%1,%2;")
I(Selp, "selp.b32", "{.reg .pred p; setp.lt.u32 p,%1,%2; selp.b32 %0,%0,%1,p;}")
I(SetpSelp, "setp and selp", "{.reg .pred p; setp.lt.u32 p,%0,%1; selp.b32 %0,%2,%1,p;}")
I(Setp, "setp.lt.and chain", "{.reg .pred p; setp.lt.u32 p,%0,%1; @p add.u32 %0,%0,%2;}")
I(SetU32, "set.lt.u32.u32", "set.lt.u32.u32 %0,%0,%1;")
I(ExtS8, "cvt.s32.s8", "cvt.s32.s8 %0,%0; xor.b32 %0,%0,%1;")
I(Shfl, "shfl.sync.bfly", "shfl.sync.bfly.b32 %0,%0,1,31,-1;")
I(ShflIdx, "shfl.sync.idx", "shfl.sync.idx.b32 %0,%0,%0,31,-1;")
I(Ballot, "setp and vote.ballot",
  "{.reg .pred p; setp.ne.u32 p,%0,%1; vote.sync.ballot.b32 %0,p,-1;}")
I(VoteAny, "setp and vote.any and selp",
  "{.reg .pred p,q; setp.ne.u32 p,%0,%1; vote.sync.any.pred q,p,-1; selp.u32 %0,%1,%2,q;}")
I(MatchOne, "match.any.sync one value", "and.b32 %0,%0,%2; match.any.sync.b32 %0,%0,-1;")
I(MatchDistinct, "match.any.sync 32 values", "xor.b32 %0,%0,%2; match.any.sync.b32 %0,%0,-1;")
I(MatchAll, "match.all.sync", "{.reg .pred p; match.all.sync.b32 %0|p,%0,-1;}")
I(ReduxAdd, "redux.sync.add.u32", "redux.sync.add.u32 %0,%0,-1;")
I(ReduxMin, "redux.sync.min.u32", "redux.sync.min.u32 %0,%0,-1;")
I(ReduxXor, "redux.sync.xor.b32", "redux.sync.xor.b32 %0,%0,-1;")
I(BarWarp, "bar.warp.sync", "add.u32 %0,%0,%1; bar.warp.sync -1; xor.b32 %0,%0,%2;")
L(AddU64, "add.u64", "add.u64 %0,%1,%0; xor.b64 %0,%0,%2;")
L(MulU64, "mul.lo.u64", "mul.lo.u64 %0,%0,%1;")
L(MulHiU64, "mul.hi.u64", "mul.hi.u64 %0,%0,%1;")
L(MadWide, "mad.wide.u32", "{.reg .b32 t; cvt.u32.u64 t,%0; mad.wide.u32 %0,t,t,%1;}")
L(ShlB64, "shl.b64", "{.reg .b32 t; cvt.u32.u64 t,%0; shl.b64 %0,%1,t;}")
L(MinU64, "min.u64", "min.u64 %0,%0,%1; max.u64 %0,%0,%2;")
F(AddF32, "add.f32", "add.f32 %0,%0,%1;")
F(MulF32, "mul.f32", "mul.f32 %0,%0,%1;")
F(FmaF32, "fma.rn.f32", "fma.rn.f32 %0,%0,%1,%2;")
// With one constant an instruction reads two registers: three of one bank of the register file
// would take longer.
I(Logic, "lop3.b32 constant", "lop3.b32 %0,%0,%1,0x5a5a1234,0x6a;")
I(Mad, "mad.lo.u32 constant", "mad.lo.u32 %0,%0,%1,0x1234567;")
F(Fma, "fma.rn.f32 constant", "fma.rn.f32 %0,%0,%1,0f3F8CCCCD;")
F(MinF32, "min.f32", "min.f32 %0,%0,%1; max.f32 %0,%0,%2;")
F(Rcp, "rcp.approx.ftz.f32 and fma", "rcp.approx.ftz.f32 %0,%0; fma.rn.f32 %0,%0,%1,%2;")
F(RcpIeee, "rcp.rn.f32", "rcp.rn.f32 %0,%0;")
F(Rsqrt, "rsqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32 %0,%0;")
F(Sqrt, "sqrt.approx.ftz.f32", "sqrt.approx.ftz.f32 %0,%0;")
F(SqrtIeee, "sqrt.rn.f32", "sqrt.rn.f32 %0,%0;")
F(Ex2, "ex2.approx.ftz.f32", "ex2.approx.ftz.f32 %0,%0;")
F(Lg2, "lg2.approx.ftz.f32", "lg2.approx.ftz.f32 %0,%0;")
F(Sin, "sin.approx.ftz.f32", "sin.approx.ftz.f32 %0,%0;")
F(Tanh, "tanh.approx.f32", "tanh.approx.f32 %0,%0;")
F(DivApprox, "div.approx.ftz.f32", "div.approx.ftz.f32 %0,%1,%0;")
F(DivFull, "div.full.f32", "div.full.f32 %0,%1,%0;")
F(CvtS32, "cvt.rzi.s32.f32 and back", "{.reg .b32 t; cvt.rzi.s32.f32 t,%0; cvt.rn.f32.s32 %0,t;}")
F(CvtF16, "cvt.rn.f16.f32 and back", "{.reg .b16 t; cvt.rn.f16.f32 t,%0; cvt.f32.f16 %0,t;}")
F(CvtBf16, "cvt.rn.bf16.f32 and back", "{.reg .b16 t; cvt.rn.bf16.f32 t,%0; cvt.f32.bf16 %0,t;}")
F(CvtF64, "cvt.f64.f32 and back", "{.reg .f64 t; cvt.f64.f32 t,%0; cvt.rn.f32.f64 %0,t;}")
F(CvtRni, "cvt.rni.f32.f32", "cvt.rni.f32.f32 %0,%0;")
F(CvtS64, "cvt.rzi.s64.f32 and back", "{.reg .b64 t; cvt.rzi.s64.f32 t,%0; cvt.rn.f32.s64 %0,t;}")
D(AddF64, "add.f64", "add.f64 %0,%0,%1;")
D(MulF64, "mul.f64", "mul.f64 %0,%0,%1;")
D(FmaF64, "fma.rn.f64", "fma.rn.f64 %0,%0,%1,%2;")
D(MinF64, "min.f64", "min.f64 %0,%0,%1; max.f64 %0,%0,%2;")
D(CvtF64S32, "cvt.rzi.s32.f64 and back",
  "{.reg .b32 t; cvt.rzi.s32.f64 t,%0; cvt.rn.f64.s32 %0,t;}")
I(AddF16, "add.f16x2", "add.rn.f16x2 %0,%0,%1;")
I(MulF16, "mul.f16x2", "mul.rn.f16x2 %0,%0,%1;")
I(FmaF16, "fma.rn.f16x2", "fma.rn.f16x2 %0,%0,%1,%2;")
I(FmaBf16, "fma.rn.bf16x2", "fma.rn.bf16x2 %0,%0,%1,%2;")
I(MinF16, "min.f16x2", "min.f16x2 %0,%0,%1; max.f16x2 %0,%0,%2;")
I(Ex2F16, "ex2.approx.f16x2", "ex2.approx.f16x2 %0,%0;")
// Sequences. A quotient of y by itself keeps its size; the remainders get z added so that they do.
#define SLOW(NAME, LABEL, C, R, TEXT) STEP(NAME, LABEL, C, R, 8, TEXT)
SLOW(DivU32, "div.u32", unsigned, "r", "div.u32 %0,%1,%0;")
SLOW(DivS32, "div.s32", int, "r", "div.s32 %0,%1,%0;")
SLOW(RemU32, "rem.u32 and add", unsigned, "r", "rem.u32 %0,%1,%0; add.u32 %0,%0,%2;")
SLOW(RemS32, "rem.s32 and add", int, "r", "rem.s32 %0,%1,%0; add.s32 %0,%0,%2;")
SLOW(DivU64, "div.u64 of 32-bit values", U64, "l", "div.u64 %0,%1,%0;")
SLOW(DivS64, "div.s64 of 32-bit values", long long, "l", "div.s64 %0,%1,%0;")
SLOW(RemU64, "rem.u64 of 32-bit values and add", U64, "l", "rem.u64 %0,%1,%0; add.u64 %0,%0,%2;")
SLOW(RemS64, "rem.s64 of 32-bit values and add", long long, "l",
     "rem.s64 %0,%1,%0; add.s64 %0,%0,%2;")
// y is shifted up, so that it takes more than 32 bits and so do the values.
SLOW(DivU64Wide, "div.u64 of 64-bit values", U64, "l",
     "{.reg .b64 t; shl.b64 t,%1,32; div.u64 %0,t,%0;}")
SLOW(DivS64Wide, "div.s64 of 64-bit values", long long, "l",
     "{.reg .b64 t; shl.b64 t,%1,32; div.s64 %0,t,%0;}")
SLOW(RemU64Wide, "rem.u64 of 64-bit values and add", U64, "l",
     "{.reg .b64 t; shl.b64 t,%1,32; rem.u64 %0,t,%0; add.u64 %0,%0,%2;}")
SLOW(RemS64Wide, "rem.s64 of 64-bit values and add", long long, "l",
     "{.reg .b64 t; shl.b64 t,%1,32; rem.s64 %0,t,%0; add.s64 %0,%0,%2;}")
SLOW(DivF32, "div.rn.f32", float, "f", "div.rn.f32 %0,%1,%0;")
SLOW(DivF64, "div.rn.f64", double, "d", "div.rn.f64 %0,%1,%0;")
SLOW(SqrtF64, "sqrt.rn.f64", double, "d", "sqrt.rn.f64 %0,%0;")
STEP(SharedLoad, "ld.shared.u32", unsigned, "r", 128, "ld.volatile.shared.u32 %0,[%0];")

/// kA steps of one kind and kB of another, on values of their own: do their pipes overlap?
template <class A, unsigned kA, class B, unsigned kB>
struct Mix {
  struct T {
    typename A::T a[kA];
    typename B::T b[kB];
    __device__ __host__ T() {}
    __device__ explicit T(unsigned v) {
      for (auto& x : a) x = static_cast<typename A::T>(v);
      for (auto& x : b) x = static_cast<typename B::T>(v);
    }
    __device__ explicit operator unsigned() const {
      unsigned sum = 0;
      for (auto x : a) sum += static_cast<unsigned>(x);
      for (auto x : b) sum += static_cast<unsigned>(x);
      return sum;
    }
  };
  static constexpr unsigned kSteps = 32;
  static std::string label() {
    return std::to_string(kA) + " " + A::label() + " + " + std::to_string(kB) + " " + B::label();
  }
  static __device__ void step(T& x, const T& y, const T& z) {
    for (auto& v : x.a) A::step(v, y.a[0], z.a[0]);
    for (auto& v : x.b) B::step(v, y.b[0], z.b[0]);
  }
};

template <class Op, unsigned kChains>
__global__ void run(Span* spans, const unsigned* table, unsigned y0, unsigned z0, unsigned n,
                    unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  words[threadIdx.x] = sharedAddress(words + threadIdx.x);
  using T = typename Op::T;
  const T y(y0);
  const T z(z0);
  T x[kChains];
  for (unsigned c = 0; c < kChains; ++c)
    x[c] = T(table[threadIdx.x % 32 + c] + sharedAddress(words + threadIdx.x));
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#pragma unroll
    for (unsigned s = 0; s < Op::kSteps / kChains; ++s)
      for (unsigned c = 0; c < kChains; ++c) Op::step(x[c], y, z);
  }
  record(spans, start, clockNow());
  unsigned sum = 0;
  for (unsigned c = 0; c < kChains; ++c) sum += static_cast<unsigned>(x[c]);
  sink[threadIdx.x] = sum;
}

template <class Op>
void row(std::FILE* file, const Bench& bench) {
  const bool loads = Op::label().find("ld.shared") !=
                     std::string::npos;  // addresses: all chains begin at their own
  for (unsigned i = 0; i < 64; ++i) bench.table[i] = loads ? 0 : 3 + i * 5;
  const unsigned y = 0x7ffffff1;
  const unsigned z = 1000003;
  const double latency = bench.slope(1, [&](unsigned n) {
    run<Op, 1><<<1, 32, 4096>>>(bench.spans, bench.table, y, z, n, bench.sink);
  });
  const double cycles = bench.slope(32, [&](unsigned n) {
    run<Op, 4><<<1, 1024, 4096>>>(bench.spans, bench.table, y, z, n, bench.sink);
  });
  const double step = cycles / Op::kSteps / 32;
  std::fprintf(file, "%s,%s,%.2f,%.3f,%.1f\n", machineName(), Op::label().c_str(),
               latency / Op::kSteps, step, 32 / step);
}

template <class... Ops>
void rows(std::FILE* file, const Bench& bench) {
  (row<Ops>(file, bench), ...);
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  std::FILE* file = openCsv(argc, argv, "pipes.csv", "machine,step,latency,cycles,lanes_per_cycle");
  rows<Add3, AddXor, MulU32, MadU32, Mad, MulHiU32, MulHiS32, MadHiU32, Mul24, ShlB32, ShrU32,
       ShrS32, ShfB32, Lop3, Logic, Popc, Clz, Bfind, Brev, MinU32, MinS32, Sad, Abs, Bfe, BfeConst,
       Bfi, Prmt, Dp4a, Selp, SetpSelp, Setp, SetU32, ExtS8, Shfl, ShflIdx, Ballot, VoteAny,
       MatchOne, MatchDistinct, MatchAll, ReduxAdd, ReduxMin, ReduxXor, BarWarp>(file, bench);
  rows<AddU64, MulU64, MulHiU64, MadWide, ShlB64, MinU64, AddF32, MulF32, FmaF32, Fma, MinF32, Rcp,
       RcpIeee, Rsqrt, Sqrt, SqrtIeee, Ex2, Lg2, Sin, Tanh, DivApprox, DivFull, CvtS32, CvtF16,
       CvtBf16, CvtF64, CvtRni, CvtS64, AddF64, MulF64, FmaF64, MinF64, CvtF64S32, AddF16, MulF16,
       FmaF16, FmaBf16, MinF16, Ex2F16>(file, bench);
  rows<DivU32, DivS32, RemU32, RemS32, DivU64, DivS64, RemU64, RemS64, DivU64Wide, DivS64Wide,
       RemU64Wide, RemS64Wide, DivF32, DivF64, SqrtF64, SharedLoad>(file, bench);
  rows<Mix<Lop3, 1, FmaF32, 1>, Mix<Logic, 1, Fma, 1>, Mix<Logic, 1, Fma, 2>, Mix<Logic, 1, Fma, 3>,
       Mix<Logic, 2, Fma, 1>, Mix<Logic, 2, Fma, 2>, Mix<Add3, 1, FmaF32, 1>, Mix<Mad, 1, Fma, 1>,
       Mix<Mad, 1, Fma, 2>, Mix<Mad, 1, Fma, 3>, Mix<Mad, 1, Logic, 1>, Mix<Mad, 1, Logic, 2>,
       Mix<Rsqrt, 1, Fma, 4>, Mix<Rsqrt, 1, Fma, 7>, Mix<Rsqrt, 1, Logic, 4>, Mix<Rsqrt, 1, Mad, 4>,
       Mix<Popc, 1, Rsqrt, 1>, Mix<Popc, 1, Logic, 4>, Mix<FmaF64, 1, Fma, 1>,
       Mix<FmaF64, 1, Logic, 1>, Mix<FmaF16, 1, Fma, 1>, Mix<FmaF16, 1, Logic, 1>,
       Mix<FmaF16, 1, Mad, 1>, Mix<Shfl, 1, Logic, 2>, Mix<Shfl, 1, Fma, 3>,
       Mix<SharedLoad, 1, Logic, 2>, Mix<SharedLoad, 1, Fma, 3>, Mix<SharedLoad, 1, Shfl, 1>,
       Mix<SharedLoad, 1, Rsqrt, 1>, Mix<Shfl, 1, Rsqrt, 1>, Mix<MulHiU32, 1, Fma, 1>,
       Mix<MulHiU32, 1, Logic, 1>, Mix<ReduxAdd, 1, Rsqrt, 1>, Mix<FmaF64, 1, Rsqrt, 1>>(file,
                                                                                         bench);
  std::fclose(file);
}

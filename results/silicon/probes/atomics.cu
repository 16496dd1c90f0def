// Shared atomics: cycles per instruction of a warp in steady state, and latency of a dependent
// instruction.
#include "probe.cuh"

namespace {

__device__ unsigned bits(unsigned v) {
  return v;
}
__device__ unsigned bits(int v) {
  return static_cast<unsigned>(v);
}
__device__ unsigned bits(unsigned long long v) {
  return static_cast<unsigned>(v);
}
__device__ unsigned bits(float v) {
  return __float_as_uint(v);
}
__device__ unsigned bits(double v) {
  return static_cast<unsigned>(__double_as_longlong(v));
}

// One instruction in its two forms: with its result in a register, and without.
#define ATOMIC(NAME, OPERATION, TYPE, C, R, WITH, WITHOUT)         \
  struct NAME {                                                    \
    using T = C;                                                   \
    static constexpr const char* kOperation = OPERATION;           \
    static constexpr const char* kType = TYPE;                     \
    static __device__ T with(unsigned at, T v) {                   \
      T r;                                                         \
      asm volatile(WITH : "=" R(r) : "r"(at), R(v) : "memory");    \
      return r;                                                    \
    }                                                              \
    static __device__ void without(unsigned at, T v) {             \
      [[maybe_unused]] T r;                                        \
      asm volatile(WITHOUT : "=" R(r) : "r"(at), R(v) : "memory"); \
    }                                                              \
  };
#define ADDS(NAME, OP, TYPE, PTX, C, R) \
  ATOMIC(NAME, OP, TYPE, C, R, "atom.shared." PTX " %0,[%1],%2;", "red.shared." PTX " [%1],%2;")
#define ONES(NAME, TYPE, PTX, C, R, ONE)                                      \
  ATOMIC(NAME, "add.one", TYPE, C, R, "atom.shared." PTX " %0,[%1]," ONE ";", \
         "red.shared." PTX " [%1]," ONE ";")
#define ONLY_ATOM(NAME, OP, TYPE, C, R, TEXT) \
  ATOMIC(NAME, OP, TYPE, C, R, "atom.shared." TEXT, "atom.shared." TEXT)

#define U64 unsigned long long
ADDS(AddU32, "add", "u32", "add.u32", unsigned, "r")
ADDS(AddS32, "add", "s32", "add.s32", int, "r")
ADDS(MinU32, "min", "u32", "min.u32", unsigned, "r")
ADDS(MaxU32, "max", "u32", "max.u32", unsigned, "r")
ADDS(MinS32, "min", "s32", "min.s32", int, "r")
ADDS(MaxS32, "max", "s32", "max.s32", int, "r")
ADDS(AndB32, "and", "b32", "and.b32", unsigned, "r")
ADDS(OrB32, "or", "b32", "or.b32", unsigned, "r")
ADDS(XorB32, "xor", "b32", "xor.b32", unsigned, "r")
ADDS(IncU32, "inc", "u32", "inc.u32", unsigned, "r")
ADDS(DecU32, "dec", "u32", "dec.u32", unsigned, "r")
ADDS(AddU64, "add", "u64", "add.u64", U64, "l")
ADDS(MaxU64, "max", "u64", "max.u64", U64, "l")
ADDS(OrB64, "or", "b64", "or.b64", U64, "l")
ADDS(AddF32, "add", "f32", "add.f32", float, "f")
ADDS(AddF64, "add", "f64", "add.f64", double, "d")
ADDS(AddF16, "add", "f16x2", "add.noftz.f16x2", unsigned, "r")
ADDS(AddBf16, "add", "bf16x2", "add.noftz.bf16x2", unsigned, "r")
ONES(OneU32, "u32", "add.u32", unsigned, "r", "1")
ONES(OneS32, "s32", "add.s32", int, "r", "1")
ONES(OneU64, "u64", "add.u64", U64, "l", "1")
ONES(OneF32, "f32", "add.f32", float, "f", "0f3F800000")
ONLY_ATOM(ExchB32, "exch", "b32", unsigned, "r", "exch.b32 %0,[%1],%2;")
ONLY_ATOM(ExchB64, "exch", "b64", U64, "l", "exch.b64 %0,[%1],%2;")
// Words hold 0: the first form finds what it compares with and writes 0, the second never does.
ONLY_ATOM(CasHit32, "cas.hit", "b32", unsigned, "r", "cas.b32 %0,[%1],0,0;")
ONLY_ATOM(CasMiss32, "cas.miss", "b32", unsigned, "r", "cas.b32 %0,[%1],1,%2;")
ONLY_ATOM(CasHit64, "cas.hit", "b64", U64, "l", "cas.b64 %0,[%1],0,0;")
ONLY_ATOM(CasMiss64, "cas.miss", "b64", U64, "l", "cas.b64 %0,[%1],1,%2;")
// References without an atomic: what the loop and the chain cost around a load and a store.
ATOMIC(Plain32, "ld or st", "b32", unsigned, "r", "ld.volatile.shared.b32 %0,[%1];",
       "st.volatile.shared.b32 [%1],%2;")
ATOMIC(Plain64, "ld or st", "b64", U64, "l", "ld.volatile.shared.b64 %0,[%1];",
       "st.volatile.shared.b64 [%1],%2;")

constexpr unsigned kSharedBytes = 32 * 4096 + 1024;
constexpr unsigned kUnrolled = 4;

__device__ unsigned prepare(const unsigned* offsets, unsigned apart) {
  extern __shared__ __align__(1024) unsigned words[];
  for (unsigned i = threadIdx.x; i < kSharedBytes / 4; i += blockDim.x) words[i] = 0;
  __syncthreads();
  return sharedAddress(words) + threadIdx.x / 32 * apart + offsets[threadIdx.x % 32];
}

template <class Op, bool kResult>
__global__ void steady(Span* spans, const unsigned* offsets, unsigned apart, unsigned n,
                       unsigned one, unsigned zero, unsigned* sink) {
  const unsigned at = prepare(offsets, apart);
  typename Op::T values[kUnrolled];  // alike, but the compiler does not know it: else it would
                                     // merge AND and OR
  for (unsigned u = 0; u < kUnrolled; ++u) values[u] = static_cast<typename Op::T>(one + u * zero);
  unsigned results = 0;
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#pragma unroll
    for (unsigned u = 0; u < kUnrolled; ++u) {
      if constexpr (kResult) {
        results ^= bits(Op::with(at, values[u]));
      } else {
        Op::without(at, values[u]);
      }
    }
  }
  record(spans, start, clockNow());
  sink[threadIdx.x] = results;
}

/// Each address needs the last result: one LOP3 joins them, as it does in the rows of "ld or st".
template <class Op>
__global__ void chain(Span* spans, const unsigned* offsets, unsigned zero, unsigned n, unsigned one,
                      unsigned* sink) {
  unsigned at = prepare(offsets, 0);
  const typename Op::T value = static_cast<typename Op::T>(one);
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#pragma unroll
    for (unsigned u = 0; u < kUnrolled; ++u) at |= bits(Op::with(at, value)) & zero;
  }
  record(spans, start, clockNow());
  sink[threadIdx.x] = at;
}

struct Pattern {
  const char* name;
  unsigned k;
  /// Byte offset of a lane's word.
  unsigned offset(unsigned lane, unsigned bytes) const {
    const std::string is = name;
    if (is == "lanes") return lane / k * bytes;
    return lane % k * 128 + lane / k * bytes;
  }
};

const Pattern kPatterns[] = {{"lanes", 32}, {"ways", 1},   {"lanes", 2}, {"lanes", 4},
                             {"lanes", 8},  {"lanes", 16}, {"ways", 2},  {"ways", 4},
                             {"ways", 8},   {"ways", 16},  {"ways", 32}};

template <class Op, bool kResult>
void rows(std::FILE* file, const Bench& bench) {
  CHECK(cudaFuncSetAttribute(steady<Op, kResult>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kSharedBytes));
  CHECK(cudaFuncSetAttribute(chain<Op>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  for (const Pattern& pattern : kPatterns) {
    for (unsigned lane = 0; lane < 32; ++lane)
      bench.table[lane] = pattern.offset(lane, sizeof(typename Op::T));
    for (const unsigned warps : {1U, 4U, 8U, 16U, 32U}) {
      for (const unsigned apart : {4096U, 0U}) {
        if (apart == 0 && warps == 1) continue;
        const double cycles = bench.slope(warps, [&](unsigned n) {
          steady<Op, kResult><<<1, 32 * warps, kSharedBytes>>>(bench.spans, bench.table, apart, n,
                                                               1, 0, bench.sink);
        });
        std::fprintf(file, "%s,%s,%s,%s,%u,%s,%s,%u,%.2f,", machineName(), Op::kOperation,
                     Op::kType, pattern.name, pattern.k, apart == 0 ? "all" : "own",
                     kResult ? "yes" : "no", warps, cycles / kUnrolled / warps);
        if (kResult && warps == 1) {
          const double latency = bench.slope(1, [&](unsigned n) {
            chain<Op><<<1, 32, kSharedBytes>>>(bench.spans, bench.table, 0, n, 1, bench.sink);
          });
          std::fprintf(file, "%.2f", latency / kUnrolled);
        }
        std::fprintf(file, "\n");
      }
    }
  }
}

template <class... Ops>
void all(std::FILE* file, const Bench& bench) {
  (rows<Ops, true>(file, bench), ...);
  (rows<Ops, false>(file, bench), ...);
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  std::FILE* file = openCsv(argc, argv, "atomics.csv",
                            "machine,operation,type,pattern,k,words,result,warps,cycles,latency");
  all<Plain32, Plain64, AddU32, OneU32, AddS32, OneS32, MinU32, MaxU32, MinS32, MaxS32, AndB32,
      OrB32, XorB32, IncU32, DecU32, ExchB32, CasHit32, CasMiss32, AddU64, OneU64, MaxU64, OrB64,
      ExchB64, CasHit64, CasMiss64, AddF32, OneF32, AddF64, AddF16, AddBf16>(file, bench);
  std::fclose(file);
}

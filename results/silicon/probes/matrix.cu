// Matrix fragments and accesses with idle lane groups: latency in a chain, cycles of many.
// ptxas drops an ldmatrix whose result nothing reads, so that those of many warps are chains, too.
#include "probe.cuh"

namespace {

#define FRAGMENT "matrix.sync.aligned.m8n8."
#define LOAD(OUT, ...) asm volatile(OUT:__VA_ARGS__ : "r"(at) : "memory")
#define STORE(TEXT) asm volatile(TEXT ::"r"(at) : "memory")

enum Kind {
  kLoad32,
  kLoad64,
  kLoad128,
  kStore128,
  kLoad1,
  kLoad2,
  kLoad4,
  kStore1,
  kStore2,
  kStore4
};

template <Kind kind>
__device__ unsigned access(unsigned at) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (kind == kLoad32) LOAD("ld.volatile.shared.b32 %0,[%1];", "=r"(a));
  if (kind == kLoad64) LOAD("ld.volatile.shared.v2.b32 {%0,%1},[%2];", "=r"(a), "=r"(b));
  if (kind == kLoad128)
    LOAD("ld.volatile.shared.v4.b32 {%0,%1,%2,%3},[%4];", "=r"(a), "=r"(b), "=r"(c), "=r"(d));
  if (kind == kStore128) STORE("st.volatile.shared.v4.b32 [%0],{%0,%0,%0,%0};");
  if (kind == kLoad1) LOAD("ld" FRAGMENT "x1.shared.b16 {%0},[%1];", "=r"(a));
  if (kind == kLoad2) LOAD("ld" FRAGMENT "x2.shared.b16 {%0,%1},[%2];", "=r"(a), "=r"(b));
  if (kind == kLoad4)
    LOAD("ld" FRAGMENT "x4.shared.b16 {%0,%1,%2,%3},[%4];", "=r"(a), "=r"(b), "=r"(c), "=r"(d));
  if (kind == kStore1) STORE("st" FRAGMENT "x1.shared.b16 [%0],{%0};");
  if (kind == kStore2) STORE("st" FRAGMENT "x2.shared.b16 [%0],{%0,%0};");
  if (kind == kStore4) STORE("st" FRAGMENT "x4.shared.b16 [%0],{%0,%0,%0,%0};");
  return a;
}

// Each lane finds its own address where it reads, so that a chain stays on its words. What the
// other registers of a wide load hold is 0.
template <Kind kind, bool chain>
__global__ void __launch_bounds__(1024)
    run(Span* spans, unsigned* sink, unsigned active, unsigned stride, unsigned n) {
  extern __shared__ __align__(128) unsigned words[];
  const unsigned lane = threadIdx.x % 32;
  unsigned at = sharedAddress(words) + stride * lane;
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const bool rows = kind >= kLoad1;
  if (threadIdx.x < 32) words[(rows ? stride * (lane / 4) + lane % 4 * 4 : stride * lane) / 4] = at;
  __syncthreads();
  const unsigned start = clockNow();
  if (active >> lane & 1) {
    for (unsigned i = 0; i < n; ++i) {
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) {
        const unsigned got = access<kind>(at);
        if (chain) at = got;
      }
    }
  }
  __syncwarp();
  record(spans, start, clockNow());
  if (at == 1) *sink = at;
}

template <Kind kind>
void measure(std::FILE* out, const char* name, unsigned bytes, unsigned active, unsigned ways) {
  static const Bench bench;
  const auto cycles = [&](auto launch, unsigned warps) {
    return bench.slope(warps, [&](unsigned n) {
      launch<<<1, 32 * warps, 16384>>>(bench.spans, bench.sink, active, bytes * ways, n);
    }) / 8;
  };
  constexpr bool chained = kind >= kLoad1 && kind <= kLoad4;
  const bool stores = kind == kStore128 || kind >= kStore1;
  const double latency = stores ? 0 : cycles(run<kind, true>, 1);
  for (const unsigned warps : {1U, 4U, 8U, 32U}) {
    std::fprintf(out, "%s,%s,%u,%08x,%u,%u,%.2f,", machineName(), name, bytes, active, ways, warps,
                 cycles(run<kind, chained>, warps) / warps);
    stores ? std::fprintf(out, "\n") : std::fprintf(out, "%.2f\n", latency);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* out =
      openCsv(argc, argv, "matrix.csv", "machine,operation,bytes,active,ways,warps,cycles,latency");
  const unsigned all = ~0U;
  for (const unsigned ways : {0U, 1U, 2U, 4U, 8U}) {
    measure<kLoad1>(out, "ldmatrix.x1", 16, all, ways);
    measure<kLoad2>(out, "ldmatrix.x2", 16, all, ways);
    measure<kLoad4>(out, "ldmatrix.x4", 16, all, ways);
    measure<kStore1>(out, "stmatrix.x1", 16, all, ways);
    measure<kStore2>(out, "stmatrix.x2", 16, all, ways);
    measure<kStore4>(out, "stmatrix.x4", 16, all, ways);
    for (const unsigned active :
         {all, 0xffffffU, 0xffffU, 0xffU, 1U, 0x10001U, 0xff00ffU, 0x1010101U}) {
      if (ways == 1) measure<kLoad32>(out, "ld.shared", 4, active, ways);
      measure<kLoad64>(out, "ld.shared", 8, active, ways);
      measure<kLoad128>(out, "ld.shared", 16, active, ways);
      measure<kStore128>(out, "st.shared", 16, active, ways);
    }
  }
  return std::fclose(out);
}

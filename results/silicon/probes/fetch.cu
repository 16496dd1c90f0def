// Code without a branch, executed three times: cycles per block of 62 instructions, or 992 bytes.
// The first pass of a launch finds what earlier launches left, later passes find what fits. A hop
// executes 5 instructions and jumps over `skip` more.
#include "probe.cuh"

namespace {

constexpr unsigned kPasses = 3;

#define FMA4                    \
  "fma.rn.f32 %0,%0,%4,%4;\n\t" \
  "fma.rn.f32 %1,%1,%4,%4;\n\t" \
  "fma.rn.f32 %2,%2,%4,%4;\n\t" \
  "fma.rn.f32 %3,%3,%4,%4;\n\t"
#define FMA16 FMA4 FMA4 FMA4 FMA4
#define OPERANDS : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "f"(x)

/// 60 FMAs and what writes the clock: 62 instructions of 16 bytes, as the machine code says.
__device__ __forceinline__ void block(float& a, float& b, float& c, float& d, float x,
                                      unsigned time) {
  asm volatile(FMA16 FMA16 FMA16 FMA4 FMA4 FMA4 OPERANDS);
  asm volatile(
      "{ .reg .u32 now;\n\tmov.u32 now,%%clock;\n\tst.volatile.shared.u32 [%0],now; }" ::"r"(time));
}

template <unsigned kSkip>
__device__ __forceinline__ void hop(float& a, float& b, float& c, float& d, float x, unsigned go) {
  if constexpr (kSkip == 8)
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p,%5,0;\n\t" FMA4 "@p bra over;\n\t" FMA4 FMA4
                 "over: }" OPERANDS,
                 "r"(go));
  if constexpr (kSkip == 24)
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p,%5,0;\n\t" FMA4
                 "@p bra over;\n\t" FMA16 FMA4 FMA4 "over: }" OPERANDS,
                 "r"(go));
  if constexpr (kSkip == 56)
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p,%5,0;\n\t" FMA4
                 "@p bra over;\n\t" FMA16 FMA16 FMA16 FMA4 FMA4 "over: }" OPERANDS,
                 "r"(go));
  if constexpr (kSkip == 120)
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p,%5,0;\n\t" FMA4
                 "@p bra over;\n\t" FMA16 FMA16 FMA16 FMA16 FMA16 FMA16 FMA16 FMA4 FMA4
                 "over: }" OPERANDS,
                 "r"(go));
  if constexpr (kSkip == 248)
    asm volatile("{ .reg .pred p;\n\tsetp.ne.u32 p,%5,0;\n\t" FMA4
                 "@p bra over;\n\t" FMA16 FMA16 FMA16 FMA16 FMA16 FMA16 FMA16 FMA16 FMA16 FMA16
                     FMA16 FMA16 FMA16 FMA16 FMA16 FMA4 FMA4 "over: }" OPERANDS,
                 "r"(go));
}

/// Writes the cycles of each pass of warp 0 of CTA 0. A block is `kSkip` = 0, or a hop over that
/// many instructions.
template <unsigned kCount, unsigned kSkip>
__global__ void __launch_bounds__(128, 1)
    straight(unsigned* cycles, float x, unsigned go, float* sink) {
  __shared__ unsigned time;
  float a = x, b = x, c = x, d = x;
#pragma unroll 1
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const unsigned start = clockNow();
#pragma unroll
    for (unsigned i = 0; i < kCount; ++i) {
      if constexpr (kSkip == 0) block(a, b, c, d, x, sharedAddress(&time));
      if constexpr (kSkip != 0) hop<kSkip>(a, b, c, d, x, go);
    }
    const unsigned end = clockNow();
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) cycles[pass] = end - start;
  }
  sink[threadIdx.x] = a + b + c + d;
}

/// Fills the instruction caches with other code.
void flush(unsigned* cycles, float* sink) {
  straight<768, 0><<<132, 128>>>(cycles, 1.0F, 1, sink);
  CHECK(cudaDeviceSynchronize());
}

/// Writes a row per pass of three launches: the first, another one, and one behind other code.
template <unsigned kCount, unsigned kSkip>
void measure(std::FILE* file, unsigned ctas, unsigned warps, unsigned* cycles, float* sink) {
  for (const char* before : {"nothing", "itself", "other"}) {
    if (before[0] == 'o') flush(cycles, sink);
    straight<kCount, kSkip><<<ctas, 32 * warps>>>(cycles, 1.0F, 1, sink);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    for (unsigned pass = 0; pass < kPasses; ++pass) {
      std::fprintf(file, "%s,%u,%u,%u,%u,%s,%u,%.2f\n", machineName(), kCount, kSkip, ctas, warps,
                   before, pass, static_cast<double>(cycles[pass]) / kCount);
    }
  }
}

template <unsigned kCount>
void sizes(std::FILE* file, unsigned* cycles, float* sink) {
  measure<kCount, 0>(file, 1, 1, cycles, sink);
  measure<kCount, 0>(file, 1, 4, cycles, sink);
  measure<kCount, 0>(file, 132, 4, cycles, sink);
}

template <unsigned kSkip>
void hops(std::FILE* file, unsigned* cycles, float* sink) {
  measure<64, kSkip>(file, 1, 1, cycles, sink);
  measure<256, kSkip>(file, 1, 1, cycles, sink);
}

}  // namespace

int main(int argc, char** argv) {
  unsigned* cycles = nullptr;
  float* sink = nullptr;
  CHECK(cudaMallocHost(&cycles, kPasses * sizeof(unsigned)));
  CHECK(cudaMalloc(&sink, 4096));
  std::FILE* file =
      openCsv(argc, argv, "fetch.csv", "machine,count,skip,ctas,warps,before,pass,cycles");
  sizes<8>(file, cycles, sink);
  sizes<16>(file, cycles, sink);
  sizes<24>(file, cycles, sink);
  sizes<30>(file, cycles, sink);
  sizes<40>(file, cycles, sink);
  sizes<64>(file, cycles, sink);
  sizes<96>(file, cycles, sink);
  sizes<120>(file, cycles, sink);
  sizes<144>(file, cycles, sink);
  sizes<192>(file, cycles, sink);
  sizes<256>(file, cycles, sink);
  sizes<384>(file, cycles, sink);
  hops<8>(file, cycles, sink);
  hops<24>(file, cycles, sink);
  hops<56>(file, cycles, sink);
  hops<120>(file, cycles, sink);
  hops<248>(file, cycles, sink);
  std::fclose(file);
}

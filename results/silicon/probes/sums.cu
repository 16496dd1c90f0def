// Shared loads whose words are added up: each word goes to a running sum, eight loads later, as
// compilers schedule such loops. With many warps loads and additions compete for issue slots.
#include "probe.cuh"

namespace {

constexpr unsigned kBytes = 48 * 1024;
constexpr unsigned kLoads = 64;  // in a round of the loop
constexpr unsigned kBehind = 8;  // loads between one and its additions

template <unsigned kWords>
__device__ void load(float (&value)[kWords], unsigned at) {
  if constexpr (kWords == 1)
    asm volatile("ld.volatile.shared.f32 %0,[%1];" : "=f"(value[0]) : "r"(at));
  if constexpr (kWords == 2)
    asm volatile("ld.volatile.shared.v2.f32 {%0,%1},[%2];"
                 : "=f"(value[0]), "=f"(value[1])
                 : "r"(at));
  if constexpr (kWords == 4)
    asm volatile("ld.volatile.shared.v4.f32 {%0,%1,%2,%3},[%4];"
                 : "=f"(value[0]), "=f"(value[1]), "=f"(value[2]), "=f"(value[3])
                 : "r"(at));
}

/// `elements[thread]`: the element that the thread loads first; each later load is one further.
template <unsigned kWords>
__global__ void sums(Span* spans, const unsigned* elements, unsigned n, float* sink) {
  extern __shared__ __align__(1024) float words[];
  const unsigned at = sharedAddress(words) + elements[threadIdx.x] * kWords * 4;
  float sum[kWords] = {};
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
    float value[kLoads][kWords];
#pragma unroll
    for (unsigned k = 0; k < kLoads + kBehind; ++k) {
      if (k < kLoads) load<kWords>(value[k], at + k * kWords * 4);
      if (k < kBehind) continue;
#pragma unroll
      for (unsigned w = 0; w < kWords; ++w)
        asm volatile("add.rn.f32 %0,%0,%1;" : "+f"(sum[w]) : "f"(value[k - kBehind][w]));
    }
  }
  const unsigned end = clockNow();
  record(spans, start, end);
  for (unsigned w = 0; w < kWords; ++w) sink[threadIdx.x * kWords + w] = sum[w];
}

template <unsigned kWords>
void rows(std::FILE* file, const Bench& bench) {
  for (const unsigned share : {1U, 2U, 4U, 32U}) {
    for (const unsigned ways : {1U, 2U, 4U, 16U}) {
      if (share != 1 && ways != 1) continue;
      for (const unsigned warps : {4U, 8U, 16U, 32U}) {
        // `share` lanes side by side on one element; `ways` lanes on one bank.
        for (unsigned t = 0; t < 32 * warps; ++t)
          bench.table[t] = t % 32 / share % ways * 32 + t % 32 / share / ways;
        const double cycles = bench.slope(warps, [&](unsigned n) {
          sums<kWords><<<1, 32 * warps, kBytes>>>(bench.spans, bench.table, n,
                                                  reinterpret_cast<float*>(bench.sink));
        });
        std::fprintf(file, "%s,%u,%u,%u,%u,%.3f\n", machineName(), kWords * 4, share, ways, warps,
                     cycles / kLoads / warps);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  std::FILE* file = openCsv(argc, argv, "sums.csv", "machine,bytes,share,ways,warps,cycles");
  rows<1>(file, bench);
  rows<2>(file, bench);
  rows<4>(file, bench);
  std::fclose(file);
}

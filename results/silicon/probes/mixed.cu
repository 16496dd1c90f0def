// Warps whose shared loads conflict beside warps whose loads do not: cycles per round of each warp.
// A round is 8 loads and the sum of their words, which the next round's address waits for.
#include "probe.cuh"

namespace {

constexpr unsigned kBytes = 32 * 1024;
constexpr unsigned kLoads = 8;
constexpr unsigned kRounds = 400;

/// `conflicting`: bit w for each warp w whose lanes are on `ways` words of a bank.
__global__ void mixed(Span* spans, unsigned conflicting, unsigned ways, unsigned* sink) {
  extern __shared__ unsigned words[];
  for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x) words[i] = 0;
  const unsigned stride = (conflicting >> (threadIdx.x / 32) & 1) != 0 ? ways : 1;
  unsigned at = sharedAddress(words) + threadIdx.x % 32 * stride * 4;
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < kRounds; ++i) {
    unsigned value[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k)
      asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(value[k]) : "r"(at + k * 4096));
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) at += value[k];
  }
  const unsigned end = clockNow();
  record(spans, start, end);
  sink[threadIdx.x] = at;
}

void rows(std::FILE* file, const Bench& bench, unsigned warps, unsigned conflicting,
          unsigned ways) {
  std::vector<unsigned> least(warps, ~0U);
  for (unsigned run = 0; run < 5; ++run) {
    mixed<<<1, 32 * warps, kBytes>>>(bench.spans, conflicting, ways,
                                     reinterpret_cast<unsigned*>(bench.sink));
    bench.elapsed(warps);
    for (unsigned w = 0; w < warps; ++w)
      least[w] = std::min(least[w], bench.spans[w].end - bench.spans[w].start);
  }
  for (unsigned w = 0; w < warps; ++w) {
    std::fprintf(file, "%s,%u,%u,%u,%u,%u,%.2f\n", machineName(), warps, conflicting, ways, w,
                 conflicting >> w & 1, static_cast<double>(least[w]) / kRounds);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  std::FILE* file =
      openCsv(argc, argv, "mixed.csv", "machine,warps,conflicting,ways,warp,conflicts,cycles");
  for (const unsigned ways : {2U, 4U, 8U, 32U}) {
    for (const unsigned mask : {0x0U, 0x1U, 0x3U, 0x11U, 0xfU, 0x33U, 0xffU})
      rows(file, bench, 8, mask, ways);
    for (const unsigned mask : {0x0U, 0x1U}) rows(file, bench, 1, mask, ways);
    for (const unsigned mask : {0x1U, 0x3U}) rows(file, bench, 2, mask, ways);
    for (const unsigned mask : {0x1U, 0xfU}) rows(file, bench, 4, mask, ways);
    rows(file, bench, 5, 0x1U, ways);
    for (const unsigned mask : {0xffU, 0xffffU}) rows(file, bench, 16, mask, ways);
    for (const unsigned mask : {0xffffU, 0xffffffffU}) rows(file, bench, 32, mask, ways);
  }
  std::fclose(file);
}

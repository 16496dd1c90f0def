// Warpgroup matrix instructions m64nNk16 of f16 with f32 sums: cycles per instruction of one
// warpgroup, and of four.
#include "probe.cuh"

namespace {

// Operands that name eight, and more, registers of the sums.
#define R8(s, i)                                                                              \
  "+f"(s[i]), "+f"(s[i + 1]), "+f"(s[i + 2]), "+f"(s[i + 3]), "+f"(s[i + 4]), "+f"(s[i + 5]), \
      "+f"(s[i + 6]), "+f"(s[i + 7])
#define R16(s, i) R8(s, i), R8(s, i + 8)
#define R32(s, i) R16(s, i), R16(s, i + 16)
#define R64(s, i) R32(s, i), R32(s, i + 32)

template <int kN>
__device__ void multiply(float (&s)[kN / 2], unsigned long long a, unsigned long long b) {
  if constexpr (kN == 8)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {"
        "%0,%1,%2,%3"
        "}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
        : "l"(a), "l"(b));
  if constexpr (kN == 16)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7"
        "}, %8, %9, 1, 1, 1, 0, 0;"
        : R8(s, 0)
        : "l"(a), "l"(b));
  if constexpr (kN == 32)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15"
        "}, %16, %17, 1, 1, 1, 0, 0;"
        : R16(s, 0)
        : "l"(a), "l"(b));
  if constexpr (kN == 64)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,"
        "%25,%26,%27,%28,%29,%30,%31"
        "}, %32, %33, 1, 1, 1, 0, 0;"
        : R32(s, 0)
        : "l"(a), "l"(b));
  if constexpr (kN == 128)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,"
        "%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%4"
        "7,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
        "}, %64, %65, 1, 1, 1, 0, 0;"
        : R64(s, 0)
        : "l"(a), "l"(b));
  if constexpr (kN == 256)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
        "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,"
        "%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%4"
        "7,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,"
        "%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%9"
        "2,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
        "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
        "}, %128, %129, 1, 1, 1, 0, 0;"
        : R64(s, 0), R64(s, 64)
        : "l"(a), "l"(b));
}

template <int kN>
__global__ void __launch_bounds__(kN == 256 ? 256 : 512, 1)
    run(Span* spans, unsigned n, unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  for (unsigned i = threadIdx.x; i < 16384; i += blockDim.x)
    words[i] = i * 2654435761U & 0x3fff3fff;
  __syncthreads();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // Both operands lie in shared memory, without a swizzle: 8 rows of 16 bytes make a core matrix of
  // 128 bytes.
  const unsigned long long at = (sharedAddress(words) & 0x3ffff) >> 4;
  const unsigned long long a = at | 8ULL << 16 | 16ULL << 32;
  const unsigned long long b = (at + 1024) | 8ULL << 16 | 16ULL << 32;
  float s[kN / 2] = {};
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int u = 0; u < 8; ++u) multiply<kN>(s, a, b);
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  record(spans, start, clockNow());
  float sum = 0;
  for (const float v : s) sum += v;
  sink[threadIdx.x] = __float_as_uint(sum);
}

template <int... kNs>
void rows(std::FILE* file, const Bench& bench) {
  const auto row = [&](auto kernel, int n) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    for (const unsigned groups : {1U, 2U, 4U}) {
      if (groups * n > 512) continue;  // registers
      const double cycles = bench.slope(groups * 4, [&](unsigned count) {
        kernel<<<1, groups * 128, 65536>>>(bench.spans, count, bench.sink);
      });
      std::fprintf(file, "%s,m64n%dk16,f16,%u,%.2f,%.1f\n", machineName(), n, groups,
                   cycles / 8 / groups, 64.0 * n * 16 * 8 * groups / cycles);
    }
  };
  (row(run<kNs>, kNs), ...);
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  std::FILE* file =
      openCsv(argc, argv, "wgmma.csv", "machine,shape,type,warpgroups,cycles,fma_per_cycle");
  rows<8, 16, 32, 64, 128, 256>(file, bench);
  std::fclose(file);
}

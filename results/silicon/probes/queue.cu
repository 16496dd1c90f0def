// The way from a sub-core to the banks: issue cycles of bursts, steady intervals, and when source
// registers are free.
#include <type_traits>

#include "probe.cuh"

namespace {

enum class Space { kShared, kGlobal, kStore };
constexpr const char* kNames[] = {"ld.shared", "ld.global", "st.shared"};
constexpr unsigned kApart = 512;  // bytes from one access of a burst to the next: no two are alike
constexpr unsigned kBytes = 48 * 1024;

template <unsigned kWords>
struct Value {
  unsigned w[4] = {0, 0, 0, 0};
  __device__ unsigned sum() const { return w[0] ^ w[1] ^ w[2] ^ w[3]; }
};

template <Space kSpace, unsigned kWords>
__device__ void access(Value<kWords>& v, unsigned shared, const char* global) {
  if constexpr (kSpace == Space::kShared) {
    if constexpr (kWords == 1)
      asm volatile("ld.shared.u32 %0,[%1];" : "=r"(v.w[0]) : "r"(shared) : "memory");
    if constexpr (kWords == 2)
      asm volatile("ld.shared.v2.u32 {%0,%1},[%2];"
                   : "=r"(v.w[0]), "=r"(v.w[1])
                   : "r"(shared)
                   : "memory");
    if constexpr (kWords == 4)
      asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];"
                   : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                   : "r"(shared)
                   : "memory");
  } else if constexpr (kSpace == Space::kGlobal) {
    if constexpr (kWords == 1)
      asm volatile("ld.global.u32 %0,[%1];" : "=r"(v.w[0]) : "l"(global) : "memory");
    if constexpr (kWords == 2)
      asm volatile("ld.global.v2.u32 {%0,%1},[%2];"
                   : "=r"(v.w[0]), "=r"(v.w[1])
                   : "l"(global)
                   : "memory");
    if constexpr (kWords == 4)
      asm volatile("ld.global.v4.u32 {%0,%1,%2,%3},[%4];"
                   : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])
                   : "l"(global)
                   : "memory");
  } else {
    if constexpr (kWords == 1)
      asm volatile("st.shared.u32 [%1],%0;" ::"r"(v.w[0]), "r"(shared) : "memory");
    if constexpr (kWords == 2)
      asm volatile("st.shared.v2.u32 [%2],{%0,%1};" ::"r"(v.w[0]), "r"(v.w[1]), "r"(shared)
                   : "memory");
    if constexpr (kWords == 4)
      asm volatile("st.shared.v4.u32 [%4],{%0,%1,%2,%3};" ::"r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]),
                   "r"(v.w[3]), "r"(shared)
                   : "memory");
  }
}

/// One warp in each of the first `active` sub-cores issues kCount accesses between two clock reads.
/// The last of three turns is recorded: instructions and lines are in their caches by then.
template <Space kSpace, unsigned kWords, unsigned kCount>
__global__ void burst(Span* spans, const char* memory, unsigned stride, unsigned active,
                      unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  const unsigned lane = threadIdx.x % 32;
  const unsigned shared = sharedAddress(words) + lane * stride;
  const char* global = memory + lane * stride;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned turn = 0; turn < 3; ++turn) {
    Value<kWords> values[kCount + 1];
    for (auto& value : values) value.w[0] = value.w[1] = value.w[2] = value.w[3] = turn;
    __syncthreads();
    if (threadIdx.x / 32 >= active) continue;
    const unsigned start = clockNow();
#pragma unroll
    for (unsigned i = 0; i != kCount; ++i)
      access<kSpace, kWords>(values[i], shared + i * kApart, global + i * kApart);
    const unsigned end = clockNow();
    for (const auto& value : values) sum ^= value.sum();
    record(spans, start, end);
  }
  sink[threadIdx.x] = sum;
}

/// Accesses of one chain each: the word that a lane loads holds its own address. Stores go where
/// they are.
template <Space kSpace, unsigned kWords>
__global__ void stream(Span* spans, const char* memory, unsigned stride, unsigned active,
                       unsigned n, unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  const unsigned base = sharedAddress(words);
  for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x) words[i] = base + i * 4;
  const unsigned lane = threadIdx.x % 32;
  constexpr unsigned kChains = 4;
  unsigned shared[kChains];
  for (unsigned c = 0; c < kChains; ++c) shared[c] = base + lane * stride + c * kApart;
  const auto whole = reinterpret_cast<unsigned long long>(memory);
  const unsigned high = static_cast<unsigned>(whole >> 32);
  unsigned low[kChains];
  for (unsigned c = 0; c < kChains; ++c)
    low[c] = static_cast<unsigned>(whole) + lane * stride + c * kApart;
  __syncthreads();
  if (threadIdx.x / 32 % 4 >= active) return;
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#pragma unroll
    for (unsigned c = 0; c < kChains; ++c) {
      Value<kWords> value;
      value.w[0] = shared[c];
      unsigned long long at;
      asm("mov.b64 %0,{%1,%2};" : "=l"(at) : "r"(low[c]), "r"(high));
      access<kSpace, kWords>(value, shared[c], reinterpret_cast<const char*>(at));
      if (kSpace == Space::kShared) shared[c] = value.w[0];
      if (kSpace == Space::kGlobal) low[c] = value.w[0];
    }
  }
  record(spans, start, clockNow());
  unsigned sum = 0;
  for (unsigned c = 0; c < kChains; ++c)
    sum += shared[c] - base + low[c] - static_cast<unsigned>(whole);
  sink[threadIdx.x] = sum;
}

enum class Next { kAddress, kData, kNothing };

/// One access, then an addition to its address register, or to its data register, between two clock
/// reads. What the compiler does not keep in that form (addresses of wide global loads) has no row.
template <Space kSpace, unsigned kWords, Next kNext>
__global__ void release(Span* spans, const char* memory, unsigned stride, unsigned zero,
                        unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  for (unsigned i = threadIdx.x; i < kBytes / 4; i += blockDim.x) words[i] = 0;
  unsigned shared = sharedAddress(words) + threadIdx.x % 32 * stride;
  const auto whole = reinterpret_cast<unsigned long long>(memory);
  unsigned low = static_cast<unsigned>(whole) + threadIdx.x % 32 * stride;
  const unsigned high = static_cast<unsigned>(whole >> 32);
  unsigned sum = 0;
  Value<kWords> value;  // zeros, loaded, so that they are in registers all the time
  for (unsigned w = 0; w < kWords; ++w)
    value.w[w] = reinterpret_cast<const volatile unsigned*>(memory)[w];
#pragma unroll 1
  for (unsigned turn = 0; turn < 4; ++turn) {
    __syncthreads();
    if (threadIdx.x >= 32) continue;
    unsigned long long at;
    asm("mov.b64 %0,{%1,%2};" : "=l"(at) : "r"(low), "r"(high));
    const unsigned start = clockNow();
    access<kSpace, kWords>(value, shared, reinterpret_cast<const char*>(at));
    if constexpr (kNext == Next::kAddress && kSpace == Space::kGlobal)
      asm volatile("add.u32 %0,%0,%1;" : "+r"(low) : "r"(zero) : "memory");
    if constexpr (kNext == Next::kAddress && kSpace != Space::kGlobal)
      asm volatile("add.u32 %0,%0,%1;" : "+r"(shared) : "r"(zero) : "memory");
    if constexpr (kNext == Next::kData)
      asm volatile("add.u32 %0,%0,%1;" : "+r"(value.w[0]) : "r"(zero) : "memory");
    const unsigned end = clockNow();
    if (kSpace != Space::kStore) sum ^= value.sum();
    record(spans, start, end);
  }
  sink[threadIdx.x] = shared + low + value.sum() + sum;
}

struct Files {
  std::FILE *bursts, *intervals, *releases;
  const char*
      spacing;  ///< cycles that the machine code leaves between two accesses of a burst, at least
};

template <Space kSpace, unsigned kWords, unsigned kCount>
void burstRows(const Files& files, const Bench& bench, const char* memory, unsigned ways) {
  for (unsigned active = 1; active <= 4; ++active) {
    burst<kSpace, kWords, kCount>
        <<<1, 128, kBytes>>>(bench.spans, memory, ways * kWords * 4, active, bench.sink);
    bench.elapsed(active);
    unsigned first = 0;
    for (unsigned w = 1; w < active; ++w)
      if (static_cast<int>(bench.spans[w].start - bench.spans[first].start) < 0) first = w;
    std::fprintf(files.bursts, "%s,%s,%s,%u,%u,%u,%u,", machineName(), files.spacing,
                 kNames[static_cast<int>(kSpace)], kWords * 4, ways, active, kCount);
    for (unsigned w = 0; w < active; ++w)
      std::fprintf(files.bursts, "%s%u", w ? " " : "",
                   bench.spans[w].start - bench.spans[first].start);
    for (unsigned w = 0; w < active; ++w)
      std::fprintf(files.bursts, "%c%u", w ? ' ' : ',', bench.spans[w].end - bench.spans[w].start);
    std::fprintf(files.bursts, "\n");
  }
}

template <Space kSpace, unsigned kWords, Next kNext>
void releaseRow(const Files& files, const Bench& bench, const char* memory, unsigned ways) {
  constexpr const char* kNexts[] = {"address", "data", "nothing"};
  release<kSpace, kWords, kNext>
      <<<1, 32, kBytes>>>(bench.spans, memory, ways * kWords * 4, 0, bench.sink);
  std::fprintf(files.releases, "%s,%s,%u,%u,%s,%u\n", machineName(),
               kNames[static_cast<int>(kSpace)], kWords * 4, ways, kNexts[static_cast<int>(kNext)],
               bench.elapsed(1));
}

template <Space kSpace, unsigned kWords, unsigned... kCounts>
void rows(const Files& files, const Bench& bench, const char* memory, const char* words,
          std::integer_sequence<unsigned, kCounts...>) {
  for (const unsigned ways : {1U, 2U, 4U, 8U}) {
    if constexpr (kSpace != Space::kStore ||
                  kWords == 1)  // wider stores wait for the zeros they are given
      (burstRows<kSpace, kWords, kCounts>(files, bench, memory, ways), ...);
    for (unsigned active = 1; active <= 4; ++active) {
      for (const unsigned each : {1U, 2U, 4U, 8U}) {
        const double cycles = bench.slope(4 * each, [&](unsigned n) {
          for (unsigned w = 0; w < 32; ++w) bench.spans[w] = {0, 0};
          stream<kSpace, kWords><<<1, 128 * each, kBytes>>>(bench.spans, words, ways * kWords * 4,
                                                            active, n, bench.sink);
        });
        std::fprintf(files.intervals, "%s,%s,%u,%u,%u,%u,%.2f\n", machineName(),
                     kNames[static_cast<int>(kSpace)], kWords * 4, ways, active, each,
                     cycles / 4 / each);
      }
    }
    if constexpr (kSpace != Space::kGlobal)
      releaseRow<kSpace, kWords, Next::kAddress>(files, bench, memory, ways);
    if constexpr (kSpace == Space::kStore)
      releaseRow<kSpace, kWords, Next::kData>(files, bench, memory, ways);
    if constexpr (kSpace == Space::kStore)
      releaseRow<kSpace, kWords, Next::kNothing>(files, bench, memory, ways);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench;
  const Files files{
      openCsv(argc, argv, "bursts.csv",
              "machine,spacing,operation,bytes,ways,active,count,starts,cycles"),
      openCsv(argc, argv, "intervals.csv", "machine,operation,bytes,ways,active,warps,cycles"),
      openCsv(argc, argv, "releases.csv", "machine,operation,bytes,ways,next,cycles"),
      argc > 2 ? argv[2] : "4"};
  char* zeros = nullptr;
  char* words = nullptr;
  CHECK(cudaMalloc(&zeros, 1 << 20));
  CHECK(cudaMalloc(&words, 1 << 20));
  CHECK(cudaMemset(zeros, 0, 1 << 20));
  std::vector<unsigned> own(1 << 18);
  for (unsigned i = 0; i < own.size(); ++i)
    own[i] = static_cast<unsigned>(reinterpret_cast<unsigned long long>(words)) + i * 4;
  CHECK(cudaMemcpy(words, own.data(), 1 << 20, cudaMemcpyHostToDevice));
  using Few = std::integer_sequence<unsigned, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                    16, 20, 24, 32>;
  rows<Space::kShared, 1>(files, bench, zeros, words, Few{});
  rows<Space::kShared, 2>(files, bench, zeros, words, Few{});
  rows<Space::kShared, 4>(files, bench, zeros, words, Few{});
  rows<Space::kGlobal, 1>(files, bench, zeros, words, Few{});
  rows<Space::kGlobal, 2>(files, bench, zeros, words, Few{});
  rows<Space::kGlobal, 4>(files, bench, zeros, words, Few{});
  rows<Space::kStore, 1>(files, bench, zeros, words, Few{});
  rows<Space::kStore, 2>(files, bench, zeros, words, Few{});
  rows<Space::kStore, 4>(files, bench, zeros, words, Few{});
  for (std::FILE* file : {files.bursts, files.intervals, files.releases}) std::fclose(file);
}

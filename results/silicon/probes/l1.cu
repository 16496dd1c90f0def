// L1 hits: cycles per load of a warp in steady state and latency, by the words and lines that its
// lanes ask for; and loads of L1 and of shared memory in one loop.
#include <numeric>
#include <random>

#include "probe.cuh"

namespace {

constexpr unsigned kLine = 128;
constexpr unsigned kRegion =
    2 << 20;  // the region begins at a multiple of its size: offsets are the low address bits
constexpr unsigned kChains = 4;

/// Loads kBytes from {high, low} and returns `low`: the words hold their addresses, whose common
/// bits are `low`. With kFirst only the first word is looked at, so that nothing is added to the
/// latency.
template <unsigned kBytes, bool kFirst = false>
__device__ unsigned loadGlobal(unsigned low, unsigned high) {
  unsigned long long at;
  unsigned a;
  [[maybe_unused]] unsigned b = 0, c = 0, d = 0;
  asm("mov.b64 %0,{%1,%2};" : "=l"(at) : "r"(low), "r"(high));
  if constexpr (kBytes == 4)
    asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(a) : "l"(at) : "memory");
  if constexpr (kBytes == 8)
    asm volatile("ld.global.ca.v2.u32 {%0,%1},[%2];" : "=r"(a), "=r"(b) : "l"(at) : "memory");
  if constexpr (kBytes == 16)
    asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(at)
                 : "memory");
  if constexpr (kFirst || kBytes == 4) return a;
  if constexpr (kBytes == 8) return a & b;
  return a & b & c & d;
}

/// Each lane follows chains of words that hold their own address, at region + offsets[lane].
/// `apart` is 0; the compiler does not know it.
template <unsigned kBytes, unsigned kCount>
__global__ void loads(Span* spans, const char* region, const unsigned* offsets, unsigned apart,
                      unsigned n, unsigned* sink) {
  const auto whole = reinterpret_cast<unsigned long long>(region);
  const unsigned high = static_cast<unsigned>(whole >> 32);
  unsigned low[kCount];
  for (unsigned c = 0; c < kCount; ++c)
    low[c] = static_cast<unsigned>(whole) + offsets[threadIdx.x % 32] + c * apart;
  for (unsigned c = 0; c < kCount; ++c) low[c] = loadGlobal<kBytes>(low[c], high);
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#pragma unroll
    for (unsigned c = 0; c < 4; ++c)
      low[c % kCount] = loadGlobal<kBytes, kCount == 1>(low[c % kCount], high);
  }
  record(spans, start, clockNow());
  unsigned sum = 0;
  for (unsigned c = 0; c < kCount; ++c)
    sum |= low[c] ^ (static_cast<unsigned>(whole) + offsets[threadIdx.x % 32]);
  if (sum != 0) atomicAdd(sink, 1U);
}

/// kGlobal loads of L1 and kShared loads of shared memory per iteration, each with its own stride.
template <unsigned kGlobal, unsigned kShared>
__global__ void both(Span* spans, const char* region, unsigned globalWays, unsigned sharedWays,
                     unsigned apart, unsigned n, unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  const unsigned base = sharedAddress(words);
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = base + i * 4;
  const auto whole = reinterpret_cast<unsigned long long>(region);
  const unsigned high = static_cast<unsigned>(whole >> 32);
  unsigned low[kGlobal + 1], at[kShared + 1];
  for (unsigned c = 0; c != kGlobal; ++c)
    low[c] = static_cast<unsigned>(whole) + threadIdx.x % 32 * 4 * globalWays + c * apart;
  for (unsigned c = 0; c != kShared; ++c)
    at[c] = base + threadIdx.x % 32 * 4 * sharedWays + c * apart;
  for (unsigned c = 0; c != kGlobal; ++c) low[c] = loadGlobal<4>(low[c], high);
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
#pragma unroll
    for (unsigned c = 0; c < (kGlobal > kShared ? kGlobal : kShared); ++c) {
      if (c + 1 <= kGlobal) low[c] = loadGlobal<4>(low[c], high);
      if (c + 1 <= kShared) asm volatile("ld.volatile.shared.u32 %0,[%0];" : "+r"(at[c])::"memory");
    }
  }
  record(spans, start, clockNow());
  unsigned sum = 0;
  for (unsigned c = 0; c != kGlobal; ++c)
    sum |= low[c] ^ (static_cast<unsigned>(whole) + threadIdx.x % 32 * 4 * globalWays);
  for (unsigned c = 0; c != kShared; ++c) sum |= at[c] ^ (base + threadIdx.x % 32 * 4 * sharedWays);
  if (sum != 0) atomicAdd(sink, 1U);
}

class Probe {
 public:
  Probe(int argc, char** argv)
      : file_(openCsv(argc, argv, "l1.csv",
                      "machine,family,operation,bytes,elements,cycles,latency")),
        both_(openCsv(argc, argv, "l1_shared.csv",
                      "machine,global_loads,global_ways,shared_loads,shared_ways,cycles")) {
    char* whole = nullptr;
    CHECK(cudaMalloc(&whole, 2 * kRegion));
    region_ = reinterpret_cast<char*>((reinterpret_cast<unsigned long long>(whole) + kRegion - 1) /
                                      kRegion * kRegion);
    std::vector<unsigned> own(kRegion / 4);
    for (unsigned i = 0; i < own.size(); ++i)
      own[i] = static_cast<unsigned>(reinterpret_cast<unsigned long long>(region_)) + i * 4;
    CHECK(cudaMemcpy(region_, own.data(), kRegion, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bench_.sink, 0, 4));
  }

  ~Probe() {
    unsigned wrong = 0;
    CHECK(cudaMemcpy(&wrong, bench_.sink, 4, cudaMemcpyDeviceToHost));
    std::printf("l1: %u threads with a wrong value\n", wrong);
    std::fclose(file_);
    std::fclose(both_);
  }

  /// Byte offsets of 32 lanes.
  using Offsets = std::vector<unsigned>;

  template <unsigned kBytes>
  void row(const char* family, const Offsets& offsets) {
    std::copy(offsets.begin(), offsets.end(), bench_.table);
    const double cycles = bench_.slope(32, [&](unsigned n) {
      loads<kBytes, kChains><<<1, 1024>>>(bench_.spans, region_, bench_.table, 0, n, bench_.sink);
    });
    const double latency = bench_.slope(1, [&](unsigned n) {
      loads<kBytes, 1><<<1, 32>>>(bench_.spans, region_, bench_.table, 0, n, bench_.sink);
    });
    std::fprintf(file_, "%s,%s,ld.global.ca,%u,", machineName(), family, kBytes);
    for (unsigned lane = 0; lane < 32; ++lane)
      std::fprintf(file_, "%s%u", lane ? " " : "", offsets[lane] / kBytes);
    std::fprintf(file_, ",%.2f,%.2f\n", cycles / 4 / 32, latency / 4);
  }

  template <unsigned kBytes>
  void width() {
    Offsets offsets(32);
    for (unsigned stride = 0; stride <= 64; ++stride) {
      for (unsigned lane = 0; lane < 32; ++lane) offsets[lane] = lane * stride * kBytes;
      row<kBytes>("stride", offsets);
    }
    for (int trial = 0; trial < 24;
         ++trial) {  // one line per 32 elements, all banks once per line: only order changes
      for (unsigned lane = 0; lane < 32; ++lane) offsets[lane] = lane * kBytes;
      std::shuffle(offsets.begin(), offsets.end(), random_);
      row<kBytes>("permutation", offsets);
    }
    for (int trial = 0; trial < 64; ++trial) {  // words of a window of a few lines
      const unsigned window = 32U << trial % 4;
      for (unsigned& offset : offsets) offset = random_() % window * kBytes;
      row<kBytes>("window", offsets);
    }
  }

  /// Lanes share `lines` evenly, in order; lane i asks for word i of its line, so that all banks
  /// are asked for once.
  void lineSet(const char* family, const std::vector<unsigned>& lines) {
    Offsets offsets(32);
    for (unsigned lane = 0; lane < 32; ++lane)
      offsets[lane] = lines[lane * lines.size() / 32] * kLine + lane * 4;
    row<4>(family, offsets);
  }

  void lines() {
    for (unsigned bit = 0; bit < 14; ++bit) lineSet("bit", {0, 1U << bit});
    for (unsigned one = 0; one < 14; ++one)
      for (unsigned two = 0; two < one; ++two) lineSet("bits", {0, 1U << one | 1U << two});
    for (int trial = 0; trial < 96; ++trial) lineSet("pair", {some(14), some(14)});
    for (unsigned count = 1; count <= 32; ++count)
      for (int trial = 0; trial < 4; ++trial) {
        std::vector<unsigned> set(count);
        for (unsigned& line : set) line = some(trial % 2 ? 14 : 8);
        lineSet("lines", set);
      }
    for (unsigned apart = 1; apart <= 64; apart *= 2)
      for (const unsigned count : {4U, 8U, 16U, 32U}) {
        std::vector<unsigned> set(count);
        for (unsigned i = 0; i < count; ++i) set[i] = i * apart;
        lineSet("comb", set);
      }
    for (int trial = 0; trial < 96;
         ++trial) {  // lines and words at random: data and tags both conflict
      const unsigned count = 1 + random_() % 16;
      std::vector<unsigned> set(count);
      for (unsigned& line : set) line = some(10);
      Offsets offsets(32);
      for (unsigned& offset : offsets) offset = set[random_() % count] * kLine + random_() % 32 * 4;
      row<4>("any", offsets);
    }
  }

  template <unsigned kGlobal, unsigned kShared>
  void mixed() {
    for (const unsigned globalWays : {1U, 2U, 4U, 8U})
      for (const unsigned sharedWays : {1U, 2U, 4U, 8U}) {
        if ((kGlobal == 0 && globalWays > 1) || (kShared == 0 && sharedWays > 1)) continue;
        const double cycles = bench_.slope(32, [&](unsigned n) {
          both<kGlobal, kShared><<<1, 1024, 16384>>>(bench_.spans, region_, globalWays, sharedWays,
                                                     0, n, bench_.sink);
        });
        std::fprintf(both_, "%s,%u,%u,%u,%u,%.2f\n", machineName(), kGlobal, globalWays, kShared,
                     sharedWays, cycles / 32);
      }
  }

 private:
  unsigned some(unsigned bits) { return static_cast<unsigned>(random_() & ((1U << bits) - 1)); }

  Bench bench_;
  std::FILE* file_;
  std::FILE* both_;
  char* region_ = nullptr;
  std::mt19937 random_{20261126};
};

}  // namespace

int main(int argc, char** argv) {
  Probe probe(argc, argv);
  probe.width<4>();
  probe.width<8>();
  probe.width<16>();
  probe.lines();
  probe.mixed<4, 0>();
  probe.mixed<0, 4>();
  probe.mixed<4, 4>();
  probe.mixed<1, 4>();
  probe.mixed<4, 1>();
  probe.mixed<2, 4>();
  probe.mixed<4, 2>();
}

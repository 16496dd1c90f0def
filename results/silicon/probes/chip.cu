// The chip beyond one SM: L2 and DRAM bandwidth, latencies, global atomics, kernel launches, and
// which SM gets which CTA.
#include <chrono>
#include <random>
#include <unordered_set>

#include "probe.cuh"

namespace {

using U64 = unsigned long long;

__device__ U64 nanoseconds() {
  U64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

__device__ unsigned smId() {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

/// What a CTA saw of its life: its SM, and first and last time.
struct Life {
  unsigned sm;
  long long start, end;
  U64 nanoseconds;
};

__device__ void recordLife(Life* lives, long long start, U64 at) {
  __syncthreads();
  if (threadIdx.x == 0) lives[blockIdx.x] = {smId(), start, clock64(), at};
}

/// Each CTA reads or writes its part of a region `rounds` times, 16 bytes per thread and access,
/// past L1.
template <bool kWrite>
__global__ void traffic(Life* lives, uint4* memory, unsigned part, unsigned rounds,
                        unsigned* sink) {
  uint4* mine = memory + static_cast<U64>(blockIdx.x) * part;
  uint4 sum = make_uint4(0, 0, 0, 0);
  __syncthreads();
  const long long start = clock64();
  for (unsigned r = 0; r < rounds; ++r) {
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < part; i += blockDim.x) {
      if constexpr (kWrite) {
        asm volatile("st.global.cg.v4.u32 [%0],{%1,%1,%1,%1};" ::"l"(mine + i), "r"(r) : "memory");
      } else {
        uint4 v;
        asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
                     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                     : "l"(mine + i)
                     : "memory");
        sum.x ^= v.x ^ v.y ^ v.z ^ v.w;
      }
    }
  }
  recordLife(lives, start, 0);
  if (sum.x == 0x12345678) sink[0] = 1;
}

__global__ void copy(uint4* to, const uint4* from, U64 count) {
  const U64 step = static_cast<U64>(gridDim.x) * blockDim.x;
#pragma unroll 4
  for (U64 i = static_cast<U64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    to[i] = from[i];
}

__global__ void readAll(const uint4* from, U64 count, unsigned* sink) {
  const U64 step = static_cast<U64>(gridDim.x) * blockDim.x;
  unsigned sum = 0;
#pragma unroll 8
  for (U64 i = static_cast<U64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 v = from[i];
    sum ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x12345678) sink[0] = 1;
}

__global__ void writeAll(uint4* to, U64 count) {
  const U64 step = static_cast<U64>(gridDim.x) * blockDim.x;
  for (U64 i = static_cast<U64>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    to[i] = make_uint4(1, 2, 3, static_cast<unsigned>(i));
}

/// One thread per SM follows words that hold their own address; SM s begins at word s, so that few
/// meet in a slice.
__global__ void latencies(Life* lives, const U64* memory, unsigned apart, unsigned count,
                          float* cycles) {
  for (unsigned turn = 0; turn < 2; ++turn) {
    for (unsigned j = 0; j < count; ++j) {
      const unsigned which = (j + blockIdx.x) % count;
      U64 at = reinterpret_cast<U64>(memory) + static_cast<U64>(which) * apart;
      asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(at)::"memory");
      const long long start = clock64();
#pragma unroll 1
      for (unsigned i = 0; i < 16; ++i) {
#pragma unroll
        for (unsigned u = 0; u < 4; ++u)
          asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(at)::"memory");
      }
      if (at != 0) cycles[blockIdx.x * count + which] = static_cast<float>(clock64() - start) / 64;
    }
  }
  recordLife(lives, 0, 0);
}

/// Follows a list of `steps` words, `turns` times; the last turn counts.
__global__ void chase(const U64* memory, unsigned steps, unsigned turns, float* cycles) {
  U64 at = reinterpret_cast<U64>(memory);
  for (unsigned turn = 0; turn < turns; ++turn) {
    const long long start = clock64();
#pragma unroll 1
    for (unsigned i = 0; i < steps; ++i)
      asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(at)::"memory");
    if (at != 0) *cycles = static_cast<float>(clock64() - start) / steps;
  }
}

#define GLOBAL_ATOMIC(NAME, LABEL, C, R, TEXT)                  \
  struct NAME {                                                 \
    using T = C;                                                \
    static constexpr const char* kLabel = LABEL;                \
    static __device__ void go(U64 at, unsigned& sum, C v) {     \
      C r{};                                                    \
      asm volatile(TEXT : "+" R(r) : "l"(at), R(v) : "memory"); \
      sum ^= static_cast<unsigned>(r);                          \
    }                                                           \
  };
GLOBAL_ATOMIC(RedU32, "red.add.u32", unsigned, "r", "red.global.add.u32 [%1],%2;")
GLOBAL_ATOMIC(AtomU32, "atom.add.u32", unsigned, "r", "atom.global.add.u32 %0,[%1],%2;")
GLOBAL_ATOMIC(ExchU32, "atom.exch.b32", unsigned, "r", "atom.global.exch.b32 %0,[%1],%2;")
GLOBAL_ATOMIC(CasU32, "atom.cas.b32", unsigned, "r", "atom.global.cas.b32 %0,[%1],0,%2;")
GLOBAL_ATOMIC(RedU64, "red.add.u64", U64, "l", "red.global.add.u64 [%1],%2;")
GLOBAL_ATOMIC(RedF32, "red.add.f32", float, "f", "red.global.add.f32 [%1],%2;")
GLOBAL_ATOMIC(AtomF32, "atom.add.f32", float, "f", "atom.global.add.f32 %0,[%1],%2;")
GLOBAL_ATOMIC(RedF64, "red.add.f64", double, "d", "red.global.add.f64 [%1],%2;")
GLOBAL_ATOMIC(RedF16, "red.add.f16x2", unsigned, "r", "red.global.add.noftz.f16x2 [%1],%2;")

/// Thread t of CTA b updates memory + b * perCta + warp * perWarp + lane * perLane bytes.
template <class Op>
__global__ void atomics(Life* lives, char* memory, unsigned perCta, unsigned perWarp,
                        unsigned perLane, unsigned n, unsigned* sink) {
  const U64 at = reinterpret_cast<U64>(memory) + static_cast<U64>(blockIdx.x) * perCta +
                 threadIdx.x / 32 * static_cast<U64>(perWarp) + threadIdx.x % 32 * perLane;
  unsigned sum = 0;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 4
  for (unsigned i = 0; i < n; ++i) Op::go(at, sum, static_cast<typename Op::T>(1));
  __threadfence();
  recordLife(lives, start, 0);
  if (sum == 0x12345678) sink[0] = 1;
}

__global__ void empty() {}

/// Stays so long that the machine fills before the first CTA leaves.
__global__ void stay(Life* lives, unsigned cycles) {
  const U64 at = nanoseconds();
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  recordLife(lives, start, at);
}

class Chip {
 public:
  Chip(int argc, char** argv)
      : argc_(argc),
        argv_(argv),
        file_(openCsv(argc, argv, "chip.csv", "machine,measure,sms,bytes,value,unit")) {
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    sms_ = device.multiProcessorCount;
    CHECK(cudaMallocHost(&lives_, 4096 * sizeof(Life)));
    CHECK(cudaMallocHost(&floats_, 65536 * sizeof(float)));
    CHECK(cudaMalloc(&memory_, kMemory));
    CHECK(cudaMemset(memory_, 0, kMemory));
    CHECK(cudaMalloc(&sink_, 4096));
    for (cudaEvent_t* event : {&from_, &to_}) CHECK(cudaEventCreate(event));
    say("L2", sms_, 0, device.l2CacheSize, "bytes");
  }
  ~Chip() { std::fclose(file_); }

  /// Milliseconds of what `launch` starts, after one start that is not timed.
  template <class Launch>
  double milliseconds(const Launch& launch) {
    launch();
    CHECK(cudaEventRecord(from_));
    launch();
    CHECK(cudaEventRecord(to_));
    CHECK(cudaGetLastError());
    CHECK(cudaEventSynchronize(to_));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, from_, to_));
    return ms;
  }

  void clocks() {
    const double ms = milliseconds([&] { stay<<<sms_, 32>>>(lives_, 20000000); });
    say("SM clock", sms_, 0, 20000000 / ms / 1e3, "MHz");
  }

  void bandwidth() {
    for (const unsigned sms : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 96U, 128U, sms_})
      for (const unsigned part : {65536U, 131072U}) {
        const unsigned rounds = 64;
        for (const bool write : {false, true}) {
          milliseconds([&] {
            if (write) traffic<true><<<sms, 1024>>>(lives_, vectors(), part / 16, rounds, sink_);
            if (!write) traffic<false><<<sms, 1024>>>(lives_, vectors(), part / 16, rounds, sink_);
          });
          say(write ? "L2 write" : "L2 read", sms, part,
              static_cast<double>(part) * rounds * sms / lasting(sms), "bytes/cycle");
        }
      }
    const U64 half = kMemory / 2;
    const unsigned grid = sms_ * 8;
    const double rate = 1e-6;
    say("DRAM read", sms_, half,
        half * rate / milliseconds([&] { readAll<<<grid, 256>>>(vectors(), half / 16, sink_); }),
        "GB/s");
    say("DRAM write", sms_, half,
        half * rate / milliseconds([&] { writeAll<<<grid, 256>>>(vectors(), half / 16); }), "GB/s");
    say("DRAM copy; bytes read and written", sms_, 2 * half,
        2 * half * rate /
            milliseconds([&] { copy<<<grid, 256>>>(vectors() + half / 16, vectors(), half / 16); }),
        "GB/s");
  }

  void latency() {
    constexpr unsigned kCount = 48;
    constexpr unsigned kApart = 33 * 128;
    for (unsigned i = 0; i < kCount; ++i)
      put(static_cast<U64>(i) * kApart, static_cast<U64>(i) * kApart);
    CHECK(cudaFuncSetAttribute(latencies, cudaFuncAttributeMaxDynamicSharedMemorySize, 160 << 10));
    milliseconds([&] {
      latencies<<<sms_, 1, 160 << 10>>>(lives_, reinterpret_cast<U64*>(memory_), kApart, kCount,
                                        floats_);
    });
    std::FILE* file = openCsv(argc_, argv_, "l2_latency.csv", "machine,sm,bytes_apart,cycles");
    for (unsigned sm = 0; sm < sms_; ++sm) {
      std::fprintf(file, "%s,%u,%u,", machineName(), lives_[sm].sm, kApart);
      for (unsigned i = 0; i < kCount; ++i)
        std::fprintf(file, "%s%.0f", i ? " " : "", floats_[sm * kCount + i]);
      std::fprintf(file, "\n");
    }
    std::fclose(file);
    std::mt19937_64 random(1);
    for (const U64 bytes : {U64{256} << 10, U64{2} << 20, U64{16} << 20, U64{32} << 20,
                            U64{128} << 20, U64{2} << 30}) {
      const unsigned count = 2048;
      std::unordered_set<U64> lines{0};
      while (lines.size() < count) lines.insert(random() % (bytes / 128));
      std::vector<U64> order(lines.begin(), lines.end());
      std::shuffle(order.begin(), order.end(), random);
      std::iter_swap(order.begin(), std::find(order.begin(), order.end(), 0));
      for (unsigned i = 0; i < count; ++i) put(order[i] * 128, order[(i + 1) % count] * 128);
      for (const unsigned turns : {1U, 3U}) {
        CHECK(cudaMemset(memory_ + kMemory / 2, 0, kMemory / 4));  // empties L2
        chase<<<1, 1>>>(reinterpret_cast<U64*>(memory_), count, turns, floats_);
        CHECK(cudaDeviceSynchronize());
        say(turns == 1 ? "dependent load of 2048 random lines; L2 empty"
                       : "dependent load of 2048 random lines again",
            1, bytes, floats_[0], "cycles");
      }
    }
  }

  template <class Op>
  void atomic() {
    struct Where {
      const char* name;
      unsigned perCta, perWarp, perLane;
    };
    for (const Where& where :
         {Where{"one word", 0, 0, 0}, Where{"32 words of one line", 0, 0, sizeof(typename Op::T)},
          Where{"a word per CTA", 4096, 0, 0},
          Where{"a line per warp", 8192, 256, sizeof(typename Op::T)},
          Where{"a line per thread", 131072, 4096, 128}})
      for (const unsigned sms : {1U, 8U, sms_}) {
        const unsigned n = 64;
        milliseconds([&] {
          atomics<Op><<<sms, 1024>>>(lives_, memory_, where.perCta, where.perWarp, where.perLane, n,
                                     sink_);
        });
        const std::string measure = std::string(Op::kLabel) + " " + where.name;
        say(measure.c_str(), sms, sizeof(typename Op::T), 1024.0 * n * sms / lasting(sms),
            "lanes/cycle");
      }
  }

  void launches() {
    const unsigned count = 2000;
    const double apart = milliseconds([&] {
      for (unsigned i = 0; i < count; ++i) empty<<<1, 32>>>();
    });
    say("empty kernels back to back", 1, 0, apart * 1e3 / count, "us");
    CHECK(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < 200; ++i) {
      empty<<<1, 32>>>();
      CHECK(cudaDeviceSynchronize());
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    say("empty kernel and synchronization", 1, 0, took.count() / 200, "us");
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (unsigned i = 0; i < count; ++i) empty<<<1, 32, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    say("empty kernels of a graph", 1, 0,
        milliseconds([&] { CHECK(cudaGraphLaunch(ready, 0)); }) * 1e3 / count, "us");
    for (const unsigned threads : {32U, 128U, 256U, 1024U}) {
      const unsigned ctas = 1 << 20;
      const double ms = milliseconds([&] { empty<<<ctas, threads>>>(); });
      say(("empty CTAs of " + std::to_string(threads) + " threads").c_str(), sms_, 0,
          ctas / ms / 1e3, "CTAs/us");
    }
  }

  /// First CTAs of a grid of three times what fits, by SM and time; then the pause between two CTAs
  /// of one slot.
  void order() {
    std::FILE* file = openCsv(argc_, argv_, "cta_order.csv",
                              "machine,threads,cta,sm,start_ns,start_cycle,end_cycle");
    for (const unsigned threads : {256U, 1024U}) {
      const unsigned ctas = sms_ * (threads == 256 ? 10 : 4);
      milliseconds([&] { stay<<<ctas, threads>>>(lives_, 20000); });
      U64 first = ~U64{0};
      std::vector<long long> base(sms_, -1);
      for (unsigned i = 0; i < ctas; ++i) first = std::min(first, lives_[i].nanoseconds);
      for (unsigned i = 0; i < ctas; ++i) {
        long long& from = base[lives_[i].sm];
        if (from < 0 || lives_[i].start < from) from = lives_[i].start;
      }
      for (unsigned i = 0; i < ctas; ++i)
        std::fprintf(file, "%s,%u,%u,%u,%llu,%lld,%lld\n", machineName(), threads, i, lives_[i].sm,
                     lives_[i].nanoseconds - first, lives_[i].start - base[lives_[i].sm],
                     lives_[i].end - base[lives_[i].sm]);
    }
    std::fclose(file);
  }

 private:
  static constexpr U64 kMemory = U64{4} << 30;

  uint4* vectors() const { return reinterpret_cast<uint4*>(memory_); }
  void say(const char* measure, unsigned sms, U64 bytes, double value, const char* unit) {
    std::fprintf(file_, "%s,%s,%u,%llu,%.3f,%s\n", machineName(), measure, sms, bytes, value, unit);
    std::fflush(file_);
  }
  void put(U64 at, U64 next) {  // the word at byte `at` gets the address of byte `next`
    const U64 address = reinterpret_cast<U64>(memory_) + next;
    CHECK(cudaMemcpy(memory_ + at, &address, 8, cudaMemcpyHostToDevice));
  }
  /// Cycles of the CTA that took longest.
  double lasting(unsigned ctas) const {
    long long most = 0;
    for (unsigned i = 0; i < ctas; ++i) most = std::max(most, lives_[i].end - lives_[i].start);
    return static_cast<double>(most);
  }

  int argc_;
  char** argv_;
  std::FILE* file_;
  unsigned sms_ = 0;
  Life* lives_ = nullptr;
  float* floats_ = nullptr;
  char* memory_ = nullptr;
  unsigned* sink_ = nullptr;
  cudaEvent_t from_, to_;
};

}  // namespace

int main(int argc, char** argv) {
  Chip chip(argc, argv);
  chip.clocks();
  chip.order();
  chip.launches();
  chip.latency();
  chip.bandwidth();
  chip.atomic<RedU32>();
  chip.atomic<AtomU32>();
  chip.atomic<ExchU32>();
  chip.atomic<CasU32>();
  chip.atomic<RedU64>();
  chip.atomic<RedF32>();
  chip.atomic<AtomF32>();
  chip.atomic<RedF64>();
  chip.atomic<RedF16>();
}

// Clusters of CTAs: loads, stores and atomics of another CTA's shared memory, barriers, mbarriers,
// and bulk copies.
#include <cooperative_groups.h>

#include "probe.cuh"

namespace {

namespace cg = cooperative_groups;
using U64 = unsigned long long;

__device__ unsigned atRank(unsigned address, unsigned rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0,%1,%2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

__device__ void initBarrier(unsigned at, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(at), "r"(count) : "memory");
}

__device__ void expect(unsigned at, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],%1;" ::"r"(at), "r"(bytes)
               : "memory");
}

/// Waits for the phase of that parity; gives up after many tries, so that a wrong program ends.
__device__ void await(unsigned at, unsigned parity) {
  for (unsigned tries = 0; tries < 100000; ++tries) {
    unsigned done;
    asm volatile(
        "{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p,[%1],%2; selp.u32 %0,1,0,p;}"
        : "=r"(done)
        : "r"(at), "r"(parity)
        : "memory");
    if (done) return;
  }
  asm volatile("trap;");
}

enum class Access { kLoad4, kLoad16, kStore4, kStore16, kRed, kAtom };
constexpr const char* kAccesses[] = {"ld 4",  "ld 16",       "st 4",
                                     "st 16", "red.add.u32", "atom.add.u32"};

template <Access kAccess>
__device__ unsigned go(unsigned at) {
  unsigned r = at, b, c, d;
  if constexpr (kAccess == Access::kLoad4)
    asm volatile("ld.shared::cluster.u32 %0,[%1];" : "=r"(r) : "r"(at) : "memory");
  if constexpr (kAccess == Access::kLoad16) {
    asm volatile("ld.shared::cluster.v4.u32 {%0,%1,%2,%3},[%4];"
                 : "=r"(r), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
    r &= b & c & d;
  }
  if constexpr (kAccess == Access::kStore4)
    asm volatile("st.shared::cluster.u32 [%0],%0;" ::"r"(at) : "memory");
  if constexpr (kAccess == Access::kStore16)
    asm volatile("st.shared::cluster.v4.u32 [%0],{%0,%0,%0,%0};" ::"r"(at) : "memory");
  if constexpr (kAccess == Access::kRed)
    asm volatile("red.shared::cluster.add.u32 [%0],0;" ::"r"(at) : "memory");
  if constexpr (kAccess == Access::kAtom)
    asm volatile("atom.shared::cluster.add.u32 %0,[%1],0;" : "=r"(r) : "r"(at) : "memory");
  return r;
}

/// The words of the CTA `distance` ranks on hold their own cluster addresses. CTAs below `active`
/// access them.
template <Access kAccess>
__global__ void remote(Span* spans, unsigned distance, unsigned active, unsigned n,
                       unsigned* sink) {
  extern __shared__ __align__(1024) unsigned words[];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned size = cluster.num_blocks();
  const unsigned rank = cluster.block_rank();
  constexpr unsigned kWide = kAccess == Access::kLoad16 || kAccess == Access::kStore16 ? 4 : 1;
  const unsigned own = sharedAddress(words + threadIdx.x * kWide);
  const unsigned mine = atRank(own, rank);
  for (unsigned w = 0; w < kWide; ++w) words[threadIdx.x * kWide + w] = mine + w * 4;
  cluster.sync();
  unsigned at = atRank(own, (rank + distance) % size);
  const unsigned start = clockNow();
  unsigned others[3] = {at, at, at};
  if (rank < active) {
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
      at = go<kAccess>(at);
      if (blockDim.x > 32) {  // many warps, four chains each: throughput
        for (unsigned& other : others) other = go<kAccess>(other);
      }
    }
  }
  const unsigned end = clockNow();
  cluster.sync();
  if (blockIdx.x == 0)
    record(spans, start, kAccess == Access::kLoad4 || kAccess == Access::kAtom ? end : clockNow());
  sink[threadIdx.x] = at + others[0] + others[1] + others[2];
}

/// With kRelaxed the arrival orders no memory.
template <bool kRelaxed>
__global__ void clusterBarriers(Span* spans, unsigned n, unsigned* sink) {
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
    if (kRelaxed) asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    if (!kRelaxed) asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  }
  if (blockIdx.x == 0) record(spans, start, clockNow());
  sink[threadIdx.x] = n;
}

__global__ void ctaBarriers(Span* spans, unsigned n, unsigned* sink) {
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) __syncthreads();
  record(spans, start, clockNow());
  sink[threadIdx.x] = n;
}

/// Each thread arrives, or one thread of each warp, and all wait.
__global__ void mbarriers(Span* spans, unsigned each, unsigned n, unsigned* sink) {
  __shared__ __align__(8) U64 barrier;
  const unsigned at = sharedAddress(&barrier);
  if (threadIdx.x == 0) initBarrier(at, each ? blockDim.x : blockDim.x / 32);
  __syncthreads();
  const unsigned start = clockNow();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) {
    if (each || threadIdx.x % 32 == 0)
      asm volatile("mbarrier.arrive.shared::cta.b64 _,[%0];" ::"r"(at) : "memory");
    await(at, i & 1);
  }
  record(spans, start, clockNow());
  sink[threadIdx.x] = n;
}

/// Ranks 0 and 1 (or 0 alone) send each other one word with st.async; each waits for the other's.
__global__ void asyncStores(Span* spans, unsigned partner, unsigned n, unsigned* sink) {
  __shared__ __align__(8) U64 barrier;
  __shared__ unsigned word;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const unsigned at = sharedAddress(&barrier);
  if (threadIdx.x == 0) initBarrier(at, 1);
  cluster.sync();
  const unsigned to = rank == 0 ? partner : 0;
  const unsigned farBarrier = atRank(at, to);
  const unsigned farWord = atRank(sharedAddress(&word), to);
  const unsigned start = clockNow();
  if (threadIdx.x == 0 && (rank == 0 || rank == partner)) {
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
      expect(at, 4);
      if (rank != 0) await(at, i & 1);
      asm volatile(
          "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0],%1,[%2];" ::"r"(farWord),
          "r"(i), "r"(farBarrier)
          : "memory");
      if (rank == 0) await(at, i & 1);
    }
  }
  const unsigned end = clockNow();
  if (rank == 0) record(spans, start, end);
  cluster.sync();
  sink[threadIdx.x] = word;
}

enum class Copy { kIn, kOut, kAcross };
constexpr const char* kCopies[] = {"global to shared", "shared to global",
                                   "shared to shared of the next CTA"};

/// One thread starts `deep` bulk copies of `bytes` and waits for all of them, n times.
template <Copy kCopy>
__global__ void bulk(Span* spans, char* memory, unsigned bytes, unsigned deep, unsigned n,
                     unsigned* sink) {
  extern __shared__ __align__(1024) char buffer[];
  __shared__ __align__(8) U64 barrier;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned at = sharedAddress(&barrier);
  const unsigned here = sharedAddress(buffer);
  char* global = memory + static_cast<U64>(blockIdx.x) * 65536;
  if (threadIdx.x == 0) {
    initBarrier(at, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const unsigned farBarrier = atRank(at, next);
  const unsigned start = clockNow();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
      if (kCopy != Copy::kOut) expect(at, bytes * deep);
      for (unsigned d = 0; d < deep; ++d) {
        const unsigned from = d * bytes % 65536;
        if constexpr (kCopy == Copy::kIn)
          asm volatile(
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
              "[%0],[%1],%2,[%3];" ::"r"(here + from),
              "l"(global + from), "r"(bytes), "r"(at)
              : "memory");
        if constexpr (kCopy == Copy::kOut)
          asm volatile(
              "cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],%2;" ::"l"(global + from),
              "r"(here + from), "r"(bytes)
              : "memory");
        if constexpr (kCopy == Copy::kAcross)
          asm volatile(
              "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
              "[%0],[%1],%2,[%3];" ::"r"(atRank(here + 65536 + from, next)),
              "r"(here + from), "r"(bytes), "r"(farBarrier)
              : "memory");
      }
      if constexpr (kCopy == Copy::kOut) {
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
      } else {
        await(at, i & 1);
      }
    }
  }
  const unsigned end = clockNow();
  if (blockIdx.x == 0) record(spans, start, end);
  cluster.sync();
  sink[threadIdx.x] = buffer[threadIdx.x];
}

class Clusters {
 public:
  Clusters(int argc, char** argv)
      : file_(openCsv(argc, argv, "cluster.csv",
                      "machine,measure,cluster,ctas,warps,bytes,deep,cycles,bytes_per_cycle")) {
    CHECK(cudaMalloc(&memory_, 160 << 16));
    CHECK(cudaMemset(memory_, 0, 160 << 16));
  }
  ~Clusters() { std::fclose(file_); }

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), unsigned cluster, unsigned ctas, unsigned threads,
              unsigned shared, Arguments... arguments) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = ctas;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
  }

  void say(const std::string& measure, unsigned cluster, unsigned ctas, unsigned warps,
           unsigned bytes, unsigned deep, double cycles, double total) {
    std::fprintf(file_, "%s,%s,%u,%u,%u,%u,%u,%.2f,", machineName(), measure.c_str(), cluster, ctas,
                 warps, bytes, deep, cycles);
    if (total > 0) std::fprintf(file_, "%.2f", total / cycles);
    std::fprintf(file_, "\n");
    std::fflush(file_);
  }

  template <Access kAccess>
  void accesses() {
    const std::string name = kAccesses[static_cast<int>(kAccess)];
    const unsigned wide = name.find("16") != std::string::npos ? 16 : 4;
    for (const unsigned size : {1U, 2U, 4U, 8U, 16U}) {
      for (unsigned distance = 0; distance < size; ++distance) {
        const double cycles = bench_.slope(1, [&](unsigned n) {
          launch(remote<kAccess>, size, size, 32, kShared, bench_.spans, distance, 1, n,
                 bench_.sink);
        });
        say(name + " one warp; distance " + std::to_string(distance), size, size, 1, wide, 1,
            cycles, 0);
      }
      for (const unsigned active : {1U, size})
        for (const unsigned ctas : {size, 128 / size * size / (size == 16 ? 2 : 1)}) {
          const double cycles = bench_.slope(
              32,
              [&](unsigned n) {
                launch(remote<kAccess>, size, ctas, 1024, kShared, bench_.spans, size / 2, active,
                       n, bench_.sink);
              },
              40000);
          say(name + (active == 1 ? " 32 warps of one CTA" : " 32 warps of all CTAs"), size, ctas,
              32, wide, 4, cycles / 4 / 32, 32.0 * wide);
        }
    }
  }

  void barriers() {
    for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
      say("bar.sync", 1, 1, warps, 0, 1,
          bench_.slope(
              warps,
              [&](unsigned n) { ctaBarriers<<<1, warps * 32>>>(bench_.spans, n, bench_.sink); }),
          0);
      for (const unsigned each : {0U, 1U})
        say(each ? "mbarrier; each thread arrives" : "mbarrier; a thread per warp arrives", 1, 1,
            warps, 0, 1,
            bench_.slope(warps,
                         [&](unsigned n) {
                           mbarriers<<<1, warps * 32>>>(bench_.spans, each, n, bench_.sink);
                         }),
            0);
      for (const unsigned size : {1U, 2U, 4U, 8U, 16U}) {
        say("barrier.cluster", size, size, warps, 0, 1,
            bench_.slope(warps,
                         [&](unsigned n) {
                           launch(clusterBarriers<false>, size, size, warps * 32, kShared,
                                  bench_.spans, n, bench_.sink);
                         }),
            0);
        say("barrier.cluster relaxed", size, size, warps, 0, 1,
            bench_.slope(warps,
                         [&](unsigned n) {
                           launch(clusterBarriers<true>, size, size, warps * 32, kShared,
                                  bench_.spans, n, bench_.sink);
                         }),
            0);
      }
    }
    for (const unsigned size : {2U, 4U, 8U, 16U})
      for (unsigned partner = 1; partner < size; partner *= 2)
        say("st.async there and back; distance " + std::to_string(partner), size, size, 1, 4, 1,
            bench_.slope(1,
                         [&](unsigned n) {
                           launch(asyncStores, size, size, 32, kShared, bench_.spans, partner, n,
                                  bench_.sink);
                         }),
            0);
  }

  template <Copy kCopy>
  void copies() {
    for (const unsigned ctas : {2U, 132U}) {
      if (kCopy == Copy::kAcross && ctas > 2)
        continue;  // a fast sender would complete the phase of a slow receiver
      for (const unsigned deep : {1U, 2U, 4U, 16U})
        for (unsigned bytes = 16; bytes <= 16384; bytes *= 2) {
          if (bytes * deep > 65536) continue;
          const double cycles = bench_.slope(1, [&](unsigned n) {
            launch(bulk<kCopy>, 2, ctas, 32, kShared, bench_.spans, memory_, bytes, deep, n,
                   bench_.sink);
          });
          say(std::string("cp.async.bulk ") + kCopies[static_cast<int>(kCopy)], 2, ctas, 1, bytes,
              deep, cycles, static_cast<double>(bytes) * deep);
        }
    }
  }

 private:
  static constexpr unsigned kShared =
      131072;  // bytes per CTA: one fits an SM, so that the CTAs of a cluster are apart

  Bench bench_;
  std::FILE* file_;
  char* memory_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  Clusters clusters(argc, argv);
  clusters.barriers();
  clusters.accesses<Access::kLoad4>();
  clusters.accesses<Access::kLoad16>();
  clusters.accesses<Access::kStore4>();
  clusters.accesses<Access::kStore16>();
  clusters.accesses<Access::kRed>();
  clusters.accesses<Access::kAtom>();
  clusters.copies<Copy::kIn>();
  clusters.copies<Copy::kOut>();
  clusters.copies<Copy::kAcross>();
}

// The way between the CTAs of a cluster, over and over: accesses of the shared memory of the CTA
// `distance` ranks on, each at the address that the one before has read (loads, atomics), and the
// barriers of the cluster and of the CTA. As results/silicon/probes/cluster.cu.

extern __shared__ __align__(128) unsigned words[];

struct Load4 {
  static constexpr unsigned kWords = 1;
  static __device__ __forceinline__ unsigned go(unsigned at) {
    return static_cast<unsigned>(fermataLoadFrom(at));
  }
};
struct Load16 {
  static constexpr unsigned kWords = 4;
  static __device__ __forceinline__ unsigned go(unsigned at) {
    unsigned a, b, c, d;
    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
    return a & b & c & d;
  }
};
struct Store4 {
  static constexpr unsigned kWords = 1;
  static __device__ __forceinline__ unsigned go(unsigned at) {
    asm volatile("st.shared::cluster.u32 [%0], %0;" ::"r"(at) : "memory");
    return at;
  }
};
struct Reduce4 {
  static constexpr unsigned kWords = 1;
  static __device__ __forceinline__ unsigned go(unsigned at) {
    fermataAddAt(at, 0);
    return at;
  }
};
struct Atomic4 {
  static constexpr unsigned kWords = 1;
  static __device__ __forceinline__ unsigned go(unsigned at) {
    unsigned value;
    asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1], 0;"
                 : "=r"(value)
                 : "r"(at)
                 : "memory");
    return value;
  }
};

/// The words of a CTA hold their own cluster addresses. CTAs below `active` access those of the
/// CTA `distance` ranks on, in four chains if they have many warps.
template <class Access>
static __device__ __forceinline__ void walk(unsigned* out, unsigned distance, unsigned active,
                                            unsigned rounds) {
  const unsigned rank = fermataClusterRank(), ctas = fermataClusterSize();
  const unsigned own = fermataShared(words + threadIdx.x * Access::kWords);
  const unsigned mine = fermataAtRank(own, rank);
#pragma unroll
  for (unsigned w = 0; w < Access::kWords; ++w) words[threadIdx.x * Access::kWords + w] = mine;
  fermataSyncCluster();
  unsigned at = fermataAtRank(own, (rank + distance) % ctas);
  const unsigned begin = at;
  unsigned others[3] = {at, at, at};
  if (rank < active) {
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) {
      at = Access::go(at);
      if (blockDim.x > 32) {
#pragma unroll
        for (unsigned& other : others) other = Access::go(other);
      }
    }
  }
  fermataSyncCluster();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      at - begin + others[0] - begin + others[1] - begin + others[2] - begin;
}

struct Barrier {
  static __device__ __forceinline__ void meet() { fermataSyncCluster(); }
};
struct Relaxed {
  static __device__ __forceinline__ void meet() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  }
};
struct Sync {
  static __device__ __forceinline__ void meet() { __syncthreads(); }
};
/// Barriers that follow one another without a loop between them.
struct Syncs {
  static __device__ __forceinline__ void meet() {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) __syncthreads();
  }
};

template <class Meeting>
static __device__ __forceinline__ void meet(unsigned* out, unsigned rounds) {
#pragma unroll 1
  for (unsigned i = 0; i < rounds; ++i) Meeting::meet();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

#define WALK(name, access)                                                           \
  extern "C" __global__ void name(unsigned* out, unsigned distance, unsigned active, \
                                  unsigned rounds) {                                 \
    walk<access>(out, distance, active, rounds);                                     \
  }
WALK(clusterway_ld4, Load4)
WALK(clusterway_ld16, Load16)
WALK(clusterway_st4, Store4)
WALK(clusterway_red, Reduce4)
WALK(clusterway_atom, Atomic4)

#define MEET(name, meeting)                                                             \
  extern "C" __global__ void name(unsigned* out, unsigned, unsigned, unsigned rounds) { \
    meet<meeting>(out, rounds);                                                         \
  }
MEET(clusterway_barrier, Barrier)
MEET(clusterway_relaxed, Relaxed)
MEET(clusterway_sync, Sync)
MEET(clusterway_syncs, Syncs)

/// One thread arrives at an mbarrier that waits for it alone, and sees that its phase is over.
extern "C" __global__ void clusterway_mbarrier(unsigned* out, unsigned, unsigned, unsigned rounds) {
  __shared__ __align__(8) uint64_t arrival;
  const unsigned barrier = fermataShared(&arrival);
  if (threadIdx.x == 0) {
    fermataInitBarrier(barrier);
#pragma unroll 1
    for (unsigned i = 0; i < rounds; ++i) {
      fermataArrive(barrier);
      while (!fermataIsOver(barrier, i & 1)) {
      }
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}
